import { describe, expect, it } from 'vitest';
import { fetchWithRetryAfter } from './retry-after.ts';

const busy = (retryAfter: string | null) =>
  new Response('{}', { status: 429, headers: retryAfter === null ? {} : { 'retry-after': retryAfter } });

/** A server that sends these responses in order, and timers that the test fires. */
function world(answers: Response[]) {
  const sent: RequestInit[] = [];
  const timers: { delayMs: number; fire: () => void; isStopped: boolean }[] = [];
  const fetch = fetchWithRetryAfter(
    async (_url, init) => {
      sent.push(init);
      return answers.shift() ?? new Response('done');
    },
    {
      isAuthCall: (url) => url.startsWith('/auth/'),
      schedule: (delayMs, fire) => {
        const timer = { delayMs, fire, isStopped: false };
        timers.push(timer);
        return () => {
          timer.isStopped = true;
        };
      },
    },
  );
  const untilWaiting = async (count: number) => {
    await expect.poll(() => timers.length).toBe(count);
  };
  return { fetch, sent, timers, untilWaiting };
}

describe('fetchWithRetryAfter', () => {
  it('retries after the time the server names and returns the later response', async () => {
    const { fetch, sent, timers, untilWaiting } = world([busy('2'), busy('1')]);
    const answer = fetch('/api/tags', { method: 'POST', body: '{"id":1}' });
    await untilWaiting(1);
    timers[0]?.fire();
    await untilWaiting(2);
    timers[1]?.fire();
    expect((await answer).status).toBe(200);
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([2000, 1000]);
    expect(sent.map(({ body }) => body)).toEqual(['{"id":1}', '{"id":1}', '{"id":1}']);
  });

  it.each([
    ['no time', null],
    ['a long time', '600'],
    ['a date', 'Wed, 25 Nov 2026 03:00:00 GMT'],
  ])('returns a 429 that names %s without waiting', async (_name, retryAfter) => {
    const { fetch, timers } = world([busy(retryAfter)]);
    expect((await fetch('/api/tags', {})).status).toBe(429);
    expect(timers).toEqual([]);
  });

  it('stops retrying after five waits', async () => {
    const { fetch, timers, untilWaiting } = world(Array.from({ length: 10 }, () => busy('1')));
    const answer = fetch('/api/tags', {});
    for (let count = 1; count <= 5; count += 1) {
      await untilWaiting(count);
      timers[count - 1]?.fire();
    }
    expect((await answer).status).toBe(429);
  });

  it('stops waiting when the request is aborted', async () => {
    const { fetch, timers, untilWaiting } = world([busy('1')]);
    const abort = new AbortController();
    const answer = fetch('/api/tags', { signal: abort.signal });
    await untilWaiting(1);
    abort.abort(new Error('left'));
    await expect(answer).rejects.toThrow('left');
    expect(timers[0]?.isStopped).toBe(true);
  });

  it('does not wait for a sign-in, so that the user learns of it', async () => {
    const { fetch } = world([busy('1')]);
    expect((await fetch('/auth/login', { method: 'POST', body: '{}' })).status).toBe(429);
  });
});
