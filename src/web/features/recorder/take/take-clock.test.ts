import { expect, test } from 'vitest';
import { clockAt } from './take-clock.ts';

test('advances while audio is captured', () => {
  expect(clockAt({ capturedMs: 5000, atMs: 100, isRunning: true }, 300)).toBe(5200);
});

test('stops when no more audio is captured', () => {
  expect(clockAt({ capturedMs: 5000, atMs: 100, isRunning: true }, 90_000)).toBe(5600);
});

test('stops during a pause', () => {
  expect(clockAt({ capturedMs: 5000, atMs: 100, isRunning: false }, 300)).toBe(5000);
});
