import { uuidV7 } from '#base/uuid-v7.ts';
import { PositionMap } from '../journal/position-map.ts';
import { StreamJournal } from '../journal/stream-journal.ts';
import { openTakeDirectory, removeTakeDirectory, streamFileName } from '../journal/take-directory.ts';
import { KeptTake } from './kept-take.ts';
import { LiveTake } from './live-take.ts';
import type { NewTake } from '../messages.ts';
import { holdRecordingLock } from '../recording-lock.ts';
import type { TakeRecord, TakeSegment } from '../take-record.ts';
import { putTake } from '../takes-store.ts';
import { storing, WorkerFailure } from '../worker-failure.ts';

/** One segment's files and where in them which moment is. */
export interface OpenSegment {
  segment: TakeSegment;
  audio: StreamJournal;
  peaks: StreamJournal;
  positions: PositionMap;
}

/** A take that this worker owns: new (then `live`) or found on the disk. */
export interface OpenTake {
  kept: KeptTake;
  segments: readonly OpenSegment[];
  live: LiveTake | null;
}

/**
 * Takes the lock, makes the files, opens the encoder, and only then enters the take in the store.
 * @throws WorkerFailure `locked`, `storage-refused`, `storage-full` or `encoder-missing`; nothing is left behind then
 */
export async function openNewTake(take: NewTake, onFailure: (error: unknown) => void): Promise<OpenTake> {
  await ownTake(take.id);
  const segment = newSegment();
  const opened = await storing(() => openSegment(take.id, segment));
  try {
    await storing(async () => {
      opened.audio.proveRoom();
      opened.peaks.proveRoom();
    });
    const live = await LiveTake.open({ ...take, ...opened, serialNumber: randomSerialNumber(), onFailure });
    const record = newRecord(take, segment);
    await storing(() => putTake(record));
    return { kept: new KeptTake(record), segments: [opened], live };
  } catch (error) {
    opened.audio.close();
    opened.peaks.close();
    await removeTakeDirectory(take.id);
    throw error;
  }
}

/** Makes this worker the only writer of a take. @throws WorkerFailure `locked` when another tab is */
export async function ownTake(takeId: string): Promise<void> {
  if (!(await holdRecordingLock(takeId))) throw new WorkerFailure('locked', `another tab holds take ${takeId}`);
}

/** Opens, or makes, the two files of a segment. */
export async function openSegment(takeId: string, segment: TakeSegment): Promise<OpenSegment> {
  const directory = await openTakeDirectory(takeId);
  const audio = await StreamJournal.open(directory, streamFileName(segment.index, 'audio'));
  const peaks = await StreamJournal.open(directory, streamFileName(segment.index, 'peaks'));
  return { segment, audio, peaks, positions: new PositionMap() };
}

function newRecord(take: NewTake, segment: TakeSegment): TakeRecord {
  return {
    ...take, state: 'recording', segments: [segment], markers: [], gaps: [], pauses: [], durationMs: 0, sizeBytes: 0,
    upload: null, receiptAtMs: null, deletedAtMs: null, updatedAtMs: take.startedAtMs,
  };
}

const newSegment = (): TakeSegment => ({ index: 0, startMs: 0, audioUploadId: newId(), peaksUploadId: newId(), epoch: 1 });
const newId = (): string => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
const randomSerialNumber = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
