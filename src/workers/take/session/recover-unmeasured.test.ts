import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TakeRecord, TakeSegment } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { storedTakes } from '#workers/take/labels/memory-takes-store.suite.ts';
import type { FromTakeWorker } from '#workers/take/messages.ts';
import { MemoryJournal } from '#workers/take/segments/memory-journal.suite.ts';
import { ModelUploadServer, problem } from '#workers/upload/model-upload-server.suite.ts';
import { recoverTake } from './recover-take.ts';
import { TakeSession } from './take-session.ts';

const { streams } = vi.hoisted(() => ({ streams: { audio: new Uint8Array(), peaks: new Uint8Array() } }));

vi.mock('#device/takes/takes-store.ts', () => import('#workers/take/labels/memory-takes-store.suite.ts'));
vi.mock('#device/takes/recording-lock.ts', () => ({ holdRecordingLock: async () => true }));
vi.mock('#workers/take/journal/recover-streams.ts', () => ({
  recoverStreams: async () => {
    const [audio, peaks] = [new MemoryJournal(), new MemoryJournal()];
    audio.append(streams.audio);
    peaks.append(streams.peaks);
    return { audio, peaks };
  },
}));

const webmFile = join(import.meta.dirname, '../../../../tests/fixtures/speech-1961.webm');
const takeId = '0190f000-0000-7000-8000-000000000000';
const upload = { token: 'token-1', expiresAt: '2030-01-01T00:00:00.000Z', appendIntervalMs: 500 };
const mp4: TakeSegment = {
  index: 0,
  startMs: 0,
  epoch: 1,
  container: 'mp4',
  audioUploadId: '0190f000-0000-7000-8000-00000000000a',
  peaksUploadId: '0190f000-0000-7000-8000-00000000000b',
  audioSlot: null,
  peaksSlot: null,
};
const labels = {
  markers: [{ id: '0190f000-0000-7000-8000-000000000001', atMs: 4000, label: 'Price', sent: false }],
  notes: [{ id: '0190f000-0000-7000-8000-000000000002', atMs: 5000, text: 'said', sentText: null }],
  passages: [{ id: '0190f000-0000-7000-8000-000000000003', atMs: 6000, toMs: 7000, stored: null }],
};
/** What a browser that records without a graph left when it was killed. */
const killed = (changes: Partial<TakeRecord> = {}): TakeRecord =>
  takeRecordFor({ id: takeId, durationMs: null, segments: [mp4], ...labels, ...changes });
const stored = () => storedTakes.get(takeId) as TakeRecord | undefined;

let server: ModelUploadServer;

/** Recovers the stored take as a page of its owner does. Resolves with the last message of its worker. */
async function recoverAndSend({
  fetch = server.fetch,
  onMessage = () => {},
}: {
  fetch?: typeof globalThis.fetch;
  onMessage?: (message: FromTakeWorker) => void;
} = {}): Promise<FromTakeWorker> {
  const { promise, resolve } = Promise.withResolvers<FromTakeWorker>();
  const session = new TakeSession(await recoverTake(takeId, null), {
    deps: {
      fetch,
      sleep: () => new Promise((slept) => setImmediate(slept)),
      nowMs: () => performance.now(),
      random: () => 1,
    },
    nowMs: () => performance.now(),
    post: (message) => {
      if (message.type === 'attach-needed') void session.handle({ type: 'attach', ownerId: 'rosa', upload });
      onMessage(message);
      if (message.type === 'receipt' || message.type === 'failed') resolve(message);
    },
    onDone: () => {},
  });
  session.start();
  return promise;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  server = new ModelUploadServer();
  streams.audio = Uint8Array.from({ length: 367 }, (_, index) => index + 1);
  streams.peaks = new Uint8Array();
});

afterEach(() => {
  vi.useRealTimers();
  storedTakes.clear();
});

