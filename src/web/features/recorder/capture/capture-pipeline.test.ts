import { afterEach, expect, test, vi } from 'vitest';
import { openTrackFeed } from './capture-pipeline.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const microphone = { stream: { getAudioTracks: () => [{}] } as unknown as MediaStream };
const all = async () => true;

/** A browser whose tracks give blocks of these rates, or break. */
function browserWith(read: (controller: ReadableStreamDefaultController<AudioData>) => void) {
  const state = { isCancelled: false, closed: 0 };
  vi.stubGlobal(
    'MediaStreamTrackProcessor',
    class {
      readonly readable = new ReadableStream<AudioData>({
        start: read,
        cancel: () => {
          state.isCancelled = true;
        },
      });
    },
  );
  return state;
}

// Node has no AudioData.
const blockOf = (sampleRate: number, state: { closed: number }) =>
  ({
    sampleRate,
    close: () => {
      state.closed += 1;
    },
  }) as unknown as AudioData;

test('a browser without a way to read a track is told at once', async () => {
  expect(await openTrackFeed({ microphone, accepts: all })).toBe(null);
});

test('the first block says the rate, and whoever comes next reads on behind it', async () => {
  const counted = { closed: 0 };
  browserWith((controller) => {
    for (let n = 0; n < 3; n += 1) controller.enqueue(blockOf(44_100, counted));
    controller.close();
  });
  const feed = await openTrackFeed({ microphone, accepts: all });
  expect(feed?.sampleRateHz).toBe(44_100);
  expect(counted.closed).toBe(1);
  const rest = [];
  if (feed !== null && 'getReader' in feed.pcm) for await (const block of feed.pcm) rest.push(block);
  expect(rest).toHaveLength(2);
});

test('a rate that has to be resampled, or that cannot be encoded, is left to the worklet, and the track is let go', async () => {
  for (const [rateHz, accepts] of [
    [16_000, all],
    [48_000, async () => false],
  ] as const) {
    const state = browserWith((controller) => {
      controller.enqueue(blockOf(rateHz, { closed: 0 }));
    });
    expect(await openTrackFeed({ microphone, accepts })).toBe(null);
    expect(state.isCancelled).toBe(true);
  }
});

test('a track that gives nothing for a second, or breaks, is left to the worklet', async () => {
  vi.useFakeTimers();
  const state = browserWith(() => {});
  const opening = openTrackFeed({ microphone, accepts: all });
  await vi.advanceTimersByTimeAsync(1000);
  expect(await opening).toBe(null);
  expect(state.isCancelled).toBe(true);
  browserWith((controller) => {
    controller.error(new Error('no sound'));
  });
  expect(await openTrackFeed({ microphone, accepts: all })).toBe(null);
});
