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
