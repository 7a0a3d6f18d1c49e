import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connection, trackedFetch } from './connection.ts';
import { fetchEarly, peekEarlyResponse } from './early-responses.ts';

const answerOf = (text: string) =>
  Promise.resolve(new Response(text, { headers: { 'content-type': 'application/json' } }));
let asked: string[];
let answer: (address: string) => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  answer = (address) => answerOf(`${address} ${asked.length}`);
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return answer(address);
  });
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const textAt = async (address: string, init?: RequestInit) => (await trackedFetch(address, init)).text();

describe('an early response', () => {
  it('is used by the first request for its URL, and only by that one', async () => {
    fetchEarly(['/auth/session']);
    expect(await textAt('/auth/session')).toBe('/auth/session 1');
    expect(connection.getSnapshot()).toBe('there');
    expect(await textAt('/auth/session')).toBe('/auth/session 2');
  });

  it('is not reused if it was an error', async () => {
    answer = () =>
      Promise.resolve(
        new Response('{"code":"session-required","instance":"urn:uuid:1"}', {
          status: 401,
          headers: { 'content-type': 'application/problem+json' },
        }),
      );
    fetchEarly(['/api/recordings']);
    await vi.advanceTimersByTimeAsync(0);
    answer = (address) => answerOf(`${address} ${asked.length}`);
    expect(await textAt('/api/recordings')).toBe('/api/recordings 2');
  });

  it('can be peeked at before it is claimed', async () => {
    fetchEarly(['/api/recordings']);
    const looked = peekEarlyResponse('/api/recordings');
    expect(await textAt('/api/recordings')).toBe('/api/recordings 1');
    expect(await (await looked)?.text()).toBe('/api/recordings 1');
    expect(await peekEarlyResponse('/api/other')).toBeNull();
  });

  it('is used neither for a change nor for another URL', async () => {
    fetchEarly(['/api/recordings']);
    expect(await textAt('/api/recordings', { method: 'POST' })).toBe('/api/recordings 2');
    expect(await textAt('/api/recordings?limit=2')).toBe('/api/recordings?limit=2 3');
    expect(await textAt('/api/recordings', { method: 'GET' })).toBe('/api/recordings 1');
  });

  it('is requested again if the early request failed', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    fetchEarly(['/auth/session']);
    await vi.advanceTimersByTimeAsync(1);
    answer = () => answerOf('there after all');
    expect(await textAt('/auth/session')).toBe('there after all');
  });

  it('rejects a request that waits for it, and the server then counts as unreachable', async () => {
    answer = () =>
      new Promise((_, reject) => {
        setTimeout(() => {
          reject(new TypeError('Failed to fetch'));
        }, 100);
      });
    fetchEarly(['/auth/session']);
    const [failure] = await Promise.all([
      textAt('/auth/session').catch((error: unknown) => error),
      vi.advanceTimersByTimeAsync(100),
    ]);
    expect(failure).toBeInstanceOf(TypeError);
    expect(connection.getSnapshot()).toBe('gone');
  });

  it('expires after ten seconds, so that stale data is never served', async () => {
    fetchEarly(['/auth/session']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await textAt('/auth/session')).toBe('/auth/session 2');
  });
});
