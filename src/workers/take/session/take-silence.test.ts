import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { second } from '#base/duration.ts';
import type { Gap } from '#contract/recordings.ts';
import { newId } from '#device/new-id.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import type { PcmBlock } from '#workers/capture/messages.ts';
import { storedTakes } from '#workers/take/labels/memory-takes-store.suite.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import type * as createSegment from '#workers/take/segments/create-segment.ts';
import { openSegmentFor } from '#workers/take/segments/open-segment.suite.ts';
import type { SegmentWriter } from '#workers/take/segments/segment-writer.ts';
import { SpillMemory } from '#workers/take/segments/spillable-stream.ts';
import { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import { ModelUploadServer } from '#workers/upload/model-upload-server.suite.ts';
import type { TakeInProgress } from './open-take.ts';
import { TakeSession } from './take-session.ts';

vi.mock('#device/takes/takes-store.ts', () => import('#workers/take/labels/memory-takes-store.suite.ts'));
vi.mock('#workers/take/segments/create-segment.ts', async (original) => ({
  ...(await original<typeof createSegment>()),
  createSegmentAnywhere: async (place: { index: number; startMs: number }) => openedSegment(place),
  openWriter: async () => new CountingWriter(),
}));

const rateHz = 48_000;
const blockMs = 20;
const takeId = '0190f000-0000-7000-8000-000000000000';
const upload = { token: 'token-1', expiresAt: '2030-01-01T00:00:00.000Z', appendIntervalMs: 500 };

/** A segment of the take, whose streams have ids of their own. */
function openedSegment({ index = 0, startMs = 0 } = {}): createSegment.OpenSegment {
  const opened = openSegmentFor({ index, startMs });
  const [audioUploadId, peaksUploadId] = [newId(), newId()];
  return { ...opened, segment: { ...opened.segment, audioUploadId, peaksUploadId } };
}

/** Counts the sound that it gets. */
class CountingWriter implements SegmentWriter {
  capturedMs = 0;
  push(channels: readonly Float32Array[]): void {
    this.capturedMs += ((channels[0]?.length ?? 0) * 1000) / rateHz;
  }
  pushChunk(): void {}
  takeLosses(): [] {
    return [];
  }
  setPaused(): void {}
  takePoints(): Int8Array<ArrayBuffer> {
    return new Int8Array();
  }
  flush(): void {}
  async finish(): Promise<number> {
    return this.capturedMs;
  }
}

/** A microphone of an audio worklet, which counts its frames. */
function microphone() {
  const port = { onmessage: null as ((event: { data: PcmBlock }) => void) | null, close: () => undefined };
  let frame = 0;
  return {
    pcm: port as unknown as MessagePort,
    give: (sample: number) => {
      const samples = new Float32Array((rateHz * blockMs) / 1000).fill(sample);
      port.onmessage?.({ data: { type: 'pcm', frame, channels: [samples] } });
      frame += samples.length;
    },
  };
}

const stored = () => storedTakes.get(takeId) as TakeRecord;

/** A take that is recorded from a microphone: a new one, or one that continues what is stored. */
function record({
  fillsLossWithZeros = false,
  continued = false,
  kind = 'pcm' as CaptureSource['kind'],
} = {}) {
  const server = new ModelUploadServer();
  const { pcm, give } = microphone();
  const format = { sampleRateHz: rateHz, channels: 1, deviceLabel: null, pcm };
  const source: CaptureSource =
    kind === 'pcm'
      ? { kind, fillsLossWithZeros, ...format }
      : { kind, container: 'webm', recorderId: 1, startedAtMs: 0, reason: 'unsupported', ...format };
  const memory = new SpillMemory();
  const opened = { ...openedSegment(), isSealed: continued };
  if (!continued) storedTakes.set(takeId, takeRecordFor({ id: takeId, segments: [opened.segment] }));
  const recording: TakeInProgress = continued
    ? { source, silentForMs: null }
    : { source, written: { opened, writer: new CountingWriter() } };
  let isAlive = true;
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const session = new TakeSession(
    {
      recordWriter: new TakeRecordWriter(stored()),
      journal: 'files',
      memory,
      segments: [opened],
      recording,
    },
    {
      deps: {
        fetch: server.fetch,
        sleep: () =>
          new Promise((slept) => {
            if (isAlive) setImmediate(slept);
          }),
        nowMs: () => performance.now(),
        random: () => 1,
      },
      nowMs: () => performance.now(),
      post: (message) => {
        if (message.type === 'attach-needed')
          void session.handle({ type: 'attach', ownerId: 'rosa', upload });
      },
      onDone: resolve,
    },
  );
  session.start();
  return {
    server,
    /** The microphone delivers samples of this value in time. */
    hear: async (ms: number, sample = 0.1) => {
      for (let heardMs = 0; heardMs < ms; heardMs += blockMs) {
        await vi.advanceTimersByTimeAsync(blockMs);
        give(sample);
      }
    },
    /** Nothing is delivered, and the frames of that time are lost. */
    lose: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    /** Its page dies. */
    kill: () => {
      isAlive = false;
      vi.clearAllTimers();
    },
    stop: async (): Promise<{ silenceMs: number | null | undefined; gaps: readonly Gap[] }> => {
      const stopped = session.handle({ type: 'stop' });
      // The worker waits for sound that was captured before Stop.
      await vi.advanceTimersByTimeAsync(second);
      await stopped;
      await sent;
      const { microphoneSilenceMs, gaps } = stored();
      return { silenceMs: microphoneSilenceMs, gaps };
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearTimeout', 'performance', 'Date'] });
});

afterEach(() => {
  vi.useRealTimers();
  storedTakes.clear();
});

test('measures a muted microphone as its silence, without a gap, and tells the server', async () => {
  const take = record();
  await take.hear(2 * second);
  await take.hear(5 * second, 0);
  await take.hear(2 * second);
  expect(await take.stop()).toEqual({ silenceMs: 5 * second, gaps: [] });
  expect(take.server.finished.at(-1)).toMatchObject({ microphoneSilenceMs: 5 * second, gaps: [] });
});

test('measures a noise gate as silence of the microphone, without a gap', async () => {
  const take = record();
  for (let word = 0; word < 10; word += 1) {
    await take.hear(400);
    await take.hear(200, 0);
  }
  expect(await take.stop()).toEqual({ silenceMs: 10 * 200, gaps: [] });
});

test('names the time of a late clock as a gap, and counts none of it as silence of the microphone', async () => {
  const take = record();
  await take.hear(3 * second);
  await take.lose(second);
  await take.hear(3 * second);
  const { silenceMs, gaps } = await take.stop();
  expect(silenceMs).toBe(0);
  expect(gaps.map(({ cause }) => cause)).toEqual(['device-slept']);
  expect(gaps[0]?.durationMs).toBeGreaterThan(900);
});

test('does not measure zeros of a browser that puts them in the place of lost sound', async () => {
  const take = record({ fillsLossWithZeros: true });
  await take.hear(2 * second);
  await take.hear(100, 0);
  await take.hear(2 * second);
  const { silenceMs, gaps } = await take.stop();
  expect(silenceMs).toBe(null);
  expect(gaps).toEqual([{ atMs: 2000, durationMs: 100, cause: 'browser-busy' }]);
  expect(take.server.finished.at(-1)).not.toHaveProperty('microphoneSilenceMs');
});

test('saves the silence while the take runs, and adds to it when the take continues', async () => {
  const take = record();
  await take.hear(2 * second);
  await take.hear(11 * second, 0);
  const savedMs = stored().microphoneSilenceMs ?? 0;
  expect(savedMs).toBeGreaterThan(5 * second);
  take.kill();
  const next = record({ continued: true });
  await next.hear(2 * second);
  await next.hear(3 * second, 0);
  expect((await next.stop()).silenceMs).toBe(savedMs + 3 * second);
});

test('does not know the silence in the file of the browser’s own recorder', async () => {
  const take = record({ kind: 'media-recorder' });
  await take.hear(11 * second, 0);
  take.kill();
  expect(stored().microphoneSilenceMs).toBe(null);
});
