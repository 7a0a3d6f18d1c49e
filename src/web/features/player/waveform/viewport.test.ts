import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clampView, fitView, followView, msAt, xOf, zoomView, type Viewport } from './viewport.ts';

const day = 86_400_000;
const duration = fc.integer({ min: 1, max: day });
const view = (durationMs: number): fc.Arbitrary<Viewport> =>
  fc
    .record({
      startMs: fc.double({ min: 0, max: durationMs, noNaN: true }),
      spanMs: fc.double({ min: 1, max: durationMs, noNaN: true }),
      widthPx: fc.integer({ min: 100, max: 4000 }),
    })
    .map((any) => clampView(any, durationMs));
const scene = duration.chain((durationMs) =>
  fc.record({
    durationMs: fc.constant(durationMs),
    view: view(durationMs),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

describe('the geometry of a waveform', () => {
  test('maps a moment to a position and back with an error below a microsecond in a day', () => {
    fc.assert(
      fc.property(scene, ({ view: shown, at }) => {
        const atMs = shown.startMs + at * shown.spanMs;
        expect(Math.abs(msAt(shown, xOf(shown, atMs)) - atMs)).toBeLessThan(0.001);
      }),
    );
  });

  test('maps the left edge to the start and the right edge to the end', () => {
    const shown = fitView({ startMs: 5, spanMs: 9, widthPx: 800 }, 60_000);
    expect(msAt(shown, 0)).toBe(0);
    expect(msAt(shown, 800)).toBe(60_000);
    expect(xOf(shown, 30_000)).toBe(400);
  });

  test('never zooms outside the recording', () => {
    fc.assert(
      fc.property(
        scene,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        ({ view: shown, durationMs, at }, factor) => {
          const zoomed = zoomView(shown, { factor, atMs: at * durationMs, durationMs });
          expect(zoomed.startMs).toBeGreaterThanOrEqual(0);
          expect(zoomed.startMs + zoomed.spanMs).toBeLessThanOrEqual(durationMs + 1e-6);
          expect(zoomed.spanMs).toBeGreaterThan(0);
        },
      ),
    );
  });

  test('keeps the moment under the pointer in place while zooming', () => {
    const shown = { startMs: 100_000, spanMs: 200_000, widthPx: 1000 };
    const zoomed = zoomView(shown, { factor: 2, atMs: 150_000, durationMs: 1_000_000 });
    expect(xOf(zoomed, 150_000)).toBeCloseTo(xOf(shown, 150_000), 6);
    expect(zoomed.spanMs).toBe(100_000);
  });

  test('keeps the playhead in view, and does not move the view while it is', () => {
    fc.assert(
      fc.property(scene, ({ view: shown, durationMs, at }) => {
        const positionMs = at * durationMs;
        const followed = followView(shown, { positionMs, durationMs });
        const x = xOf(followed, positionMs);
        expect(x).toBeGreaterThanOrEqual(-0.01);
        expect(x).toBeLessThanOrEqual(followed.widthPx + 0.01);
      }),
    );
    const still = { startMs: 0, spanMs: 1000, widthPx: 100 };
    expect(followView(still, { positionMs: 500, durationMs: 9000 })).toBe(still);
  });
});
