import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeAfter } from './use-list-keys.ts';

const keys = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'];

test('moves to the neighbour, by a page, and to the first and last row', () => {
  expect(keys.map((key) => placeAfter(key, { active: 50, count: 100, pageRows: 10 }))).toEqual([
    51, 49, 60, 40, 0, 99,
  ]);
});

test('never moves outside the list, and ignores other keys', () => {
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.integer({ min: 1, max: 500 }), fc.nat(), (key, count, at) => {
      const place = placeAfter(key, { active: at % count, count, pageRows: 7 });
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThan(count);
    }),
  );
  expect(placeAfter('x', { active: 0, count: 5, pageRows: 2 })).toBeNull();
});
