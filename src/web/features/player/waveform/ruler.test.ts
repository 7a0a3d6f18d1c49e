import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rulerOf } from './ruler.ts';

const labels = (view: Parameters<typeof rulerOf>[0]) =>
  rulerOf(view)
    .ticks.filter(({ isLabelled }) => isLabelled)
    .map(({ atMs }) => atMs);

test('labels a minute on a wide screen every five seconds, with a tick every second', () => {
  const view = { startMs: 0, spanMs: 60_000, widthPx: 960 };
  expect(labels(view).slice(0, 3)).toEqual([0, 5000, 10_000]);
  expect(
    rulerOf(view)
      .ticks.slice(0, 3)
      .map(({ atMs }) => atMs),
  ).toEqual([0, 1000, 2000]);
});

test('labels half a day on a phone every three hours', () => {
  expect(labels({ startMs: 0, spanMs: 12 * 3_600_000, widthPx: 320 })).toEqual([
    0,
    3 * 3_600_000,
    6 * 3_600_000,
    9 * 3_600_000,
  ]);
});

test('shows tenths of a second at the closest zoom', () => {
  const ruler = rulerOf({ startMs: 83_450, spanMs: 1000, widthPx: 960 });
  expect(ruler.hasTenths).toBe(true);
  expect(labels({ startMs: 83_450, spanMs: 1000, widthPx: 960 })[0]).toBe(83_500);
});

test('keeps labels apart and inside, and limits the number of ticks, at every zoom and position', () => {
  const view = fc.record({
    startMs: fc.integer({ min: 0, max: 40_000_000 }),
    spanMs: fc.integer({ min: 1000, max: 43_200_000 }),
    widthPx: fc.integer({ min: 240, max: 2400 }),
  });
  fc.assert(
    fc.property(view, (shown) => {
      const { ticks } = rulerOf(shown);
      const xs = ticks.filter(({ isLabelled }) => isLabelled).map(({ x }) => x);
      expect(xs.filter((x) => x < -0.001 || x > shown.widthPx)).toEqual([]);
      expect(xs.slice(1).filter((x, index) => x - (xs[index] ?? 0) < 75.9)).toEqual([]);
      expect(ticks.length).toBeLessThanOrEqual(shown.widthPx / 10 + 2);
    }),
  );
});
