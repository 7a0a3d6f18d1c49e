import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('evicts the least recently used entry', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
});

test('deletes entries that match a condition', () => {
  const map = new BoundedMap<string, number>(9);
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 1],
  ] as const)
    map.set(key, value);
  map.deleteWhere((value) => value === 1);
  expect(map.size).toBe(1);
});

test('copies all entries in the order of their use, which is no use itself', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  expect(map.entries()).toEqual([
    ['b', 2],
    ['a', 1],
  ]);
  map.set('c', 3);
  expect(map.entries().map(([key]) => key)).toEqual(['a', 'c']);
});
