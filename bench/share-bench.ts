import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { joinedBytes, type ReadSegment } from '#audio/ogg/joined-bytes.ts';
import { audioOf, readOggFile } from '#server/features/recordings/media/audio-of.ts';
import {
  createOggSegmentReader,
  type OggSegmentReader,
} from '#server/features/recordings/media/ogg-segment.ts';
import { createWindowOf } from '#server/features/recordings/windows/window-of.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import { percentile, round, type Row, type Section } from './figures.ts';

const hours = Number(process.env['BENCH_HOURS'] ?? 12);
const durationMs = hours * 3_600_000;
const runs = 300;
const firstBytes = 64 * 1024;
const recordingId = '019aa000-0000-7000-8000-000000000001';
const packetsAtOnce = 50_000;

type Opened = Pick<ByteSource, 'sizeBytes' | 'read'>;

/** Numbers that are the same at every run. */
function seeded(): () => number {
  let state = 20_261_126;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

const random = seeded();

/** A packet as large as one of speech at 48 kbit/s: 80 to 160 bytes. */
const packetOf = (index: number): Uint8Array =>
  Uint8Array.from({ length: 80 + ((index * 31) % 81) }, (_, at) =>
    at === 0 ? 0xf8 : (index * 7 + at) & 255,
  );

/** Stores a recording of many hours as the recorder would have written it. */
async function storeSegments(blobs: BlobStore): Promise<StoredSegment[]> {
  const stored: StoredSegment[] = [];
  const write = async (
    stream: 'audio' | 'peaks',
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ) => {
    const blobKey = `recordings/${recordingId}/${stream}-0000`;
    await blobs.create(blobKey);
    let sizeBytes = 0;
    for await (const bytes of pieces)
      sizeBytes = await blobs.append(blobKey, { offsetBytes: sizeBytes, bytes });
    stored.push({
      uploadId: stream,
      stream,
      index: 0,
      startMs: 0,
      blobKey,
      sizeBytes,
      sha256: null,
      sealedAtMs: 0,
      container: 'ogg',
      remuxedBytes: null,
      remuxedContainer: null,
      packetSamples: null,
      verifiedAtMs: null,
      damagedAtMs: null,
      changedAtMs: 0,
    });
  };
  await write('audio', audioPieces());
  await write('peaks', [
    new Uint8Array((durationMs / 10) * 2).map((_, at) => (at % 2 === 0 ? 256 - (at % 100) : at % 100)),
  ]);
  return stored;
}

function* audioPieces(): Generator<Uint8Array> {
  const writer = new OpusStreamWriter({
    channels: 1,
    preSkip: 312,
    inputSampleRateHz: 48_000,
    serialNumber: 1,
    vendor: 'earshot',
  });
  let pages = writer.headers();
  const packets = durationMs / 20;
  for (let index = 0; index < packets; index += 1) {
    const page = writer.push(packetOf(index));
    if (page !== null) pages.push(page);
    if (index % packetsAtOnce !== packetsAtOnce - 1) continue;
    yield Buffer.concat(pages.map(({ bytes }) => bytes));
    pages = [];
  }
  yield Buffer.concat([...pages, ...writer.finish(packets * 960 - 312)].map(({ bytes }) => bytes));
}

interface Counts {
  reads: number;
  bytes: number;
}

/** Counts the reads of a blob store from now on. */
function countReads(blobs: BlobStore): Counts {
  const counts = { reads: 0, bytes: 0 };
  const read = blobs.read.bind(blobs);
  blobs.read = async (...args) => {
    const bytes = await read(...args);
    counts.reads += 1;
    counts.bytes += bytes.length;
    return bytes;
  };
  return counts;
}

async function measured(what: string, counts: Counts, open: () => Promise<Opened>): Promise<Row> {
  const all: Record<'open' | 'first' | 'reads' | 'kB', number[]> = { open: [], first: [], reads: [], kB: [] };
  for (let run = 0; run < runs; run += 1) {
    Object.assign(counts, { reads: 0, bytes: 0 });
    const startedMs = performance.now();
    const source = await open();
    const openedMs = performance.now();
    all.open.push(openedMs - startedMs);
    all.reads.push(counts.reads);
    all.kB.push(counts.bytes / 1024);
    await source.read({ startByte: 0, endByteExclusive: Math.min(source.sizeBytes, firstBytes) });
    all.first.push(performance.now() - openedMs);
  }
  const of = (name: keyof typeof all, share: number, digits: number) =>
    round(percentile(all[name], share), digits);
  return {
    what,
    'open p50, ms': of('open', 0.5, 2),
    'open p95, ms': of('open', 0.95, 2),
    'first 64 kB p50, ms': of('first', 0.5, 2),
    'first 64 kB p95, ms': of('first', 0.95, 2),
    'reads p50': of('reads', 0.5, 0),
    'reads p95': of('reads', 0.95, 0),
    'read kB p50': of('kB', 0.5, 0),
  };
}

/** Measures opening a random window of a long recording, compared with opening all of it. */
export async function shareBench(): Promise<Section> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-share-'));
  const disk = await openDiskBlobStore({ directory });
  try {
    const stored = await storeSegments(disk);
    const row = {
      id: recordingId,
      source: 'microphone' as const,
      state: 'ready' as const,
      gaps: '[]',
      duration_ms: durationMs,
      finished_at: 0,
    };
    const counts = countReads(disk);
    const opener = { blobs: disk, passagesOf: async () => [] };
    const warm = createOggSegmentReader(disk);
    const windowed = async (measure: OggSegmentReader, maxMs = durationMs) => {
      const fromMs = Math.floor(random() * (durationMs - 1000));
      const toMs = Math.ceil(Math.min(durationMs, fromMs + 1000 + random() * maxMs));
      const request = { segments: stored, part: { fromMs, toMs }, delayMs: 0, serialKey: 'a share' };
      const window = await createWindowOf({ ...opener, measure })(row, request);
      if (window === null) throw new Error('no window');
      return window;
    };
    const whole = async (measure: OggSegmentReader): Promise<Opened> => {
      const { layout, files } = await audioOf(row, stored, measure);
      return {
        sizeBytes: layout.sizeBytes,
        async read(range) {
          const pieces: Uint8Array[] = [];
          const read: ReadSegment = (index, from, to) => readOggFile(disk, files[index])(from, to);
          for await (const piece of joinedBytes(layout, read, range)) pieces.push(piece);
          return Buffer.concat(pieces);
        },
      };
    };
    const cold = () => createOggSegmentReader(disk);
    const rows = [
      await measured('the whole recording', counts, () => whole(cold())),
      await measured('a window of any length', counts, async () => (await windowed(cold())).audio),
      await measured('the whole recording, opened before', counts, () => whole(warm)),
      await measured(
        'a window, its recording opened before',
        counts,
        async () => (await windowed(warm)).audio,
      ),
      await measured('peaks of a window of at most ten minutes', counts, async () =>
        (await windowed(warm, 600_000)).peaks(),
      ),
      await measured('peaks of a window of any length', counts, async () => (await windowed(warm)).peaks()),
    ];
    const [audio] = stored;
    return {
      title: `Windows of a recording of ${hours} hours`,
      note: `${runs} random windows, ${round((audio?.sizeBytes ?? 0) / 2 ** 20, 0)} MiB of audio, on this machine's disk, in one process without HTTP. Goal: a window opens in 5 ms (p50) and 50 ms (p95).`,
      rows,
    };
  } finally {
    await disk.close();
    await rm(directory, { recursive: true, force: true });
  }
}
