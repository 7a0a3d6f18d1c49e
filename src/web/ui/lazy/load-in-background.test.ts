import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadInBackground } from './load-in-background.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('code that cannot be loaded is loaded again every 30 seconds until it has loaded', async () => {
  let attempts = 0;
  const loaded = loadInBackground(async () => {
    attempts += 1;
    await Promise.resolve();
    if (attempts < 3) throw new TypeError('Failed to fetch dynamically imported module');
    return 'code';
  });
  await vi.advanceTimersByTimeAsync(29_999);
  expect(attempts).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(attempts).toBe(2);
  await vi.advanceTimersByTimeAsync(30_000);
  await expect(loaded).resolves.toBe('code');
  await vi.advanceTimersByTimeAsync(90_000);
  expect(attempts).toBe(3);
});
