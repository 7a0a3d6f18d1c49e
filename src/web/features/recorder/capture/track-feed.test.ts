import { afterEach, expect, test, vi } from 'vitest';
import { openTrackFeed } from './track-feed.ts';

afterEach(() => {
  vi.unstubAllGlobals();
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

test('returns nothing if the browser cannot read tracks', () => {
  expect(openTrackFeed({ microphone, accepts: all })).toBe(null);
});

test('takes the rate from the first block, and hands it on with the following blocks', async () => {
  const counted = { closed: 0 };
  browserWith((controller) => {
    for (let n = 0; n < 3; n += 1) controller.enqueue(blockOf(44_100, counted));
    controller.close();
  });
  const feed = await openTrackFeed({ microphone, accepts: all })?.feed;
  expect([feed?.sampleRateHz, feed?.first.sampleRate, counted.closed]).toEqual([44_100, 44_100, 0]);
  const rest = [];
  if (feed && 'getReader' in feed.pcm) for await (const block of feed.pcm) rest.push(block);
  expect(rest).toHaveLength(2);
});

test('releases the track if the rate must be resampled or cannot be encoded', async () => {
  for (const [rateHz, accepts] of [
    [16_000, all],
    [48_000, async () => false],
  ] as const) {
    const counted = { closed: 0 };
    const state = browserWith((controller) => {
      controller.enqueue(blockOf(rateHz, counted));
    });
    expect(await openTrackFeed({ microphone, accepts })?.feed).toBe(null);
    expect([state.isCancelled, counted.closed]).toEqual([true, 1]);
  }
});

test('waits for the first block without a time limit, until it is closed', async () => {
  const state = browserWith(() => {});
  const opening = openTrackFeed({ microphone, accepts: all });
  opening?.close();
  expect(await opening?.feed).toBe(null);
  expect(state.isCancelled).toBe(true);
});

test('has no feed if the track fails', async () => {
  browserWith((controller) => {
    controller.error(new Error('no sound'));
  });
  expect(await openTrackFeed({ microphone, accepts: all })?.feed).toBe(null);
});
