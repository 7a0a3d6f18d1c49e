import { expect, test } from 'vitest';
import { AttentiveClock, StallWatch } from './stall-watch.ts';

test('reports a second without sound once, and again after sound has arrived', () => {
  const watch = new StallWatch();
  const told = (fromMs: number, toMs: number) => {
    const moments: number[] = [];
    for (let nowMs = fromMs; nowMs <= toMs; nowMs += 100) if (watch.hasStalled(nowMs)) moments.push(nowMs);
    return moments;
  };
  expect(told(0, 3000)).toEqual([1000]);
  watch.reset();
  expect(told(3100, 4000)).toEqual([]);
  expect(told(4100, 6000)).toEqual([4100]);
});

test('does not count time while the worker was frozen', () => {
  let nowMs = 0;
  const clock = new AttentiveClock(() => nowMs);
  nowMs = 100;
  expect(clock.nowMs()).toBe(100);
  nowMs = 60_000;
  expect(clock.nowMs()).toBe(350);
});
