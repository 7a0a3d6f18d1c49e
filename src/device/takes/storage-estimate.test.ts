import { afterEach, expect, test, vi } from 'vitest';
import { readFreeBytes, hoursThatFit, spaceOf } from './storage-estimate.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('an hour of speech takes about 23 MB with its peaks, so a gigabyte holds 43 of them', () => {
  expect(hoursThatFit(1_000_000_000, 'speech')).toBe(43);
  expect(hoursThatFit(1_000_000_000, 'high')).toBeLessThan(43);
});

test('no room is no hours, never fewer', () => {
  expect(hoursThatFit(0, 'speech')).toBe(0);
  expect(hoursThatFit(1000, 'high')).toBe(0);
});

test('a browser that does not say how much room there is gets no forecast', async () => {
  vi.stubGlobal('navigator', {});
  expect(await readFreeBytes()).toBeNull();
  vi.stubGlobal('navigator', { storage: { estimate: async () => ({ quota: 100, usage: 30 }) } });
  expect(await readFreeBytes()).toBe(70);
});

test('little room is said quietly under ten hours, as a warning under one, loudly under a quarter of one', () => {
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
