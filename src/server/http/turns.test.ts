import { expect, test } from 'vitest';
import { type TurnOptions, Turns } from './turns.ts';

/** Requests turns and records the order in which they start. */
function asking(turns: Turns) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    ask: async (userId: string, options: TurnOptions = {}): Promise<void> => {
      const end = await turns.take(userId, options);
      started.push(userId);
      ends.push(end);
    },
    endFirst: (): void => {
      ends.shift()?.();
    },
  };
}

test('a user has one turn at a time, and the next one goes to the user who was served longest ago', async () => {
  const { started, ask, endFirst } = asking(new Turns({ max: 2, maxWaitingPerUser: 10 }));
  const all = ['ann', 'ann', 'ann', 'bob', 'bob', 'cy'].map((userId) => ask(userId));
  await expect.poll(() => started).toEqual(['ann', 'bob']);
  for (const expected of ['cy', 'ann', 'bob', 'ann']) {
    endFirst();
    await expect.poll(() => started.at(-1)).toBe(expected);
  }
  await Promise.all(all);
});

test('the queue of one user is limited without affecting other users', async () => {
  const { started, ask } = asking(new Turns({ max: 1, maxWaitingPerUser: 2 }));
  const running = ask('ann');
  for (let count = 0; count < 2; count += 1) void ask('ann');
  await expect(ask('ann')).rejects.toMatchObject({ code: 'rate-limited' });
  void ask('bob');
  await running;
  expect(started).toEqual(['ann']);
});

test('a request aborted while waiting frees its place', async () => {
  const { started, ask, endFirst } = asking(new Turns({ max: 1, maxWaitingPerUser: 1 }));
  await ask('ann');
  const leaving = new AbortController();
  const left = ask('ann', { signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  const next = ask('ann');
  endFirst();
  await next;
  expect(started).toEqual(['ann', 'ann']);
});

test('who is first comes before all others, and has turns of its own among the first', async () => {
  const { started, ask, endFirst } = asking(new Turns({ max: 1, maxWaitingPerUser: 10 }));
  await ask('ann');
  void ask('bob');
  void ask('cy');
  void ask('dan', { isFirst: true });
  void ask('dan', { isFirst: true });
  void ask('eve', { isFirst: true });
  for (const expected of ['dan', 'eve', 'dan', 'bob', 'cy']) {
    endFirst();
    await expect.poll(() => started.at(-1)).toBe(expected);
  }
});

test('a full queue makes space for a user who has fewer waiting, and for nobody else', async () => {
  const turns = new Turns({ max: 1, maxWaitingPerUser: Infinity, maxWaiting: 3, retryAfterMs: 2000 });
  const { ask } = asking(turns);
  await ask('ann');
  const flood = ['ann', 'ann', 'ann'].map((userId) => ask(userId).catch((error: unknown) => error));
  const full = { code: 'rate-limited', retryAfterSeconds: 2 };
  await expect(ask('ann')).rejects.toMatchObject(full);
  void ask('bob');
  expect(await flood[2]).toMatchObject(full);
  await expect(ask('bob')).rejects.toMatchObject(full);
});
