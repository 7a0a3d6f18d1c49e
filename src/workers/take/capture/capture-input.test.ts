import { expect, test } from 'vitest';
import type { PcmBlock } from '#workers/capture/messages.ts';
import type { PlacedBlock } from './frame-clock.ts';
import { type ReceivedBlock, CaptureInput } from './capture-input.ts';

const rateHz = 48_000;
const frames = 480;

/** A track as a browser transfers it: 10 ms blocks with capture timestamps. */
function trackSource() {
  const now = { ms: 0 };
  const placed: PlacedBlock<ReceivedBlock>[] = [];
  const state = { isReleased: false, open: 0 };
  let controller: ReadableStreamDefaultController<AudioData> | null = null;
  const pcm = new ReadableStream<AudioData>(
    {
      start: (one) => {
        controller = one;
      },
      cancel: () => {
        state.isReleased = true;
      },
    },
    { highWaterMark: 1000 },
  );
  const source = new CaptureInput(
    { kind: 'pcm', pcm, sampleRateHz: rateHz, channels: 2, deviceLabel: null },
    {
      nowMs: () => now.ms,
      onBlock: () => {},
      onPlaced: (_source, one) => {
        placed.push(one);
      },
    },
  );
  const give = async (takenAtMs: number, sampleRate = rateHz) => {
    now.ms = takenAtMs + 15;
    state.open += 1;
    const data = {
      numberOfFrames: frames,
      numberOfChannels: 2,
      sampleRate,
      timestamp: takenAtMs * 1000,
      copyTo: (samples: Float32Array, { planeIndex }: AudioDataCopyToOptions) => {
        samples.fill(planeIndex + 1);
      },
      close: () => {
        state.open -= 1;
      },
    };
    // Node has no AudioData.
    controller?.enqueue(data as unknown as AudioData);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  };
  return { source, placed, state, give, end: () => controller?.close() };
}

test('reports sound that a track did not deliver as lost at its position, however short', async () => {
  const { source, placed, give, state } = trackSource();
  source.listen();
  for (let ms = 0; ms < 500; ms += 10) await give(ms);
  for (let ms = 575; ms < 1200; ms += 10) await give(ms);
  source.close();
  expect(
    placed.flatMap(({ lostMs }, index) => (lostMs > 0 ? [{ index, lostMs: Math.round(lostMs) }] : [])),
  ).toEqual([{ index: 50, lostMs: 75 }]);
  expect(placed).toHaveLength(50 + 63);
  expect(placed[0]?.block.channels.map((samples) => samples[7])).toEqual([1, 2]);
  expect(state.open).toBe(0);
});

test('delivers the blocks queued in a track first', async () => {
  const { source, placed, give } = trackSource();
  for (let ms = 0; ms < 300; ms += 10) await give(ms);
  source.listen();
  for (let ms = 300; ms < 600; ms += 10) await give(ms);
  source.close();
  expect(placed).toHaveLength(60);
  expect(placed.every(({ lostMs }) => lostMs === 0)).toBe(true);
});

test('cancels the track when the source is closed', async () => {
  const { source, state } = trackSource();
  source.listen();
  source.close();
  expect(state.isReleased).toBe(true);
});

test('ignores blocks with a sample rate other than the source declared', async () => {
  const { source, placed, give } = trackSource();
  source.listen();
  for (let ms = 0; ms < 200; ms += 10) await give(ms);
  for (let ms = 200; ms < 400; ms += 10) await give(ms, 16_000);
  source.close();
  expect(placed).toHaveLength(20);
});

test.each([
  { name: 'two channels in opposite phase', channels: 1, delivered: [0.5, -0.5], level: 0.5 },
  { name: 'the third of four channels, in stereo', channels: 2, delivered: [0, 0, 0.8, 0], level: 0.2 },
  { name: 'one channel, in stereo', channels: 2, delivered: [0.5], level: 0.5 },
])('the meter sees what is recorded of $name', ({ channels, delivered, level }) => {
  const port = { onmessage: null as ((event: { data: PcmBlock }) => void) | null, close: () => {} };
  const metered: number[][] = [];
  const recorded: number[][] = [];
  const firstOf = (all: readonly Float32Array[]) => all.map((samples) => samples[7] ?? 0);
  const input = new CaptureInput(
    // The worklet's side of the port is all that a source uses of it.
    { kind: 'pcm', pcm: port as unknown as MessagePort, sampleRateHz: rateHz, channels, deviceLabel: null },
    {
      nowMs: () => 0,
      onBlock: (all) => {
        metered.push(firstOf(all));
      },
      onPlaced: (_source, { block }) => {
        recorded.push(firstOf(block.channels));
      },
    },
  );
  input.listen();
  port.onmessage?.({
    data: {
      type: 'pcm',
      frame: 0,
      channels: delivered.map((sample) => new Float32Array(frames).fill(sample)),
    },
  });
  input.close();
  expect(recorded).toEqual([Array.from({ length: channels }, () => expect.closeTo(level, 5))]);
  expect(metered).toEqual(recorded);
});
