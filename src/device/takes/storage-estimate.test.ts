import { afterEach, expect, test, vi } from 'vitest';
import { readFreeBytes, hoursThatFit, spaceOf } from './storage-estimate.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('fits 43 hours of speech in a gigabyte, at about 23 MB an hour including peaks', () => {
  expect(hoursThatFit(1_000_000_000, 'speech')).toBe(43);
  expect(hoursThatFit(1_000_000_000, 'high')).toBeLessThan(43);
});

test('fits no hours if there is no space, and never a negative number', () => {
  expect(hoursThatFit(0, 'speech')).toBe(0);
  expect(hoursThatFit(1000, 'high')).toBe(0);
});

test('makes no forecast if the browser does not report free space', async () => {
  vi.stubGlobal('navigator', {});
  expect(await readFreeBytes()).toBeNull();
  vi.stubGlobal('navigator', { storage: { estimate: async () => ({ quota: 100, usage: 30 }) } });
  expect(await readFreeBytes()).toBe(70);
});

test('raises the urgency below ten hours, one hour and a quarter of an hour of space', () => {
  const bytesPerHour = 1_000_000_000 / 43.5;
  expect([11, 9, 0.9, 0.2].map((hours) => spaceOf(hours * bytesPerHour, 'speech')?.urgency)).toEqual([
    'enough',
    'some',
    'little',
    'almost-none',
  ]);
  expect(spaceOf(null, 'speech')).toBeNull();
  expect(spaceOf(0, 'high')).toEqual({ leftMs: 0, urgency: 'almost-none' });
});
