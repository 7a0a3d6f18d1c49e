import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeOverview, thumbnail, thumbnailPath } from './thumbnail-path.ts';

const strokes = (path: string) =>
  [...path.matchAll(/M([\d.]+) ([\d.]+)V([\d.]+)/g)].map(([, x, top, bottom]) => ({
    x: Number(x),
    top: Number(top),
    bottom: Number(bottom),
  }));

describe('a thumbnail', () => {
  test('decodes the values that the server encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 127, maxLength: 96 }), (values) => {
        expect(decodeOverview(btoa(String.fromCharCode(...values)))).toEqual(values);
      }),
    );
  });

  test.each(['%%%', 'a', 'not base64!'])('of %s is empty, not an error', (text) => {
    expect(decodeOverview(text)).toHaveLength(0);
  });

  test('fills its width with bars inside the box for any number of values', () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 127, maxLength: 200 }), (values) => {
        const bars = strokes(thumbnailPath(values));
        expect(bars).toHaveLength(thumbnail.widthPx / thumbnail.stepPx);
        for (const { x, top, bottom } of bars) {
          expect(x).toBeLessThan(thumbnail.widthPx);
          expect(top).toBeGreaterThanOrEqual(0);
          expect(bottom).toBeLessThanOrEqual(thumbnail.heightPx);
          expect(bottom).toBeGreaterThan(top);
        }
      }),
    );
  });

  test('shows a single loud moment as its tallest bar, at its position', () => {
    const values = new Uint8Array(84);
    values[40] = 127;
    const heights = strokes(thumbnailPath(values)).map(({ top, bottom }) => bottom - top);
    expect(heights.indexOf(Math.max(...heights))).toBe(20);
  });
});
