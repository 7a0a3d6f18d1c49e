import { expect, test } from 'vitest';
import type { Gap } from '#contract/recordings.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import type { FileLoss } from './file-clock.ts';
import type { SegmentWriter } from './segment-writer.ts';
import { WorkerFailure } from '#workers/take/worker-failure.ts';
import { openSegmentFor } from './open-segment.suite.ts';
import type { OpenSegment } from './create-segment.ts';
import { SegmentSequencer, type WrittenSegment } from './segment-sequencer.ts';

const source: CaptureSource = {
  kind: 'media-recorder',
  recorderId: 1,
  startedAtMs: 0,
  reason: 'unsupported',
  container: 'webm',
  pcm: null,
  sampleRateHz: 48_000,
  channels: 1,
  deviceLabel: null,
};
const block = [new Float32Array(960)];

/** Counts the sound it receives; `unwrittenMs` of it count as not written. */
class CountingWriter implements SegmentWriter {
  readonly chunks: string[] = [];
  readonly fail: (error: unknown) => void;
  readonly losses: FileLoss[] = [];
  receivedMs = 0;
  unwrittenMs = 0;
  finished = Promise.withResolvers<void>();

  constructor(fail: (error: unknown) => void) {
    this.fail = fail;
    this.finished.resolve();
  }

  get capturedMs(): number {
    return this.receivedMs;
  }

  push(channels: readonly Float32Array[]): void {
    this.receivedMs += (channels[0]?.length ?? 0) / 48;
  }

  pushChunk(bytes: Uint8Array, isLast: boolean): void {
    this.chunks.push(`${bytes.length}${isLast ? ' last' : ''}`);
  }

  takeLosses(): readonly FileLoss[] {
    return this.losses.splice(0);
  }

  setPaused(): void {}

  takePoints(): Int8Array<ArrayBuffer> {
    return new Int8Array();
  }

  flush(): void {}

  async finish(): Promise<number> {
    await this.finished.promise;
    return this.receivedMs - this.unwrittenMs;
  }
}

function sequencerOf() {
  const writers: CountingWriter[] = [];
  const segments: OpenSegment[] = [];
  const gaps: Gap[] = [];
  const failures: unknown[] = [];
  const state = { hasSpace: false };
  const sequencer = new SegmentSequencer(
    {
      openSegment: async (_source, startMs, onFailure): Promise<WrittenSegment> => {
        const opened = openSegmentFor({ index: segments.length, startMs });
        const writer = new CountingWriter(onFailure);
        segments.push(opened);
        writers.push(writer);
        return { opened, writer };
      },
      hasSpace: () => state.hasSpace,
      onGap: (gap) => {
        gaps.push(gap);
      },
      onSealed: () => {},
      onFailure: (error) => {
        failures.push(error);
      },
    },
    0,
  );
  const sound = (durationMs: number) => {
    for (let leftMs = durationMs; leftMs > 0; leftMs -= 20) sequencer.sound(block, 20);
  };
  const starts = () => segments.map(({ segment }) => segment.startMs);
  return { sequencer, writers, segments, gaps, failures, state, sound, starts };
}

const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

test('queues sound that arrives while a segment is being opened or closed, so that nothing is lost', async () => {
  const { sequencer, writers, sound, starts } = sequencerOf();
  sequencer.start(source, null);
  sound(400);
  expect(sequencer.capturedMs).toBe(400);
  await settled();
  const [first] = writers;
  if (first) first.finished = Promise.withResolvers();
  sequencer.start(source, { cause: 'microphone-lost', durationMs: 1400 });
  sound(600);
  await settled();
  expect(sequencer.capturedMs).toBe(1000);
  first?.finished.resolve();
  await settled();
  expect(sequencer.capturedMs).toBe(2400);
  expect(await sequencer.finish()).toBe(2400);
  expect([starts(), writers.map(({ receivedMs }) => receivedMs)]).toEqual([
    [0, 1800],
    [400, 600],
  ]);
});

test('places gaps at the end of the sound before them, and pads a short loss with silence in its segment', async () => {
  const { sequencer, gaps, sound, starts } = sequencerOf();
  sequencer.start(source, null);
  sound(400);
  sequencer.lost({ cause: 'device-slept', durationMs: 1000 });
  sound(200);
  sequencer.start(source, { cause: 'device-slept', durationMs: 5000 });
  sound(200);
  expect(await sequencer.finish()).toBe(6800);
  expect(starts()).toEqual([0, 6600]);
  expect(gaps).toEqual([
    { atMs: 400, durationMs: 1000, cause: 'device-slept' },
    { atMs: 1600, durationMs: 5000, cause: 'device-slept' },
  ]);
});

test('seals a segment only when its streams are completely on the disk', async () => {
  const { sequencer, segments, sound } = sequencerOf();
  sequencer.start(source, null);
  sound(400);
  await settled();
  const [opened] = segments;
  const closing = Promise.withResolvers<void>();
  if (opened) opened.audio.close = () => closing.promise;
  sequencer.cut();
  await settled();
  expect(opened?.isSealed).toBe(false);
  closing.resolve();
  await settled();
  expect(opened?.isSealed).toBe(true);
});