test('keeps a killed take that has bytes but no length, with its labels, and uploads it when it is claimed', async () => {
  storedTakes.set(takeId, killed());
  await recoverTake(takeId, null);
  expect(stored()).toMatchObject({ state: 'stopped', durationMs: null, sizeBytes: 367, gaps: [], ...labels });
  // The next page, where its owner has signed in.
  expect(await recoverAndSend()).toEqual({ type: 'receipt', takeId, durationMs: 1234 });
  expect(server.stored('audio')?.bytes).toEqual(Buffer.from(streams.audio));
  expect([...server.markers.values(), ...server.notes.values()]).toEqual([
    { atMs: 4000, label: 'Price' },
    { fromMs: 5000, text: 'said' },
  ]);
  expect(stored()).toMatchObject({ durationMs: 1234, ownerId: 'rosa' });
});

test('keeps a take that has bytes when the server cannot measure it either', async () => {
  storedTakes.set(takeId, killed());
  server.durationMs = 0;
  expect(await recoverAndSend()).toEqual({ type: 'receipt', takeId, durationMs: null });
  expect(stored()).toMatchObject({ durationMs: null, sizeBytes: 367 });
});

test('reports a take in which the server reads no audio, and leaves its bytes on the device', async () => {
  storedTakes.set(takeId, killed());
  let isRefusing = true;
  const reported: FromTakeWorker[] = [];
  const receipt = recoverAndSend({
    fetch: (input, init) =>
      isRefusing && init?.method === 'PATCH'
        ? Promise.resolve(problem(422, 'unreadable-audio'))
        : server.fetch(input, init),
    onMessage: (message) => reported.push(message),
  });
  await vi.waitFor(() => {
    expect(reported).toContainEqual({ type: 'rejected', rejection: 'not-audio' });
  });
  expect(stored()).toMatchObject({ durationMs: null, sizeBytes: 367, receiptAtMs: null });
  // A later version of the server reads it.
  isRefusing = false;
  expect(await receipt).toMatchObject({ type: 'receipt' });
});

test('takes the length that the clock recorded last, and names the possible loss after it', async () => {
  storedTakes.set(takeId, killed({ durationMs: 56_000 }));
  await recoverTake(takeId, null);
  expect(stored()).toMatchObject({
    durationMs: 56_000,
    gaps: [{ atMs: 56_000, durationMs: 300, cause: 'page-killed' }],
    markers: labels.markers,
  });
});

test('takes the length of the peaks if it is more', async () => {
  storedTakes.set(takeId, killed({ durationMs: 1000 }));
  streams.peaks = new Uint8Array(400);
  await recoverTake(takeId, null);
  expect(stored()?.durationMs).toBe(2000);
});

test('does not take bytes behind the peaks of a WebM file for its length', async () => {
  streams.audio = Uint8Array.from(readFileSync(webmFile));
  const secondsOfPeaks = async (seconds: number): Promise<number> => {
    storedTakes.set(takeId, killed({ segments: [{ ...mp4, container: 'webm' }] }));
    streams.peaks = new Uint8Array(seconds * 200).fill(7);
    await recoverTake(takeId, null);
    return (stored()?.durationMs ?? 0) / 1000;
  };
  const fileSeconds = await secondsOfPeaks(0);
  expect(fileSeconds).toBeGreaterThan(8);
  // The recorder had not delivered the last two seconds when it was killed.
  expect(await secondsOfPeaks(Math.floor(fileSeconds) + 2)).toBe(Math.floor(fileSeconds) + 2);
  expect(await secondsOfPeaks(600)).toBeLessThan(fileSeconds + 6);
});

test('removes a take without a single byte', async () => {
  storedTakes.set(takeId, killed());
  streams.audio = new Uint8Array();
  await expect(recoverTake(takeId, null)).rejects.toMatchObject({ code: 'not-found' });
  expect(stored()).toBeUndefined();
});

test.each([
  ['that a server knows', { upload }],
  ['that had bytes', { sizeBytes: 9, durationMs: 5000 }],
])('keeps a take %s, although its files are empty', async (_, changes) => {
  storedTakes.set(takeId, killed(changes));
  streams.audio = new Uint8Array();
  await recoverTake(takeId, null);
  expect(stored()).toMatchObject({ state: 'stopped' });
});
