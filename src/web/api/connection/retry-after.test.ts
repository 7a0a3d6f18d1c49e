import { describe, expect, it } from 'vitest';
import { fetchWithRetryAfter } from './retry-after.ts';

const busy = (retryAfter: string | null) =>
  new Response('{}', { status: 429, headers: retryAfter === null ? {} : { 'retry-after': retryAfter } });

/** A server that gives these answers one after the other, and a clock whose waits pass when told. */
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

describe('a server that has too many requests', () => {
  it('is asked again after the time it names, and the caller gets that answer', async () => {
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
  ])('that names %s is believed at once', async (_name, retryAfter) => {
    const { fetch, timers } = world([busy(retryAfter)]);
    expect((await fetch('/api/tags', {})).status).toBe(429);
    expect(timers).toEqual([]);
  });

  it('is not asked for ever', async () => {
    const { fetch, timers, untilWaiting } = world(Array.from({ length: 10 }, () => busy('1')));
    const answer = fetch('/api/tags', {});
    for (let count = 1; count <= 5; count += 1) {
      await untilWaiting(count);
      timers[count - 1]?.fire();
    }
    expect((await answer).status).toBe(429);
  });

  it('is not waited for by a request that was aborted', async () => {
    const { fetch, timers, untilWaiting } = world([busy('1')]);
    const abort = new AbortController();
    const answer = fetch('/api/tags', { signal: abort.signal });
    await untilWaiting(1);
    abort.abort(new Error('left'));
    await expect(answer).rejects.toThrow('left');
    expect(timers[0]?.isStopped).toBe(true);
  });

  it('is not waited for by a sign-in: the user has to know', async () => {
    const { fetch } = world([busy('1')]);
    expect((await fetch('/auth/login', { method: 'POST', body: '{}' })).status).toBe(429);
  });
});
