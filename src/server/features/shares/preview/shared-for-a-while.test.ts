import { expect, test } from 'vitest';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { sharedForAWhile } from './shared-for-a-while.ts';

const start = () => {
  const clock = fakeClock();
  let count = 0;
  const make = async () => {
    await Promise.resolve();
    count += 1;
    return count;
  };
  return { clock, make, valueOf: sharedForAWhile<number>({ clock, forMs: 1000, max: 2 }) };
};

test('simultaneous callers and those of the time after share one value', async () => {
  const { clock, make, valueOf } = start();
  const values = await Promise.all(Array.from({ length: 20 }, () => valueOf('a', make)));
  expect(new Set(values)).toEqual(new Set([1]));
  clock.advance(999);
  expect(await valueOf('a', make)).toBe(1);
  clock.advance(1);
  expect(await valueOf('a', make)).toBe(2);
});

test('the least recently used value makes place, and a failure is not stored', async () => {
  const { make, valueOf } = start();
  for (const key of ['a', 'b', 'a', 'c']) await valueOf(key, make);
  expect([await valueOf('a', make), await valueOf('b', make)]).toEqual([1, 4]);
  const failing = () => Promise.reject(new Error('no peaks'));
  await expect(Promise.all([valueOf('d', failing), valueOf('d', make)])).rejects.toThrow('no peaks');
  expect(await valueOf('d', make)).toBe(5);
});
