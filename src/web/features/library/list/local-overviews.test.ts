import { expect, test, vi } from 'vitest';
import { createLocalOverviews } from './local-overviews.ts';

test("computes a take's thumbnail once, and again when the take has grown", async () => {
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

test("shows an empty thumbnail instead of an error for a take that can't be read", async () => {
  const overviews = createLocalOverviews(() => Promise.reject(new Error('gone')));
  expect(await overviews({ id: 'a', durationMs: 20 })).toHaveLength(0);
});
