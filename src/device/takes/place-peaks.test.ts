import { expect, test } from 'vitest';
import { placePeaks } from './place-peaks.ts';

const loud = (points: number): Int8Array => new Int8Array(points * 2).fill(100);

test('places peaks where their segment begins, with silence in the gap', () => {
  const timeline = placePeaks([
    { startMs: 0, points: loud(2) },
    { startMs: 50, points: loud(1) },
  ]);
  expect([...timeline]).toEqual([100, 100, 100, 100, 0, 0, 0, 0, 0, 0, 100, 100]);
});

test('drops half a point at the end of a torn file', () => {
  expect(placePeaks([{ startMs: 0, points: new Int8Array([1, 2, 3]) }])).toHaveLength(2);
});

test('returns no peaks for a take without peaks', () => {
  expect(placePeaks([])).toHaveLength(0);
});
