import { createStreams } from '#workers/take/segments/create-segment.ts';
import { DatabaseJournal } from '#workers/take/journal/database-journal.ts';
import { LogWriter } from '#workers/take/journal/wal/log-writer.ts';
import { recoverStreams } from '#workers/take/journal/recover-streams.ts';
import { readStream } from '#device/streams/stored-streams.ts';
import type { SegmentStreams } from '#workers/take/journal/stream-journal.ts';
import { findSlotFile, fillSlots, releaseSlots, claimSlot } from '#device/streams/slot-pool.ts';
import { SlotFile } from '#workers/take/journal/slot-file.ts';
import { putTake, removeTake } from '#device/takes/takes-store.ts';
import { shedReceipted } from '#workers/take/journal/shed-receipted.ts';
import type { TakeRecord, TakeSegment } from '#device/records/take-record.ts';

/** Lets a test or benchmark use the journal as the take worker does, in a worker of a real browser. */
let streams: SegmentStreams | null = null;

function opened(): SegmentStreams {
  if (streams === null) throw new TypeError('no streams are open');
  return streams;
}

const nextTurn = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 2);
  });

async function settled({ audio, peaks }: SegmentStreams): Promise<void> {
  while (audio.flushedBytes < audio.sizeBytes || peaks.flushedBytes < peaks.sizeBytes) {
    audio.flush();
    peaks.flush();
    await nextTurn();
  }
}

type SegmentIds = Pick<TakeSegment, 'audioUploadId' | 'peaksUploadId'>;

/** The streams of a segment in a window without files: in the write-ahead log alone. */
function createInLog({ audioUploadId, peaksUploadId }: SegmentIds): SegmentStreams {
  const writer = new LogWriter();
  return {
    audio: new DatabaseJournal({ uploadId: audioUploadId, writer }),
    peaks: new DatabaseJournal({ uploadId: peaksUploadId, writer }),
  };
}

/** Where a benchmark stores a stream: in the journal's two copies, or in one of them. */
export type StreamStorage = 'file and log' | 'file alone' | 'log alone';

interface SpeedOptions {
  seconds: number;
  storage: StreamStorage;
  pageBytes: number;
}

/** Opens an audio and a peaks stream, as journals or as preallocated files alone. */
async function openPair(storage: StreamStorage): Promise<{
  pair: { append: (bytes: Uint8Array) => void; flush: () => void; close: () => Promise<void> }[];
  wait: () => Promise<void>;
  slots: string[];
}> {
  const ids = { audioUploadId: crypto.randomUUID(), peaksUploadId: crypto.randomUUID() };
  if (storage !== 'file alone') {
    const created = storage === 'log alone' ? createInLog(ids) : await createStreams(ids);
    const pair = [created.audio, created.peaks];
    return { pair, wait: () => settled(created), slots: pair.flatMap(({ slot }) => slot ?? []) };
  }
  const slots = [await claimSlot(ids.audioUploadId), await claimSlot(ids.peaksUploadId)];
  return {
    pair: await Promise.all(slots.map(({ file }) => SlotFile.open(file))),
    wait: async () => {},
    slots: slots.map(({ record }) => record.name),
  };
}

/**
 * Appends a page per 200 ms of audio and flushes every 240 ms of it, as fast as the disk allows. Returns the
 * elapsed milliseconds.
 */
async function speed({ seconds, storage, pageBytes }: SpeedOptions): Promise<number> {
  const { pair, wait, slots } = await openPair(storage);
  const pieces = [crypto.getRandomValues(new Uint8Array(pageBytes)), new Uint8Array(40).fill(7)];
  const startedAtMs = performance.now();
  for (let atMs = 0, flushAtMs = 0; atMs < seconds * 1000; atMs += 200) {
    pair.forEach((stream, nth) => {
      stream.append(pieces[nth] ?? new Uint8Array());
    });
    if (atMs < flushAtMs) continue;
    flushAtMs += 240;
    for (const stream of pair) stream.flush();
    await wait();
  }
  const wallMs = performance.now() - startedAtMs;
  for (const stream of pair) await stream.close();
  await releaseSlots(slots);
  return wallMs;
}

/**
 * Writes one long stream into a segment's journal, as hours of recording would.
 * @param pieceBytes how much is appended at a time: the log has an entry for each append
 */
async function writeLong({
  pages,
  times,
  pieceBytes,
}: {
  pages: Uint8Array<ArrayBuffer>;
  times: number;
  pieceBytes: number;
}): Promise<number> {
  const { audio } = opened();
  for (let nth = 0; nth < times; nth += 1) {
    for (let atBytes = 0; atBytes < pages.length; atBytes += pieceBytes) {
      audio.append(pages.subarray(atBytes, atBytes + pieceBytes));
      await settled(opened());
    }
    audio.acknowledged(audio.sizeBytes);
  }
  return audio.sizeBytes;
}

const operations = {
  fill: fillSlots,
  async create({ inLog = false, ...ids }: SegmentIds & { inLog?: boolean }) {
    streams = inLog ? createInLog(ids) : await createStreams(ids);
    return { kind: streams.audio.kind, audioSlot: streams.audio.slot, peaksSlot: streams.peaks.slot };
  },
  append({ stream, bytes }: { stream: 'audio' | 'peaks'; bytes: Uint8Array<ArrayBuffer> }) {
    opened()[stream].append(bytes);
  },
  writeProvisionalPage(bytes: Uint8Array<ArrayBuffer>) {
    opened().audio.writeProvisionalPage(bytes);
  },
  settle: () => settled(opened()),
  acknowledged(sizeBytes: number) {
    opened().audio.acknowledged(sizeBytes);
  },
  async close() {
    await opened().audio.close();
    await opened().peaks.close();
  },
  async recover(segment: TakeSegment) {
    const startedAtMs = performance.now();
    let pages = 0;
    streams = await recoverStreams(segment, () => {
      pages += 1;
    });
    return {
      audioBytes: streams.audio.sizeBytes,
      flushedBytes: streams.audio.flushedBytes,
      peaksBytes: streams.peaks.sizeBytes,
      pages,
      wallMs: performance.now() - startedAtMs,
    };
  },
  read: ({
    stream,
    offsetBytes,
    sizeBytes,
  }: {
    stream: 'audio' | 'peaks';
    offsetBytes: number;
    sizeBytes: number;
  }) => opened()[stream].read(offsetBytes, sizeBytes),
  async stored(place: { uploadId: string; slot: string | null }) {
    return new Uint8Array(await (await readStream(place)).arrayBuffer());
  },
  async claim(uploadId: string) {
    return (await claimSlot(uploadId)).record;
  },
  async slotSize(name: string) {
    return (await (await findSlotFile(name))?.getFile())?.size ?? null;
  },
  put: (record: TakeRecord) => putTake(record),
  remove: (id: string) => removeTake(id),
  shed: (wantedBytes: number) => shedReceipted(wantedBytes),
  speed,
  writeLong,
};

export type JournalOperations = typeof operations;

globalThis.addEventListener(
  'message',
  ({
    data: { id, name, input },
  }: MessageEvent<{ id: number; name: keyof JournalOperations; input: never }>) => {
    Promise.resolve()
      .then((): unknown => operations[name](input))
      .then(
        (result: unknown) => {
          postMessage({ id, result });
        },
        (error: unknown) => {
          postMessage({ id, error: String(error) });
        },
      );
  },
);
