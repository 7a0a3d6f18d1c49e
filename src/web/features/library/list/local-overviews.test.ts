import { expect, test, vi } from 'vitest';
import { createLocalOverviews } from './local-overviews.ts';

test('the thumbnail of a take is worked out from its peaks once, and again when the take has grown', async () => {
  const readPeaks = vi.fn<(takeId: string) => Promise<Int8Array>>(
    async () => new Int8Array([-10, 20, -90, 80]),
  );
  const overviews = createLocalOverviews(readPeaks);
  const first = overviews({ id: 'a', durationMs: 20 });
  expect(overviews({ id: 'a', durationMs: 20 })).toBe(first);
  expect(await first).toEqual(new Uint8Array([20, 90]));
  expect(readPeaks).toHaveBeenCalledTimes(1);
  await overviews({ id: 'a', durationMs: 30 });
  expect(readPeaks).toHaveBeenCalledTimes(2);
});

test('a take that cannot be read has an empty thumbnail, not an error', async () => {
  const overviews = createLocalOverviews(() => Promise.reject(new Error('gone')));
  expect(await overviews({ id: 'a', durationMs: 20 })).toHaveLength(0);
});
