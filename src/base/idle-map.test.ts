import { expect, test } from 'vitest';
import { IdleMap } from './idle-map.ts';

const start = () => {
  let nowMs = 0;
  const map = new IdleMap<string, number>({ idleMs: 100, nowMs: () => nowMs });
  return {
    map,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
};

test('holds every entry that is in use, however many there are', () => {
  const { map, pass } = start();
  const keys = Array.from({ length: 10_000 }, (_, index) => index);
  for (const index of keys) map.set(`key ${index}`, index);
  for (let round = 0; round < 3; round += 1) {
    pass(50);
    expect(keys.every((index) => map.get(`key ${index}`) === index)).toBe(true);
    map.set('another', round);
  }
  expect(map.size).toBe(10_001);
});

test('drops what was not used for a while, and nothing else', () => {
  const { map, pass } = start();
  map.set('idle', 1);
  map.set('read', 2);
  pass(60);
  map.get('read');
  pass(60);
  map.set('new', 3);
  expect([map.get('idle'), map.get('read'), map.get('new')]).toEqual([undefined, 2, 3]);
});

test('deletes by key and by condition', () => {
  const { map } = start();
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    map.set(key, value);
  map.delete('a');
  map.deleteWhere((value) => value === 2);
  expect([map.size, map.get('c')]).toEqual([1, 3]);
});
