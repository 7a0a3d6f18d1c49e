import { expect, test } from 'vitest';
import { GapClock } from './gap-clock.ts';

test('measures a gap from the last sound to the next', () => {
  const gap = new GapClock();
  gap.start('microphone-lost', 1000, false);
  expect(gap.cause).toBe('microphone-lost');
  expect(gap.end(2400)).toEqual({ cause: 'microphone-lost', durationMs: 1400 });
  expect(gap.cause).toBe(null);
  expect(gap.end(3000)).toBe(null);
});

test('keeps the first cause of a gap', () => {
  const gap = new GapClock();
  gap.start('interrupted', 1000, false);
  gap.start('microphone-lost', 1500, false);
  expect(gap.end(2000)).toEqual({ cause: 'interrupted', durationMs: 1000 });
});

test('does not count a pause as part of a gap', () => {
  const gap = new GapClock();
  gap.start('microphone-lost', 1000, false);
  gap.pause(1500);
  gap.resume(9000);
  expect(gap.end(9200)).toEqual({ cause: 'microphone-lost', durationMs: 700 });
});

test('counts the gap of a microphone lost during a pause only from the resume', () => {
  const gap = new GapClock();
  gap.start('microphone-lost', 1000, true);
  gap.resume(5000);
  expect(gap.end(5300)).toEqual({ cause: 'microphone-lost', durationMs: 300 });
  gap.start('microphone-lost', 6000, true);
  expect(gap.end(7000)).toEqual({ cause: 'microphone-lost', durationMs: 0 });
});
