import { expect, test } from 'vitest';
import { minute, second } from '#base/duration.ts';
import { RunningTakes } from './running-takes.ts';

test('counts takes for a minute after their last acknowledgement, until they end', () => {
  let nowMs = 0;
  const takes = new RunningTakes(() => nowMs);
  expect(takes.figures()).toEqual({ count: 0, longestSilenceMs: null });
  takes.acknowledged('a');
  nowMs = 10 * second;
  takes.acknowledged('b');
  nowMs = 11 * second;
  expect(takes.figures()).toEqual({ count: 2, longestSilenceMs: 11 * second });
  takes.acknowledged('a');
  expect(takes.figures()).toEqual({ count: 2, longestSilenceMs: second });
  takes.ended('a');
  nowMs = minute;
  expect(takes.figures()).toEqual({ count: 1, longestSilenceMs: 50 * second });
  nowMs = 10 * second + minute;
  expect(takes.figures()).toEqual({ count: 0, longestSilenceMs: null });
});
