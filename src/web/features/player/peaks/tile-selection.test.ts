import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tilePoints, type PeaksLayout } from './peaks-source.ts';
import { levelFor, loudnessLevelFor, pointsBetween, tilesOf } from './tile-selection.ts';

const layoutOf = (points: number): PeaksLayout => {
  const levels = [{ points, pointsPerSecond: 100 }];
  for (let top = levels[0]; top && top.points > 1000; top = levels[0]) {
    levels.unshift({ points: Math.ceil(top.points / 4), pointsPerSecond: top.pointsPerSecond / 4 });
  }
  return { points, levels };
};
const twelveHours = layoutOf(4_320_000);

describe('selecting a level and its tiles', () => {
  test('reads at most four points per column, and at least one unless finer than the finest level', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 40_000, noNaN: true }), (msPerColumn) => {
        const pointMs = 1000 / (twelveHours.levels[levelFor(twelveHours, msPerColumn)]?.pointsPerSecond ?? 0);
        expect(
          msPerColumn / pointMs < 4 || pointMs === 1000 / (twelveHours.levels[0]?.pointsPerSecond ?? 0),
        ).toBe(true);
        expect(pointMs <= msPerColumn || pointMs === 10).toBe(true);
      }),
    );
  });

  test('needs only the coarsest levels for twelve hours on one screen', () => {
    expect(levelFor(twelveHours, 43_200_000 / 250)).toBe(0);
    expect(levelFor(twelveHours, 43_200_000 / 1000)).toBe(1);
    expect(levelFor(twelveHours, 1)).toBe(twelveHours.levels.length - 1);
  });

  test('reads the loudness of a view from few tiles, and from 16 points per column if those suffice', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 43_200_000 }),
        fc.integer({ min: 60, max: 600 }),
        (spanMs, columns) => {
          const msPerColumn = spanMs / columns;
          const level = loudnessLevelFor(twelveHours, { msPerColumn, spanMs });
          const tiles = tilesOf(pointsBetween(twelveHours, level, { fromMs: 0, toMs: spanMs }));
          expect(level).toBeGreaterThanOrEqual(levelFor(twelveHours, msPerColumn));
          expect(tiles.length).toBeLessThanOrEqual(
            Math.max(
              5,
              tilesOf(
                pointsBetween(twelveHours, levelFor(twelveHours, msPerColumn), { fromMs: 0, toMs: spanMs }),
              ).length,
            ),
          );
        },
      ),
    );
    const pointMs = (level: number) => 1000 / (twelveHours.levels[level]?.pointsPerSecond ?? 0);
    const hour = loudnessLevelFor(twelveHours, { msPerColumn: 3_600_000 / 240, spanMs: 3_600_000 });
    expect(3_600_000 / 240 / pointMs(hour)).toBeGreaterThanOrEqual(16);
  });

  test('clamps a range to the level, and covers it with tiles', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1000, max: 44_000_000 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 0, max: twelveHours.levels.length - 1 }),
        (fromMs, lengthMs, level) => {
          const range = pointsBetween(twelveHours, level, { fromMs, toMs: fromMs + lengthMs });
          const points = twelveHours.levels[level]?.points ?? 0;
          expect(range.from).toBeGreaterThanOrEqual(0);
          expect(range.to).toBeLessThanOrEqual(points);
          const tiles = tilesOf(range);
          const isCovered = (point: number) => tiles.includes(Math.floor(point / tilePoints));
          expect(
            range.to === range.from ? tiles.length === 0 : isCovered(range.from) && isCovered(range.to - 1),
          ).toBe(true);
        },
      ),
    );
  });

  test('requests no tiles for an empty recording', () => {
    expect(tilesOf(pointsBetween(layoutOf(0), 0, { fromMs: 0, toMs: 1000 }))).toEqual([]);
  });
});
