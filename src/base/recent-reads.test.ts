import { expect, test, vi } from 'vitest';
import { RecentReads } from './recent-reads.ts';

function recentReads() {
  let nowMs = 0;
  const reads = new RecentReads<string, number>({ idleMs: 1000, nowMs: () => nowMs });
  const read = vi.fn<() => Promise<number>>(async () => nowMs);
  return {
    reads,
    read,
    get: (trustedMs: number) => reads.get('a', { trustedMs, read }),
    passMs: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('shares a read that is running, and reads again once the value is too old', async () => {
  const { read, get, passMs } = recentReads();
  expect(await Promise.all([get(100), get(100)])).toEqual([0, 0]);
  expect(read).toHaveBeenCalledTimes(1);
  passMs(100);
  expect(await get(100)).toBe(100);
});

test('uses a value that is trusted without end until it is forgotten', async () => {
  const { reads, read, get, passMs } = recentReads();
  await get(Infinity);
  passMs(900);
  expect(await get(Infinity)).toBe(0);
  reads.forget('a');
  expect([reads.known('a'), await get(Infinity), read.mock.calls.length]).toEqual([undefined, 900, 2]);
});

test('does not remember a read that failed', async () => {
  const { read, get } = recentReads();
  read.mockRejectedValueOnce(new Error('no database'));
  await expect(get(100)).rejects.toThrow('no database');
  expect(await get(100)).toBe(0);
});

test('reads a value that is due together with those in use that soon will be', async () => {
  let nowMs = 0;
  const reads = new RecentReads<string, string>({ idleMs: 10_000, nowMs: () => nowMs });
  const read = vi.fn<(key: string) => Promise<string>>(async (key) => key);
  const use = (key: string) => reads.getTogether(key, { trustedMs: 100, read });
  const keysRead = () => read.mock.calls.splice(0).map(([key]) => key);
  const keys = ['a', 'b', 'c', 'unused'];
  // From the second time on, a value is used for exactly its time.
  for (const key of keys) await use(key);
  nowMs = 1000;
  for (const key of ['a', 'unused']) await use(key);
  nowMs = 1030;
  await use('b');
  nowMs = 1080;
  await use('c');
  for (const key of ['a', 'b', 'c']) await use(key);
  keysRead();
  nowMs = 1099;
  await use('a');
  expect(keysRead()).toEqual([]);
  nowMs = 1100;
  await Promise.all(['a', 'b', 'c'].map((key) => use(key)));
  expect(keysRead()).toEqual(['a', 'b']);
});

test('remembers neither what was not found nor what is forgotten while it is read', async () => {
  const reads = new RecentReads<string, string | undefined>({ idleMs: 1000, nowMs: () => 0 });
  const read = vi.fn<(key: string) => Promise<string | undefined>>(async (key) => key);
  const get = (key: string) => reads.get(key, { trustedMs: Infinity, read });
  read.mockResolvedValueOnce(undefined);
  expect([await get('a'), await get('a')]).toEqual([undefined, 'a']);
  const [remembered, pending] = [await get('b'), get('c')];
  reads.forgetWhere((value) => value === 'a');
  expect([remembered, await pending]).toEqual(['b', 'c']);
  read.mockClear();
  for (const key of ['a', 'b', 'c']) await get(key);
  expect(read.mock.calls).toEqual([['a'], ['c']]);
});

test('reads again after the clock was set back', async () => {
  let nowMs = 10_000;
  const reads = new RecentReads<string, number>({ idleMs: 1000, nowMs: () => nowMs });
  const get = () => reads.get('a', { trustedMs: 100, read: async () => nowMs });
  await get();
  nowMs = 5000;
  expect(await get()).toBe(5000);
});
