import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barStepPx, columnsOf, waveStyleOf } from './columns.ts';
import { clampView, msAt, type Viewport } from './viewport.ts';

const loud = { extentOf: () => ({ lowest: -128, highest: 127 }), loudnessOf: () => 64 };
const views = fc
  .record({
    startMs: fc.double({ min: 0, max: 3_600_000, noNaN: true }),
    spanMs: fc.double({ min: 1000, max: 3_600_000, noNaN: true }),
    widthPx: fc.integer({ min: 200, max: 2000 }),
  })
  .map((view): Viewport => clampView(view, 3_600_000));

describe('columns', () => {
  test('cover the whole view without holes, one step apart', () => {
    fc.assert(
      fc.property(views, fc.constantFrom('bars' as const, 'outline' as const), (view, style) => {
        const { columns, stepPx } = columnsOf(view, style, loud);
        expect(columns[0]?.x).toBeLessThanOrEqual(1e-6);
        expect((columns.at(-1)?.x ?? 0) + stepPx).toBeGreaterThanOrEqual(view.widthPx - 1e-6);
        columns
          .slice(1)
          .forEach(({ x }, index) => expect(x - (columns[index]?.x ?? 0)).toBeCloseTo(stepPx, 4));
      }),
      { numRuns: 50 },
    );
  });

  test('read exactly the time range that they cover', () => {
    const view: Viewport = { startMs: 40_000, spanMs: 100_000, widthPx: 1000 };
    const asked: { fromMs: number; toMs: number }[] = [];
    const { columns } = columnsOf(view, 'bars', {
      ...loud,
      extentOf: (time) => {
        asked.push(time);
        return loud.extentOf();
      },
    });
    columns.forEach(({ x }, index) => {
      expect(asked[index]?.fromMs).toBeCloseTo(msAt(view, x), 6);
      expect(asked[index]?.toMs).toBeCloseTo(msAt(view, x + barStepPx), 6);
    });
  });

  test('keep their times while the view scrolls', () => {
    const moments = (startMs: number) => {
      const view = { startMs, spanMs: 100_000, widthPx: 1000 };
      return columnsOf(view, 'bars', loud).columns.map(({ x }) => Math.round(msAt(view, x)));
    };
    const [before, after] = [moments(40_000), new Set(moments(40_137))];
    expect(before.filter((moment) => after.has(moment)).length).toBeGreaterThan(240);
  });

  test('leave out parts that are not loaded', () => {
    const { columns } = columnsOf({ startMs: 0, spanMs: 10_000, widthPx: 400 }, 'bars', {
      ...loud,
      extentOf: ({ fromMs }) => (fromMs < 5000 ? loud.extentOf() : null),
    });
    expect(columns).toHaveLength(50);
  });

  test('have their loudness as bars, and none in an outline', () => {
    const view: Viewport = { startMs: 0, spanMs: 10_000, widthPx: 400 };
    const loudnessOf = (style: 'bars' | 'outline') =>
      new Set(columnsOf(view, style, loud).columns.map(({ loudness }) => loudness));
    expect(loudnessOf('bars')).toEqual(new Set([0.5]));
    expect(loudnessOf('outline')).toEqual(new Set([null]));
  });

  test('are bars for a whole recording of any length, and an outline for a close view of a long one', () => {
    expect(waveStyleOf({ startMs: 0, spanMs: 5000, widthPx: 900 }, 5000)).toBe('bars');
    expect(waveStyleOf({ startMs: 0, spanMs: 5000, widthPx: 900 }, 3_600_000)).toBe('outline');
    expect(waveStyleOf({ startMs: 0, spanMs: 600_000, widthPx: 900 }, 3_600_000)).toBe('bars');
  });
});
