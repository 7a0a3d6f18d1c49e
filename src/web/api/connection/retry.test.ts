import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { retry, waitForRetry } from './retry.ts';

let network: EventTarget;
beforeEach(() => {
  vi.useFakeTimers();
  network = new EventTarget();
  vi.stubGlobal('window', network);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An attempt that fails that many times. */
function failing(times: number) {
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    if (attempts <= times) throw new Error(`failure ${attempts}`);
    return attempts;
  };
  return { attempt, attempts: () => attempts };
}

test('an attempt is repeated until it succeeds', async () => {
  const { attempt } = failing(3);
  const result = retry(attempt, () => true);
  await vi.runAllTimersAsync();
  expect(await result).toBe(4);
});

test('an error that another attempt cannot fix is thrown at once', async () => {
  const { attempt, attempts } = failing(3);
  await expect(retry(attempt, () => false)).rejects.toThrow('failure 1');
  expect(attempts()).toBe(1);
});

test('the network that comes back ends the wait', async () => {
  const { attempt, attempts } = failing(1);
  const result = retry(attempt, () => true);
  await vi.advanceTimersByTimeAsync(1);
  expect(attempts()).toBe(1);
  network.dispatchEvent(new Event('online'));
  expect(await result).toBe(2);
});

test('an abort ends the wait, and a signal that was aborted before does not start one', async () => {
  const abort = new AbortController();
  const waiting = waitForRetry(60_000, abort.signal);
  abort.abort();
  await waiting;
  await waitForRetry(60_000, abort.signal);
  expect(vi.getTimerCount()).toBe(0);
});
