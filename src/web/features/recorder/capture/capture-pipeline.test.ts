import { afterEach, expect, test, vi } from 'vitest';
import { openTrackFeed } from './capture-pipeline.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const microphone = { stream: { getAudioTracks: () => [{}] } as unknown as MediaStream };
const all = async () => true;

/** Stubs a browser whose tracks deliver the blocks that `read` enqueues, or fail. */
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

test('returns no feed if the browser cannot read tracks', async () => {
  expect(await openTrackFeed({ microphone, accepts: all })).toBe(null);
});

test('takes the rate from the first block and leaves the following blocks in the stream', async () => {
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

test('returns no feed and releases the track if the rate must be resampled or cannot be encoded', async () => {
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

test('returns no feed if the track delivers nothing for a second or fails', async () => {
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
