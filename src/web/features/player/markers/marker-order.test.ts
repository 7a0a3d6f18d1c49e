import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withMarker, withoutMarker } from './marker-order.ts';

const marker = fc.record({ id: fc.uuid(), atMs: fc.integer({ min: 0, max: 1000 }) });

test('keeps markers in time order and each id once, in any order of insertion', () => {
  fc.assert(
    fc.property(fc.array(marker, { maxLength: 30 }), (added) => {
      const markers = added.reduce<typeof added>((list, next) => withMarker(list, next), []);
      expect(new Set(markers.map(({ id }) => id)).size).toBe(markers.length);
      markers
        .slice(1)
        .forEach(({ atMs }, index) => expect(atMs).toBeGreaterThanOrEqual(markers[index]?.atMs ?? 0));
      expect(markers).toHaveLength(new Set(added.map(({ id }) => id)).size);
    }),
  );
});

test('removes one marker and leaves the others unchanged', () => {
  const markers = [
    { id: 'a', atMs: 1 },
    { id: 'b', atMs: 2 },
  ];
  expect(withoutMarker(markers, 'a')).toEqual([{ id: 'b', atMs: 2 }]);
  expect(withoutMarker(markers, 'x')).toEqual(markers);
});
