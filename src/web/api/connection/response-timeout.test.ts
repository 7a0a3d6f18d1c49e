import { beforeEach, expect, test, vi } from 'vitest';
import { connection, trackedFetch } from './connection.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

/** A server that accepts the connection and never responds. */
function silentServer(): AbortSignal[] {
  const signals: AbortSignal[] = [];
  vi.stubGlobal(
    'fetch',
    (_url: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        if (!signal) return;
        signals.push(signal);
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      }),
  );
  return signals;
}

test('times out a read without a response, and the server then counts as unreachable', async () => {
  const signals = silentServer();
  const answer = trackedFetch('/api/x').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answer).toBeInstanceOf(TypeError);
  expect(signals[0]?.aborted).toBe(true);
  expect(connection.getSnapshot()).toBe('gone');
});

test('never times out a request that changes something', async () => {
  silentServer();
  let isSettled = false;
  void trackedFetch('/api/x', { method: 'POST' }).finally(() => {
    isSettled = true;
  });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(isSettled).toBe(false);
});

test('rejects with the caller’s own abort reason', async () => {
  silentServer();
  const caller = new AbortController();
  const answer = trackedFetch('/api/x', { signal: caller.signal }).catch((error: unknown) => error);
  caller.abort('left the page');
  expect(await answer).toBe('left the page');
});
