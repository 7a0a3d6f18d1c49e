import { execFileSync, spawnSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readOpusTags } from '#audio/ogg/opus-headers.ts';
import { pagesOf } from '#audio/ogg/joined.suite.ts';
import { momentsInside } from '#audio/window/inside-windows.ts';
import { buildPyramid } from '#audio/peaks/peaks-pyramid.ts';
import { overviewOf } from '#audio/peaks/peaks-overview.ts';
import {
  type ApiUnderTest,
  apiOnSqlite,
  append,
  complete,
  finish,
  openUpload,
  oggOfSilence,
  recordTake,
  startTake,
  type Take,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { newId } from '#tests/support/factories.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { createOggSegmentReader } from '#server/features/recordings/media/ogg-segment.ts';
import type { Passage } from '#contract/passages-api.ts';
import { findAny } from '#server/features/recordings/recordings-store.ts';
import { createStoredSegments } from '#server/features/uploads/stored-segments.ts';
import { createUploadsStore } from '#server/features/uploads/uploads-store.ts';
import { createWindowOf, type RecordingWindow, type WindowRequest } from './window-of.ts';

const rateHz = 48_000;

/** Lays out a window of a recording as its row is now. */
async function windowOf(
  { database, blobs }: ApiUnderTest,
  recordingId: string,
  {
    fromMs = 0,
    toMs = null,
    passages = [],
    ...options
  }: { fromMs?: number; toMs?: number | null; passages?: Passage[] } & Partial<WindowRequest> = {},
): Promise<RecordingWindow | null> {
  const row = await findAny(database.queries, recordingId);
  if (row === undefined) throw new Error('no such recording');
  const open = createWindowOf({
    blobs,
    measure: createOggSegmentReader(blobs),
    passagesOf: async () => passages,
  });
  const storedSegments = createStoredSegments({ store: createUploadsStore(database), blobs });
  return open(row, {
    segments: await storedSegments(row.id),
    part: { fromMs, toMs },
    delayMs: 0,
    serialKey: 'share 1',
    ...options,
  });
}

async function openWindow(...args: Parameters<typeof windowOf>): Promise<RecordingWindow> {
  const window = await windowOf(...args);
  if (window === null) throw new Error('no window');
  return window;
}

const allOf = async ({ audio }: RecordingWindow): Promise<Uint8Array> =>
  audio.read({ startByte: 0, endByteExclusive: audio.sizeBytes });

interface Recorded {
  durationMs: number;
  segments: readonly { startMs: number; audio: Buffer; peaks: Buffer }[];
}

/** Records a take of these segments. */
const record = async (
  api: ApiUnderTest,
  user: TestUser,
  { durationMs, segments }: Recorded,
): Promise<Take> => {
  const take = await startTake(api, user);
  for (const [segmentIndex, { startMs, ...streams }] of segments.entries())
    for (const stream of ['audio', 'peaks'] as const) {
      const uploadId = segmentIndex === 0 ? take[`${stream}Id`] : newId();
      if (segmentIndex > 0) await openUpload(api, take, { uploadId, stream, segmentIndex, startMs });
      await append(api, take, { uploadId, offset: 0, bytes: streams[stream] });
      await complete(api, take, { uploadId, bytes: streams[stream] });
    }
  await finish(api, take, { durationMs, segmentCount: segments.length });
  await api.runJobs();
  return take;
};

/** Peaks whose every point is another than those around it. */
const peaksFrom = (points: number, first: number): Buffer =>
  Buffer.from(
    Int8Array.from({ length: points * 2 }, (_, index) =>
      index % 2 === 0 ? -((first + index) % 120) : (first + index) % 119,
    ).buffer,
  );

describe('a window of a stored recording', () => {
  test('has a known size, a strong validator, and its own serial number', async () => {
    const api = await apiOnSqlite();
    const { recordingId } = await recordTake(api, await api.signIn(), 10);
    const window = await openWindow(api, recordingId, { fromMs: 2003, toMs: 7001 });
    const bytes = await allOf(window);
    expect([window.sizeBytes, window.audio.sizeBytes]).toEqual([bytes.length, bytes.length]);
    expect(Math.abs(window.durationMs - 4998)).toBeLessThanOrEqual(3);
    const again = await openWindow(api, recordingId, { fromMs: 2003, toMs: 7001 });
    const another = await openWindow(api, recordingId, { fromMs: 2003, toMs: 7001, serialKey: 'share 2' });
    const later = await openWindow(api, recordingId, { fromMs: 2023, toMs: 7021 });
    expect(again.audio.etag).toBe(window.audio.etag);
    expect(new Set([window, another, later].map(({ audio }) => audio.etag)).size).toBe(3);
    const serials = await Promise.all(
      [window, another].map(async (each) => pagesOf(await allOf(each))[0]?.serialNumber),
    );
    expect(new Set([...serials, 7]).size).toBe(3);
    expect(JSON.stringify([window.audio.etag, (await window.peaks()).etag])).not.toContain(recordingId);
    const streamed = await buffer(window.audio.stream({ startByte: 100, endByteExclusive: 3000 }));
    expect(Buffer.compare(streamed, bytes.subarray(100, 3000))).toBe(0);
  });

  test('has peaks and an overview of its own points', async () => {
    const api = await apiOnSqlite();
    const peaks = peaksFrom(2000, 0);
    const { recordingId } = await record(api, await api.signIn(), {
      durationMs: 20_000,
      segments: [{ startMs: 0, audio: oggOfSilence(20), peaks }],
    });
    const window = await openWindow(api, recordingId, { fromMs: 3003, toMs: 15_009 });
    const own = new Int8Array(peaks.buffer, peaks.byteOffset + 2 * 301, 2 * (1500 - 301));
    const pyramid = await window.peaks();
    expect(
      Buffer.compare(
        await pyramid.read({ startByte: 0, endByteExclusive: pyramid.sizeBytes }),
        buildPyramid(own),
      ),
    ).toBe(0);
    expect(
      Buffer.compare(
        await buffer(pyramid.stream({ startByte: 7, endByteExclusive: 900 })),
        buildPyramid(own).subarray(7, 900),
      ),
    ).toBe(0);
    expect(await window.overview()).toEqual(overviewOf(own));
    expect(momentsInside([{ atMs: 3000 }, { atMs: 4000 }], window.part)).toEqual([{ atMs: 997 }]);
  });

  test('of a running take has an open size and withholds the delay from sound, peaks and markers', async () => {
    const api = await apiOnSqlite();
    const take = await startTake(api, await api.signIn());
    expect(await windowOf(api, take.recordingId)).toBeNull();
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: oggOfSilence(30) });
    await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: peaksFrom(3000, 0) });
    const live = await openWindow(api, take.recordingId, { fromMs: 1000, delayMs: 10_000 });
    expect(live.sizeBytes).toBeNull();
    expect(live.durationMs).toBeGreaterThan(18_000);
    expect(live.durationMs).toBeLessThanOrEqual(19_000);
    const pyramid = await live.peaks();
    expect(pyramid.sizeBytes).toBeLessThan(256 + 2 * 1900 * 1.5);
    expect(momentsInside([{ atMs: 2000 }, { atMs: 21_000 }], live.part)).toEqual([{ atMs: 1000 }]);
  });

  test('is null for an import without an Ogg/Opus rendition', async () => {
    const api = await apiOnSqlite();
    const wav = silentWav();
    const { take } = await importFile(api, await api.signIn(), {
      name: 'Rede.wav',
      bytes: wav,
      peaks: peaksFrom(100, 0),
    });
    expect(await windowOf(api, take.recordingId)).toBeNull();
  });
});

