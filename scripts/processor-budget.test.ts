import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileBudgets, fileBudgetSeconds } from '#tests/processor-budgets.ts';
import { isolatedFiles } from '#tests/tiers.ts';
import { grownMost, overBudget, slownessOf } from './processor-budget.ts';

const time = (file: string, processorMs: number) => ({ file, processorMs, wallMs: 1 });

test('names a file that used more than its budget, and none that used less', () => {
  const times = [time('a.test.ts', 5001), time('b.test.ts', 4999), time('c.test.ts', 8000)];
  expect(overBudget(times, { budgets: { 'c.test.ts': { seconds: 9 } } })).toEqual([
    'a.test.ts used 5.0 of 5 processor seconds',
  ]);
});

test('allows a slower machine as much more time as its median file takes, and no file more than that', () => {
  const accepted = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.test.ts`, 2]));
  const times = Object.keys(accepted).map((file, index) => time(file, index < 4 ? 14_000 : 4200));
  const slowness = slownessOf(times, accepted);
  expect(slowness).toBeCloseTo(2.1);
  expect(overBudget(times, { budgets: {}, slowness })).toEqual(
    [0, 1, 2, 3].map((index) => `${index}.test.ts used 6.7 of 5 processor seconds`),
  );
});

test('never allows a fast machine less, nor a few files or an endless slowness more', () => {
  const accepted = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.test.ts`, 2]));
  const all = (processorMs: number) => Object.keys(accepted).map((file) => time(file, processorMs));
  expect([slownessOf(all(900), accepted), slownessOf(all(60_000), accepted)]).toEqual([1, 3]);
  expect(slownessOf(all(6000).slice(0, 5), accepted)).toBe(1);
});

test('lists the ten files that grew most, and a new file with all of its time', () => {
  const files = Array.from({ length: 12 }, (_, index) => time(`${index}.test.ts`, 1000 + index * 100));
  const accepted = Object.fromEntries(files.slice(0, 11).map(({ file }) => [file, 1]));
  const grown = grownMost(files, accepted);
  expect(grown.map(({ file }) => file)).toEqual([
    '11.test.ts',
    ...Array.from({ length: 9 }, (_, index) => `${10 - index}.test.ts`),
  ]);
  expect(grown[0]).toEqual({ file: '11.test.ts', fromMs: 0, toMs: 2100 });
});

test('every exception is a file that exists, has a reason, and allows more than other files have', () => {
  for (const [file, { seconds, reason }] of Object.entries(fileBudgets)) {
    expect([file, existsSync(file), reason.length > 10]).toEqual([file, true, true]);
    expect(seconds).toBeGreaterThan(fileBudgetSeconds);
  }
  for (const [file, reason] of Object.entries(isolatedFiles))
    expect([file, existsSync(file), reason.length > 10]).toEqual([file, true, true]);
});
