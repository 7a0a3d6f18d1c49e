import { expect, test } from 'vitest';
import { selection, rangeOf } from './selection.ts';

test('builds the same range from either end, clamped to the recording', () => {
  expect(rangeOf(9000, 2000, 60_000)).toEqual({ fromMs: 2000, toMs: 9000 });
  expect(rangeOf(-500, 90_000, 60_000)).toEqual({ fromMs: 0, toMs: 60_000 });
});

test('ignores a selection that is too short to be intended', () => {
  expect(rangeOf(4000, 4049, 60_000)).toBeNull();
  expect(rangeOf(70_000, 80_000, 60_000)).toBeNull();
});

test('notifies of a changed selection once, and not when the same range is set again', () => {
  let notifications = 0;
  const stop = selection.subscribe(() => {
    notifications += 1;
  });
  selection.set({ fromMs: 1000, toMs: 2000 });
  selection.set({ fromMs: 1000, toMs: 2000 });
  expect(notifications).toBe(1);
  selection.set(null);
  expect(notifications).toBe(2);
  stop();
});