/** A second of silence in a RIFF file. */
function silentWav(): Buffer {
  const head = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0',
    'latin1',
  );
  head.writeUInt32LE(36 + 16_000, 4);
  head.writeUInt32LE(16_000, 40);
  return Buffer.concat([head, Buffer.alloc(16_000)]);
}

/** Sound of an expression over the time `t`, encoded by another program than ours. */
const encoded = (expression: string, seconds: number, options: readonly string[] = []): Buffer =>
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    `aevalsrc='${expression}':s=${rateHz}:d=${seconds}`,
    '-c:a',
    'libopus',
    '-b:a',
    '48k',
    '-metadata',
    'title=secret',
    ...options,
    '-f',
    'ogg',
    'pipe:1',
  ]);

/** Decodes with the library that browsers use; ffmpeg's own decoder never reaches exact silence. */
function decoded(ogg: Uint8Array, decoder = 'libopus'): Float32Array {
  const { stdout, stderr } = spawnSync(
    'ffmpeg',
    [
      '-v',
      'warning',
      '-c:a',
      decoder,
      '-i',
      'pipe:0',
      '-ac',
      '1',
      '-ar',
      `${rateHz}`,
      '-f',
      'f32le',
      'pipe:1',
    ],
    {
      input: ogg,
      maxBuffer: 1e9,
    },
  );
  expect(stderr.toString()).toBe('');
  return new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
}

