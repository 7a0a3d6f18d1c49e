import { expect, test } from 'vitest';
import { buildPyramid } from '#audio/peaks/peaks-pyramid.ts';
import { barsOf, loudnessOf, overviewBytes } from './bars.ts';

test('reads the loudness of 12 hours from the first bytes of their peaks', () => {
  const points = new Int8Array(12 * 360_000 * 2);
  points[0] = -127;
  const loudness = loudnessOf(buildPyramid(points).subarray(0, overviewBytes));
  expect(loudness.length).toBeGreaterThan(250);
  expect(loudness.length).toBeLessThanOrEqual(1000);
  expect([loudness[0], loudness[1]]).toEqual([1, 0]);
});

test('reads nothing from bytes that are not peaks, or are cut off', () => {
  expect(loudnessOf(new Uint8Array(5000))).toEqual([]);
  expect(loudnessOf(buildPyramid(new Int8Array(200)).subarray(0, 300))).toEqual([]);
});

test('draws each share of the time by its loudest moment, and few points as many bars', () => {
  expect(barsOf([0.1, 0.9, 0.2, 0.3], 2)).toEqual([0.9, 0.3]);
  expect(barsOf([0.5, 1], 4)).toEqual([0.5, 0.5, 1, 1]);
  expect(barsOf([], 3)).toEqual([]);
});