test('seals a closed segment and starts the next one where it ends', async () => {
  const { sequencer, segments, sound, starts } = sequencerOf();
  sequencer.start(source, null);
  sound(400);
  sequencer.cut();
  await settled();
  expect(segments.map(({ isSealed }) => isSealed)).toEqual([true]);
  sequencer.start(source, null);
  sound(20);
  await sequencer.finish();
  expect(starts()).toEqual([0, 400]);
});

test('turns sound that fits neither disk nor memory into a gap, and continues when there is space', async () => {
  const { sequencer, writers, gaps, failures, state, sound, starts } = sequencerOf();
  sequencer.start(source, null);
  sound(1000);
  await settled();
  const [first] = writers;
  if (first) first.unwrittenMs = 200;
  first?.fail(new WorkerFailure('storage-full', 'full'));
  await settled();
  expect(sequencer.hasNoStorage).toBe(true);
  sound(3000);
  sequencer.flush();
  await settled();
  expect([sequencer.hasNoStorage, sequencer.capturedMs]).toEqual([true, 4000]);
  state.hasSpace = true;
  sequencer.flush();
  sound(500);
  await settled();
  expect(sequencer.hasNoStorage).toBe(false);
  expect(await sequencer.finish()).toBe(4500);
  expect([starts(), gaps, failures]).toEqual([
    [0, 4000],
    [{ atMs: 800, durationMs: 3200, cause: 'storage-full' }],
    [],
  ]);
});

test('ends with a gap when a take ends without space', async () => {
  const { sequencer, writers, gaps, sound } = sequencerOf();
  sequencer.start(source, null);
  sound(1000);
  await settled();
  writers[0]?.fail(new WorkerFailure('storage-full', 'full'));
  await settled();
  sound(600);
  expect(await sequencer.finish()).toBe(1000);
  expect(gaps).toEqual([{ atMs: 1000, durationMs: 600, cause: 'storage-full' }]);
});

test('reports a permanent failure such as a broken encoder', async () => {
  const { sequencer, writers, failures } = sequencerOf();
  sequencer.start(source, null);
  await settled();
  writers[0]?.fail(new TypeError('broken'));
  expect(failures).toHaveLength(1);
});

test('adds the last chunks of a MediaRecorder to the closing segment, and later ones to the next', async () => {
  const { sequencer, writers } = sequencerOf();
  sequencer.start(source, null);
  await settled();
  const [first] = writers;
  if (first) first.finished = Promise.withResolvers();
  sequencer.chunk(new Uint8Array(3), false, 0);
  sequencer.cut();
  sequencer.chunk(new Uint8Array(4), true, 0);
  first?.finished.resolve();
  sequencer.start(source, null);
  sequencer.chunk(new Uint8Array(5), false, 0);
  await settled();
  expect(writers.map(({ chunks }) => chunks)).toEqual([['3', '4 last'], ['5']]);
});

test('names no gap for the rest of the last block that an encoder does not give back', async () => {
  for (const [unwrittenMs, named] of [
    [19, 0],
    [20, 1],
  ] as const) {
    const { sequencer, writers, gaps, sound } = sequencerOf();
    sequencer.start(source, null);
    await settled();
    if (writers[0]) writers[0].unwrittenMs = unwrittenMs;
    sound(1000);
    await sequencer.finish();
    expect(gaps).toHaveLength(named);
  }
});

test('names what a recorder lost in its file at its place, while it is written and once it is complete', async () => {
  const { sequencer, writers, gaps, sound } = sequencerOf();
  sequencer.start(source, { cause: 'stopped', durationMs: 1000 });
  await settled();
  sound(400);
  const [writer] = writers;
  writer?.losses.push({ atMs: 200, lostMs: 80 });
  sequencer.chunk(new Uint8Array(3), false, 0);
  const started = { atMs: 0, durationMs: 1000, cause: 'stopped' };
  const first = { atMs: 1200, durationMs: 0, cutMs: 80, cause: 'browser-busy' };
  expect(gaps).toEqual([started, first]);
  writer?.losses.push({ atMs: 390, lostMs: 8000 });
  expect(await sequencer.finish()).toBe(1400);
  expect(gaps).toEqual([started, first, { atMs: 1390, durationMs: 0, cutMs: 8000, cause: 'device-slept' }]);
});

test('names silence that is in the sound at its place, in order with sound that waits', async () => {
  const { sequencer, gaps, sound } = sequencerOf();
  sequencer.start(source, { cause: 'stopped', durationMs: 1000 });
  sound(400);
  sequencer.filled({ cause: 'browser-busy', durationMs: 50 }, 30);
  sound(200);
  await settled();
  expect(gaps.at(-1)).toEqual({ atMs: 1320, durationMs: 50, cause: 'browser-busy' });
  expect(await sequencer.finish()).toBe(1600);
});