/** The strength of one frequency in a tenth of a second (Goertzel). */
function strength(pcm: Float32Array, hz: number, atMs: number): number {
  const length = rateHz / 10;
  const turn = 2 * Math.cos((2 * Math.PI * hz) / rateHz);
  let [before, now] = [0, 0];
  const from = Math.round((atMs * rateHz) / 1000);
  for (const sample of pcm.subarray(from, from + length)) [before, now] = [now, sample + turn * now - before];
  return Math.sqrt(Math.max(0, before * before + now * now - turn * before * now)) / length;
}

/** The frequency of a tone in some milliseconds, from its upward zero crossings. */
function frequencyHz(pcm: Float32Array, atMs: number, lengthMs: number): number {
  const part = pcm.subarray((atMs * rateHz) / 1000, ((atMs + lengthMs) * rateHz) / 1000);
  const crossings: number[] = [];
  for (let index = 1; index < part.length; index += 1) {
    const [last = 0, now = 0] = [part[index - 1], part[index]];
    if (last < 0 && now >= 0) crossings.push(index - now / (now - last));
  }
  const [first = 0, latest = 0] = [crossings[0], crossings.at(-1)];
  return ((crossings.length - 1) * rateHz) / (latest - first);
}

describe.skipIf(!hasFfmpeg)('a window, decoded by another program,', () => {
  test('has nothing of a tone that is only outside', async () => {
    const api = await apiOnSqlite();
    const audio = encoded('0.3*sin(2*PI*t*if(between(t,3,5),2000,440))', 8);
    const { recordingId } = await record(api, await api.signIn(), {
      durationMs: 8000,
      segments: [{ startMs: 0, audio, peaks: peaksFrom(800, 0) }],
    });
    const bytes = await allOf(await openWindow(api, recordingId, { fromMs: 3000, toMs: 5000 }));
    const pcm = decoded(bytes);
    expect(Math.abs(pcm.length / rateHz - 2)).toBeLessThan(0.0035);
    expect(strength(pcm, 2000, 900)).toBeGreaterThan(0.1);
    for (let atMs = 0; atMs < 1900; atMs += 50)
      expect(strength(pcm, 440, atMs), `440 Hz at ${atMs} ms`).toBeLessThan(0.002);
  });

  test.for([
    [2503, 6001],
    [0, 1234],
    [7777, null],
    [3333, 3666],
  ] as const)(
    'says at every moment the time of the whole: a tone that rises with time, %d to %s ms',
    async ([fromMs, toMs]) => {
      const api = await apiOnSqlite();
      const audio = encoded('0.4*sin(2*PI*(300*t+100*t*t))', 10);
      const { recordingId } = await record(api, await api.signIn(), {
        durationMs: 10_000,
        segments: [{ startMs: 0, audio, peaks: peaksFrom(1000, 0) }],
      });
      const pcm = decoded(await allOf(await openWindow(api, recordingId, { fromMs, toMs })));
      const lengthMs = (toMs ?? 10_000) - fromMs;
      expect(Math.abs(pcm.length / 48 - lengthMs)).toBeLessThan(4);
      for (let atMs = 80; atMs + 50 < lengthMs - 20; atMs += 10) {
        const wholeMs = fromMs + atMs + 25;
        expect(Math.abs(frequencyHz(pcm, atMs, 50) - (300 + (200 * wholeMs) / 1000))).toBeLessThan(4);
      }
    },
  );

  test('across a gap has tone, exact silence and tone, and neither tags nor the encoder of the files', async () => {
    const api = await apiOnSqlite();
    const segments = [
      { startMs: 0, audio: encoded('0.3*sin(2*PI*t*440)', 3), peaks: peaksFrom(300, 0) },
      {
        startMs: 5001,
        audio: encoded('0.3*sin(2*PI*t*2500)', 3, ['-frame_duration', '60', '-ac', '2']),
        peaks: peaksFrom(300, 0),
      },
    ];
    const { recordingId } = await record(api, await api.signIn(), { durationMs: 8001, segments });
    const window = await openWindow(api, recordingId, { fromMs: 1500, toMs: 7000 });
    const bytes = await allOf(window);
    const pcm = decoded(bytes);
    expect(Math.abs(pcm.length / 48 - 5500)).toBeLessThan(4);
    expect(strength(pcm, 440, 1300)).toBeGreaterThan(0.1);
    expect(strength(pcm, 2500, 3700)).toBeGreaterThan(0.1);
    expect(pcm.subarray(1.55 * rateHz, 3.45 * rateHz).every((sample) => sample === 0)).toBe(true);
    const tags = readOpusTags(pagesOf(bytes)[1]?.payload ?? new Uint8Array());
    expect(tags).toEqual({ vendor: '', comments: [] });
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/secret|Lavf|Lavc/);
  });

  test('with a withheld passage is exactly silent there', async () => {
    const api = await apiOnSqlite();
    const audio = encoded('0.3*sin(2*PI*t*440)', 8);
    const { recordingId } = await record(api, await api.signIn(), {
      durationMs: 8000,
      segments: [{ startMs: 0, audio, peaks: peaksFrom(800, 0) }],
    });
    const passages = [{ id: newId(), fromMs: 3000, toMs: 5000 }];
    const pcm = decoded(await allOf(await openWindow(api, recordingId, { fromMs: 1000, passages })));
    expect(Math.abs(pcm.length / 48 - 7000)).toBeLessThan(4);
    expect(pcm.subarray(2.03 * rateHz, 3.99 * rateHz).every((sample) => sample === 0)).toBe(true);
    for (const atMs of [500, 1800, 4230, 6800]) expect(strength(pcm, 440, atMs)).toBeGreaterThan(0.1);
  });

  test('converts to another format with the window alone', async () => {
    const api = await apiOnSqlite();
    const audio = encoded('0.3*sin(2*PI*t*if(between(t,3,5),2000,440))', 8);
    const { recordingId } = await record(api, await api.signIn(), {
      durationMs: 8000,
      segments: [{ startMs: 0, audio, peaks: peaksFrom(800, 0) }],
    });
    const { input, release } = (await openWindow(api, recordingId, { fromMs: 3000, toMs: 5000 })).openSound();
    if (input.kind !== 'ogg-stream') throw new Error('not streamed');
    const m4a = spawnSync(
      'ffmpeg',
      [
        '-v',
        'error',
        '-f',
        'ogg',
        '-i',
        'pipe:0',
        '-map_metadata',
        '-1',
        '-c:a',
        'aac',
        '-f',
        'adts',
        'pipe:1',
      ],
      { input: await buffer(input.bytes), maxBuffer: 1e9 },
    ).stdout;
    await release();
    const pcm = decoded(m4a, 'aac');
    for (let atMs = 0; atMs < 1800; atMs += 50) expect(strength(pcm, 440, atMs)).toBeLessThan(0.003);
    expect(m4a.toString('latin1')).not.toContain('secret');
  });
});
