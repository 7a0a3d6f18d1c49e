import { expect, test } from 'vitest';
import { clockAt } from './take-clock.ts';

test('the clock runs with the sound', () => {
  expect(clockAt({ capturedMs: 5000, atMs: 100, isRunning: true }, 300)).toBe(5200);
});

test('the clock stands still when no sound comes any more', () => {
  expect(clockAt({ capturedMs: 5000, atMs: 100, isRunning: true }, 90_000)).toBe(5600);
});

test('the clock stands still in a pause', () => {
  expect(clockAt({ capturedMs: 5000, atMs: 100, isRunning: false }, 300)).toBe(5000);
});
