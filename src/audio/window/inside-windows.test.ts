import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  momentsInside,
  notesInside,
  openPart,
  orderedWindows,
  partUntil,
  spansInside,
  withheldIn,
} from './inside-windows.ts';

const part = openPart({ startMs: 1000, endMs: Infinity }, [{ startMs: 2000, endMs: 5000 }]);

describe('what lies inside the windows of a part', () => {
  test('has only the markers inside, with times from the start of the part', () => {
    const markers = [0, 999, 1000, 1999, 2000, 4999, 5000, 90_000].map((atMs) => ({
      atMs,
      label: `${atMs}`,
    }));
    expect(momentsInside(markers, part)).toEqual([
      { atMs: 0, label: '1000' },
      { atMs: 999, label: '1999' },
      { atMs: 4000, label: '5000' },
      { atMs: 89_000, label: '90000' },
    ]);
  });

  test('has only the parts of gaps inside', () => {
    const gaps = [
      { atMs: 0, durationMs: 1000, cause: 'unknown' },
      { atMs: 1900, durationMs: 3200, cause: 'interrupted' },
    ];
    expect(spansInside(gaps, part)).toEqual([
      { atMs: 900, durationMs: 100, cause: 'interrupted' },
      { atMs: 4000, durationMs: 100, cause: 'interrupted' },
    ]);
  });

  test('has the losses inside that take no time, also where a window ends', () => {
    const cut = { durationMs: 0, cutMs: 90, cause: 'browser-busy' };
    const gaps = [999, 1000, 2000, 3000].map((atMs) => ({ ...cut, atMs }));
    expect(spansInside(gaps, part)).toEqual([
      { ...cut, atMs: 0 },
      { ...cut, atMs: 1000 },
    ]);
  });

  test('has the pauses inside: moments, whose length on the clock stays', () => {
    const pauses = [
      { atMs: 1500, durationMs: 60_000 },
      { atMs: 3000, durationMs: 60_000 },
    ];
    expect(momentsInside(pauses, part)).toEqual([{ atMs: 500, durationMs: 60_000 }]);
  });

  test('has a note that starts inside, clipped, and no text of one that starts outside', () => {
    const notes = [
      { fromMs: 500, toMs: 1500, text: 'starts before' },
      { fromMs: 1800, toMs: 5500, text: 'ends after' },
      { fromMs: 1200, toMs: null, text: 'a moment' },
      { fromMs: 2000, toMs: null, text: 'outside' },
    ];
    expect(notesInside(notes, part)).toEqual([
      { fromMs: 800, toMs: 1000, text: 'ends after' },
      { fromMs: 200, toMs: null, text: 'a moment' },
    ]);
  });
});

const spanArbitrary = fc.record({
  startMs: fc.integer({ min: -50, max: 1000 }),
  endMs: fc.integer({ min: 0, max: 1200 }),
});
const covers = (list: readonly { startMs: number; endMs: number }[], atMs: number): boolean =>
  list.some(({ startMs, endMs }) => atMs >= startMs && atMs < endMs);

test('a part is divided into what may leave and what is withheld, and nothing of the two is outside', () => {
  fc.assert(
    fc.property(
      fc.record({ startMs: fc.nat(500), endMs: fc.integer({ min: 501, max: 1200 }) }),
      fc.array(spanArbitrary, { maxLength: 6 }),
      (whole, passages) => {
        const open = openPart(whole, passages);
        for (let atMs = 0.5; atMs < 1300; atMs += 1) {
          const isWithheld = covers(passages, atMs);
          expect(covers(open.windows, atMs)).toBe(covers([whole], atMs) && !isWithheld);
          expect(covers(withheldIn(open), atMs)).toBe(covers([whole], atMs) && isWithheld);
        }
      },
    ),
  );
});

test('a passage without an end withholds the rest, and a part that starts later still has its own start', () => {
  const open = openPart({ startMs: 100, endMs: Infinity }, [{ startMs: 50, endMs: Infinity }]);
  expect(open).toEqual({ startMs: 100, endMs: Infinity, windows: [] });
  expect(withheldIn(partUntil(open, 400))).toEqual([{ startMs: 100, endMs: 400 }]);
});

test('windows are in order, within the timeline, and without overlap', () => {
  fc.assert(
    fc.property(fc.array(spanArbitrary), fc.integer({ min: 0, max: 1100 }), (given, endMs) => {
      const ordered = orderedWindows(given, endMs);
      for (let atMs = 0.5; atMs < 1200; atMs += 1)
        expect(covers(ordered, atMs)).toBe(atMs < endMs && covers(given, atMs));
      expect(
        ordered.every(({ startMs }, index) => index === 0 || startMs > (ordered[index - 1]?.endMs ?? 0)),
      ).toBe(true);
    }),
  );
});
