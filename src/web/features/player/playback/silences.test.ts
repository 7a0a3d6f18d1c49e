import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silenceLengthOf, silencesOf, silenceThreshold } from './silences.ts';

/** Peaks of the given loudness, for the given number of points of 10 ms. */
const peaks = (...parts: readonly [loudness: number, points: number][]): Int8Array =>
  Int8Array.from(
    parts.flatMap(([loudness, points]) => Array.from({ length: points }, () => [-loudness, loudness])).flat(),
  );

test('skips a pause of at least 600 ms, except 150 ms on each side', () => {
  expect(silencesOf(peaks([60, 100], [1, 200], [60, 100]))).toEqual([{ fromMs: 1150, toMs: 2850 }]);
});

test('does not skip a pause shorter than 600 ms', () => {
  expect(silencesOf(peaks([60, 100], [0, 59], [60, 100]))).toEqual([]);
  expect(silencesOf(peaks([60, 100], [0, 60], [60, 100]))).toEqual([{ fromMs: 1150, toMs: 1450 }]);
});

test('has no outer padding at the start and the end of the recording', () => {
  expect(silencesOf(peaks([0, 100], [60, 300], [0, 100]))).toEqual([
    { fromMs: 0, toMs: 850 },
    { fromMs: 4150, toMs: 5000 },
  ]);
});

test('plays a single loud point in a pause, with its padding', () => {
  expect(silencesOf(peaks([60, 100], [0, 100], [50, 1], [0, 100], [60, 100]))).toEqual([
    { fromMs: 1150, toMs: 1850 },
    { fromMs: 2160, toMs: 2860 },
  ]);
});

test('adapts the threshold to room noise, but never treats speech as silence', () => {
  expect(silenceThreshold(peaks([3, 300], [60, 700]))).toBe(6);
  expect(silenceThreshold(peaks([40, 1000]))).toBe(8);
  expect(silenceThreshold(peaks([0, 900], [60, 100]))).toBe(2);
  expect(silencesOf(peaks([40, 1000]))).toEqual([]);
});

test('never skips anything above the threshold, and never skips less than 300 ms', () => {
  const part = fc.tuple(fc.integer({ min: 0, max: 127 }), fc.integer({ min: 1, max: 200 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const points = peaks(...parts);
      const threshold = silenceThreshold(points);
      const silences = silencesOf(points, threshold);
      for (const { fromMs, toMs } of silences) {
        expect(toMs - fromMs).toBeGreaterThanOrEqual(300);
        for (let point = fromMs / 10; point < toMs / 10; point += 1)
          expect(points[point * 2 + 1]).toBeLessThanOrEqual(threshold);
      }
      expect(silenceLengthOf(silences)).toBeLessThanOrEqual(points.length * 5);
    }),
  );
});
