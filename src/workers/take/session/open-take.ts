import type { GapCause } from '#contract/recordings.ts';
import {
  discardStreams,
  segmentContainerOf,
  createSegment,
  createSegmentInMemory,
  openWriter,
  type SegmentPlace,
  type OpenSegment,
} from '#workers/take/segments/create-segment.ts';
import type { JournalKind } from '#workers/take/journal/stream-journal.ts';
import type { CaptureSource, NewTake } from '#workers/take/messages.ts';
import { holdRecordingLock } from '#device/takes/recording-lock.ts';
import type { WrittenSegment } from '#workers/take/segments/segment-sequencer.ts';
import { SpillMemory } from '#workers/take/segments/spill-memory.ts';
import type { TakeRecord, TakeSegment } from '#device/takes/take-record.ts';
import { putTake } from '#device/takes/takes-store.ts';
import { storing, WorkerFailure } from '#workers/take/worker-failure.ts';
import { TakeRecordWriter } from '#workers/take/take-record-writer.ts';

/** How a take that is being recorded begins in this worker. */
export type TakeInProgress =
  | { source: CaptureSource; written: WrittenSegment }
  /**
   * A recovered take continues: its sound ended so long ago, and why; null when it was paused, because a
   * pause takes no time.
   */
  | { source: CaptureSource; silentForMs: number | null; cause: GapCause };

/** A take that this worker owns: new or found on the disk. */
export interface OpenTake {
  recordWriter: TakeRecordWriter;
  journal: JournalKind;
  memory: SpillMemory;
  /** Those of the record, in the same order; grows while the take is recorded. */
  segments: OpenSegment[];
  /** Null for a take that is over. */
  recording: TakeInProgress | null;
}

interface NewTakeOptions {
  take: NewTake;
  source: CaptureSource;
  /** Milliseconds that only run forward, also through a sleep of the computer. */
  nowMs: () => number;
  /** The first segment can no longer be written. */
  onFailure: (error: unknown) => void;
}

/**
 * Opens a take on this device or, if the browser rejects storage and the take has an owner, in memory, from
 * where it is uploaded. Without an owner it could not be uploaded, so it does not start.
 * @throws WorkerFailure `locked`, `storage-refused`, `storage-full` or `encoder-missing`; nothing is left
 * behind then
 */
export async function openNewTake(options: NewTakeOptions): Promise<OpenTake> {
  try {
    return await openStoredTake(options);
  } catch (error) {
    if (
      !(error instanceof WorkerFailure) ||
      error.code !== 'storage-refused' ||
      options.take.ownerId === null
    )
      throw error;
    return openTakeInMemory(options);
  }
}

async function openTakeInMemory({ take, source, nowMs, onFailure }: NewTakeOptions): Promise<OpenTake> {
  const memory = new SpillMemory();
  const opened = createSegmentInMemory(firstPlace(source), memory);
  const writer = await openWriter(opened, { source, quality: take.quality, nowMs, onFailure });
  const recordWriter = new TakeRecordWriter(newRecord(take, opened.segment), { isStored: false });
  return {
    recordWriter,
    journal: 'memory',
    memory,
    segments: [opened],
    recording: { source, written: { opened, writer } },
  };
}

const firstPlace = (source: CaptureSource): SegmentPlace => ({
  index: 0,
  startMs: 0,
  epoch: 1,
  container: segmentContainerOf(source),
});

/** Takes the lock, makes the streams, opens the encoder, and only then enters the take in the store. */
async function openStoredTake({ take, source, nowMs, onFailure }: NewTakeOptions): Promise<OpenTake> {
  // The store of locks is one of those that a browser refuses with the rest.
  await storing(() => ownTake(take.id));
  const memory = new SpillMemory();
  const { opened, streams } = await storing(() => createSegment(firstPlace(source), memory));
  try {
    await storing(() => Promise.all([streams.audio.proveSpace(), streams.peaks.proveSpace()]));
    const writer = await openWriter(opened, { source, quality: take.quality, nowMs, onFailure });
    const record = newRecord(take, opened.segment);
    await storing(() => putTake(record));
    return {
      recordWriter: new TakeRecordWriter(record),
      journal: streams.audio.kind,
      memory,
      segments: [opened],
      recording: { source, written: { opened, writer } },
    };
  } catch (error) {
    // What cannot be cleared away belongs to nobody and is taken back later; the first reason is the one that
    // counts.
    await discardStreams(streams).catch(() => undefined);
    throw error;
  }
}

/**
 * Makes this worker the only writer of a take, at once or after a moment. @throws WorkerFailure `locked` when
 * another tab is
 */
export async function ownTake(takeId: string, isPatient = false): Promise<void> {
  if (!(await holdRecordingLock(takeId, isPatient)))
    throw new WorkerFailure('locked', `another tab holds take ${takeId}`);
}

function newRecord(take: NewTake, segment: TakeSegment): TakeRecord {
  return {
    ...take,
    state: 'recording',
    segments: [segment],
    markers: [],
    notes: [],
    gaps: [],
    pauses: [],
    durationMs: 0,
    sizeBytes: 0,
    upload: null,
    receiptAtMs: null,
    deletedAtMs: null,
    updatedAtMs: take.startedAtMs,
  };
}
