import { expect, test } from 'vitest';
import { GapClock } from './gap-clock.ts';

test('a gap lasts from the last sound to the next', () => {
  const gap = new GapClock();
  gap.start('microphone-lost', 1000, false);
  expect(gap.cause).toBe('microphone-lost');
  expect(gap.end(2400)).toEqual({ cause: 'microphone-lost', durationMs: 1400 });
  expect(gap.cause).toBe(null);
  expect(gap.end(3000)).toBe(null);
});

test('the first cause of a gap is its cause', () => {
  const gap = new GapClock();
  gap.start('interrupted', 1000, false);
  gap.start('microphone-lost', 1500, false);
  expect(gap.end(2000)).toEqual({ cause: 'interrupted', durationMs: 1000 });
});

test('a pause takes no time of a gap', () => {
  const gap = new GapClock();
  gap.start('microphone-lost', 1000, false);
  gap.pause(1500);
  gap.resume(9000);
  expect(gap.end(9200)).toEqual({ cause: 'microphone-lost', durationMs: 700 });
});

test('a microphone lost while paused leaves a gap only from the moment recording goes on', () => {
  const gap = new GapClock();
  gap.start('microphone-lost', 1000, true);
  gap.resume(5000);
  expect(gap.end(5300)).toEqual({ cause: 'microphone-lost', durationMs: 300 });
  gap.start('microphone-lost', 6000, true);
  expect(gap.end(7000)).toEqual({ cause: 'microphone-lost', durationMs: 0 });
});
