import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentsInside, notesInside, orderedWindows, spansInside } from './inside-windows.ts';

const windows = [
  { startMs: 1000, endMs: 2000 },
  { startMs: 5000, endMs: Infinity },
];

describe('what lies inside windows', () => {
  test('has only the markers inside, with times from the start of the first window', () => {
    const markers = [0, 999, 1000, 1999, 2000, 4999, 5000, 90_000].map((atMs) => ({
      atMs,
      label: `${atMs}`,
    }));
    expect(momentsInside(markers, windows)).toEqual([
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
    expect(spansInside(gaps, windows)).toEqual([
      { atMs: 900, durationMs: 100, cause: 'interrupted' },
      { atMs: 4000, durationMs: 100, cause: 'interrupted' },
    ]);
  });

  test('has the pauses inside: moments, whose length on the clock stays', () => {
    const pauses = [
      { atMs: 1500, durationMs: 60_000 },
      { atMs: 3000, durationMs: 60_000 },
    ];
    expect(momentsInside(pauses, windows)).toEqual([{ atMs: 500, durationMs: 60_000 }]);
  });

  test('has a note that starts inside, clipped, and no text of one that starts outside', () => {
    const notes = [
      { fromMs: 500, toMs: 1500, text: 'starts before' },
      { fromMs: 1800, toMs: 5500, text: 'ends after' },
      { fromMs: 1200, toMs: null, text: 'a moment' },
      { fromMs: 2000, toMs: null, text: 'outside' },
    ];
    expect(notesInside(notes, windows)).toEqual([
      { fromMs: 800, toMs: 1000, text: 'ends after' },
      { fromMs: 200, toMs: null, text: 'a moment' },
    ]);
  });
});

test('windows are in order, within the timeline, and without overlap', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ startMs: fc.integer({ min: -50, max: 1000 }), endMs: fc.integer({ min: 0, max: 1200 }) }),
      ),
      fc.integer({ min: 0, max: 1100 }),
      (given, endMs) => {
        const ordered = orderedWindows(given, endMs);
        const covers = (list: readonly { startMs: number; endMs: number }[], atMs: number) =>
          list.some((window) => atMs >= window.startMs && atMs < window.endMs);
        for (let atMs = 0.5; atMs < 1200; atMs += 1)
          expect(covers(ordered, atMs)).toBe(atMs < endMs && covers(given, atMs));
        expect(
          ordered.every(({ startMs }, index) => index === 0 || startMs > (ordered[index - 1]?.endMs ?? 0)),
        ).toBe(true);
      },
    ),
  );
});
