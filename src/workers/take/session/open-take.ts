import {
  discardStreams,
  segmentContainerOf,
  createSegment,
  createSegmentInMemory,
  openWriter,
  type SegmentPlace,
  type OpenSegment,
} from '#workers/take/segments/create-segment.ts';
import { isStorageTemporary } from '#device/streams/temporary-storage.ts';
import type { JournalKind, TakeJournal } from '#workers/take/journal/stream-journal.ts';
import type { CaptureSource, NewTake } from '#workers/take/messages.ts';
import { holdRecordingLock } from '#device/takes/recording-lock.ts';
import type { WrittenSegment } from '#workers/take/segments/segment-sequencer.ts';
import { SpillMemory } from '#workers/take/segments/spillable-stream.ts';
import type { TakeRecord, TakeSegment } from '#device/records/take-record.ts';
import { putTake } from '#device/takes/takes-store.ts';
import { storing, WorkerFailure } from '#workers/take/worker-failure.ts';
import { TakeRecordWriter } from '#workers/take/take-record-writer.ts';

/** How recording starts in this worker. */
export type TakeInProgress =
  | { source: CaptureSource; written: WrittenSegment }
  /**
   * A take continues: its page was killed and its sound ended `silentForMs` ago; null when it was paused or stopped,
   * which adds no gap.
   */
  | { source: CaptureSource; silentForMs: number | null };

/** A take that this worker owns: new or recovered. */
export interface OpenTake {
  recordWriter: TakeRecordWriter;
  journal: TakeJournal;
  memory: SpillMemory;
  /** The segments of the record in the same order; grows while the take is recorded. */
  segments: OpenSegment[];
  /** Null for a take that has ended. */
  recording: TakeInProgress | null;
}

interface NewTakeOptions {
  take: NewTake;
  source: CaptureSource;
  /** A clock in milliseconds that never goes back and includes sleep of the computer. */
  nowMs: () => number;
  /** Called when the first segment can no longer be written. */
  onFailure: (error: unknown) => void;
}

/**
 * Opens a take on this device or, if the browser rejects storage and the take has an owner, in memory, from where
 * it is uploaded. Without an owner it could not be uploaded, so it does not start. Leaves nothing behind when it
 * throws.
 * @throws WorkerFailure `locked`, `storage-refused`, `storage-full` or `encoder-missing`
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

/** Where a take is stored whose streams are stored so. Never rejects. */
export async function takeJournalOf(kind: JournalKind): Promise<TakeJournal> {
  return kind === 'database' && (await isStorageTemporary()) ? 'temporary' : kind;
}

/** Acquires the lock, creates the streams, opens the encoder, and only then stores the record of the take. */
async function openStoredTake({ take, source, nowMs, onFailure }: NewTakeOptions): Promise<OpenTake> {
  // A browser that rejects storage may reject locks as well.
  await storing(() => ownTake(take.id));
  const memory = new SpillMemory();
  const { opened, streams } = await storing(() => createSegment(firstPlace(source), memory));
  // Judged beside the rest, which takes longer.
  const journal = takeJournalOf(streams.audio.kind);
  try {
    await storing(() => Promise.all([streams.audio.proveSpace(), streams.peaks.proveSpace()]));
    const writer = await openWriter(opened, { source, quality: take.quality, nowMs, onFailure });
    const record = newRecord(take, opened.segment);
    await storing(() => putTake(record));
    return {
      recordWriter: new TakeRecordWriter(record),
      journal: await journal,
      memory,
      segments: [opened],
      recording: { source, written: { opened, writer } },
    };
  } catch (error) {
    // Streams that cannot be deleted now are reclaimed later. The first error is the one to report.
    await discardStreams(streams).catch(() => undefined);
    throw error;
  }
}

/**
 * Makes this worker the only writer of a take; `isPatient` waits a moment for the lock.
 * @throws WorkerFailure `locked` if another tab holds the take
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
    passages: [],
    gaps: [],
    pauses: [],
    durationMs: null,
    microphoneSilenceMs: null,
    sizeBytes: 0,
    upload: null,
    receiptAtMs: null,
    deletedAtMs: null,
    updatedAtMs: take.startedAtMs,
  };
}
