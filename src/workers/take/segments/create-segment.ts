import { elapsedSince } from '#workers/take/elapsed-since.ts';
import { newId } from '#device/new-id.ts';
import type { Quality } from '#contract/limits.ts';
import { PositionMap } from '#workers/take/journal/position-map.ts';
import type { SegmentStreams, JournalKind, StreamJournal } from '#workers/take/journal/stream-journal.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import type { TakeSegment } from '#device/records/take-record.ts';
import { OpusSegmentWriter } from './opus-segment-writer.ts';
import { RawSegmentWriter } from './raw-segment-writer.ts';
import type { SegmentWriter } from './segment-writer.ts';
import { SpillableStream, type SpillMemory } from './spillable-stream.ts';
import { DatabaseJournal } from '#workers/take/journal/database-journal.ts';
import { FileJournal } from '#workers/take/journal/file-journal.ts';
import { LogWriter } from '#workers/take/journal/wal/log-writer.ts';
import { removeLogs } from '#device/streams/stream-log.ts';
import { hasSlotFiles, releaseSlots, claimSlot } from '#device/streams/slot-pool.ts';
import { SlotFile } from '#workers/take/journal/slot-file.ts';

/** The streams of a segment, and a map of its audio bytes to times. */
export interface OpenSegment {
  segment: TakeSegment;
  audio: SpillableStream;
  peaks: SpillableStream;
  positions: PositionMap;
  /** True once nothing more will be written. */
  isSealed: boolean;
}

/** The position of a segment in its take. */
export type SegmentPlace = Pick<TakeSegment, 'index' | 'startMs' | 'epoch' | 'container'>;

/** Creates a segment and its streams on the disk. */
export async function createSegment(
  place: SegmentPlace,
  memory: SpillMemory,
): Promise<{ opened: OpenSegment; streams: SegmentStreams }> {
  const ids = newIds();
  return segmentOf(place, ids, { streams: await createStreams(ids), memory });
}

/** Creates a segment in memory if the device has no space even for empty streams. */
export async function createSegmentAnywhere(place: SegmentPlace, memory: SpillMemory): Promise<OpenSegment> {
  try {
    return (await createSegment(place, memory)).opened;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'QuotaExceededError') throw error;
    return createSegmentInMemory(place, memory);
  }
}

/** Creates a segment in memory only. */
export function createSegmentInMemory(place: SegmentPlace, memory: SpillMemory): OpenSegment {
  const ids = newIds();
  const streams = { audio: new NoJournal(ids.audioUploadId), peaks: new NoJournal(ids.peaksUploadId) };
  return segmentOf(place, ids, { streams, memory }).opened;
}

/** Wraps a segment and its existing streams for the rest of the worker. */
export function openSegmentOf(segment: TakeSegment, { streams, memory }: StreamsInMemory): OpenSegment {
  return {
    segment,
    audio: new SpillableStream(streams.audio, memory),
    peaks: new SpillableStream(streams.peaks, memory),
    positions: new PositionMap(),
    isSealed: false,
  };
}

/**
 * Opens the writer that turns a source's sound into the bytes of a segment.
 * @throws WorkerFailure `encoder-missing`
 */
export async function openWriter(
  opened: OpenSegment,
  { source, ...options }: WriterOptions,
): Promise<SegmentWriter> {
  const { audio, peaks, positions } = opened;
  const all = { ...options, format: source, container: opened.segment.container, audio, peaks, positions };
  if (source.kind === 'pcm') return OpusSegmentWriter.open(all);
  const recorderStartedAtMs = options.nowMs() - elapsedSince(source.startedAtMs);
  return new RawSegmentWriter({ ...all, recorderStartedAtMs });
}

/** `ogg` for sound that is encoded here, otherwise the container of MediaRecorder. */
export const segmentContainerOf = (source: CaptureSource): TakeSegment['container'] =>
  source.kind === 'pcm' ? 'ogg' : source.container;

interface StreamsInMemory {
  streams: SegmentStreams;
  memory: SpillMemory;
}

interface WriterOptions {
  source: CaptureSource;
  quality: Quality;
  nowMs: () => number;
  onFailure: (error: unknown) => void;
}

function segmentOf(
  place: SegmentPlace,
  ids: Pick<TakeSegment, 'audioUploadId' | 'peaksUploadId'>,
  given: StreamsInMemory,
): { opened: OpenSegment; streams: SegmentStreams } {
  const segment = {
    ...place,
    ...ids,
    audioSlot: given.streams.audio.slot,
    peaksSlot: given.streams.peaks.slot,
  };
  return { opened: openSegmentOf(segment, given), streams: given.streams };
}

const newIds = (): Pick<TakeSegment, 'audioUploadId' | 'peaksUploadId'> => ({
  audioUploadId: newId(),
  peaksUploadId: newId(),
});

/**
 * The journal of a stream on a device without any space, or in a browser that rejects storage. It stores nothing,
 * so that all bytes stay in memory.
 */
class NoJournal implements StreamJournal {
  readonly kind: JournalKind = 'memory';
  readonly uploadId: string;
  readonly slot = null;
  readonly sizeBytes = 0;
  readonly flushedBytes = 0;

  constructor(uploadId: string) {
    this.uploadId = uploadId;
  }

  append(): void {
    throw new DOMException('there is no room on this device', 'QuotaExceededError');
  }

  writeProvisionalPage(): void {}

  flush(): void {}

  acknowledged(): void {}

  async truncate(): Promise<void> {}

  async read(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array();
  }

  async proveSpace(): Promise<void> {
    this.append();
  }

  async close(): Promise<void> {}
}

type SegmentIds = Pick<TakeSegment, 'audioUploadId' | 'peaksUploadId'>;

/**
 * Opens the two empty streams of a new segment: in slot files, or in the database only if this window has no
 * files.
 */
export async function createStreams({ audioUploadId, peaksUploadId }: SegmentIds): Promise<SegmentStreams> {
  const writer = new LogWriter();
  try {
    if (await hasSlotFiles()) return await createInSlots({ audioUploadId, peaksUploadId }, writer);
  } catch (error) {
    // If files cannot be opened, the database is used. Only a full device has no space in the database either.
    if (error instanceof DOMException && error.name === 'QuotaExceededError') throw error;
  }
  return {
    audio: new DatabaseJournal({ uploadId: audioUploadId, writer }),
    peaks: new DatabaseJournal({ uploadId: peaksUploadId, writer }),
  };
}

async function createInSlots(
  { audioUploadId, peaksUploadId }: SegmentIds,
  writer: LogWriter,
): Promise<SegmentStreams> {
  const audio = await createInSlot(audioUploadId, writer);
  try {
    return { audio, peaks: await createInSlot(peaksUploadId, writer) };
  } catch (error) {
    await discard(audio);
    throw error;
  }
}

/** Deletes the streams of a segment that did not start. */
export async function discardStreams({ audio, peaks }: SegmentStreams): Promise<void> {
  await discard(audio);
  await discard(peaks);
}

async function createInSlot(uploadId: string, writer: LogWriter): Promise<FileJournal> {
  const slot = await claimSlot(uploadId);
  try {
    const file = await SlotFile.open(slot.file);
    if (file.sizeBytes > 0) file.truncate(0);
    return new FileJournal({ uploadId, slot: slot.record, file, writer });
  } catch (error) {
    await releaseSlots([slot.record.name]);
    throw error;
  }
}

async function discard(stream: StreamJournal): Promise<void> {
  await stream.close();
  await removeLogs([stream.uploadId]);
  if (stream.slot !== null) await releaseSlots([stream.slot]);
}
