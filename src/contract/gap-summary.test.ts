import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listedGaps, summarizeGaps } from './gap-summary.ts';
import type { Gap } from './recordings.ts';

const gap = (atMs: number, durationMs: number, cause: Gap['cause'] = 'browser-busy'): Gap => ({
  atMs,
  durationMs,
  cause,
});

describe('the summary of gaps', () => {
  test('calls a recording complete if less than 100 ms are missing, in however many places', () => {
    expect(summarizeGaps([])).toEqual({
      isComplete: true,
      missingMs: 0,
      silentMs: 0,
      places: 0,
      cause: null,
    });
    expect(summarizeGaps([gap(0, 6)])).toMatchObject({ isComplete: true, missingMs: 6, places: 1 });
    expect(summarizeGaps([gap(0, 49), gap(100, 50)])).toMatchObject({ isComplete: true, missingMs: 99 });
    expect(summarizeGaps([gap(0, 50), gap(100, 50)])).toMatchObject({ isComplete: false, missingMs: 100 });
  });

  test('names the cause only if it is the same everywhere', () => {
    expect(summarizeGaps([gap(0, 500), gap(900, 500)]).cause).toBe('browser-busy');
    expect(summarizeGaps([gap(0, 500), gap(900, 500, 'device-slept')]).cause).toBe(null);
  });

  test('counts overlapping sound once, and gaps that touch as one place', () => {
    expect(summarizeGaps([gap(500, 1000), gap(0, 1000), gap(1500, 100)])).toMatchObject({
      missingMs: 1600,
      places: 1,
    });
  });
});

describe('a loss that takes no time', () => {
  const cut = (atMs: number, cutMs: number): Gap => ({ atMs, durationMs: 0, cutMs, cause: 'browser-busy' });

  test('is missing, in a place of its own, without silence', () => {
    expect(summarizeGaps([cut(2000, 80), gap(500, 300), cut(4000, 90)])).toEqual({
      isComplete: false,
      missingMs: 470,
      silentMs: 300,
      places: 3,
      cause: 'browser-busy',
    });
    expect(summarizeGaps([cut(2000, 60)]).isComplete).toBe(true);
  });

  test('is listed with others close to it by what is missing', () => {
    expect(listedGaps([cut(2000, 80), cut(4000, 90), cut(5000, 700)])).toMatchObject([
      { atMs: 2000, durationMs: 0, missingMs: 170, untilMs: 4000 },
      { atMs: 5000, missingMs: 700 },
    ]);
  });
});

describe('the list of gaps', () => {
  test('joins small pieces of a busy browser to a stretch with their sum and where it ends', () => {
    const pieces = [gap(1000, 60), gap(5000, 150), gap(12_950, 50)];
    expect(listedGaps(pieces)).toEqual([{ ...gap(1000, 260), pieces, missingMs: 260, untilMs: 13_000 }]);
  });

  test('lists longer gaps, other causes and pieces that are far apart separately', () => {
    const gaps = [gap(0, 60), gap(1000, 300), gap(2000, 60, 'unknown'), gap(3000, 60), gap(18_061, 60)];
    expect(listedGaps(gaps).map(({ pieces }) => pieces.length)).toEqual([1, 1, 1, 1, 1]);
  });

  test('loses and invents nothing', () => {
    const gaps = fc.array(
      fc.record({
        atMs: fc.nat(100_000),
        durationMs: fc.nat(600),
        cause: fc.constantFrom<Gap['cause']>('browser-busy', 'unknown'),
      }),
    );
    fc.assert(
      fc.property(gaps, (given) => {
        const listed = listedGaps(given);
        expect(listed.flatMap(({ pieces }) => pieces)).toEqual(given.toSorted((a, b) => a.atMs - b.atMs));
        for (const { durationMs, pieces } of listed)
          expect(durationMs).toBe(pieces.reduce((sum, piece) => sum + piece.durationMs, 0));
      }),
    );
  });
});
