import { beforeEach, expect, test, vi } from 'vitest';
import { entryKeyOf, type OutboxStore } from '#device/outbox/outbox.ts';
import { newEntry, type OutboxEntry } from '#device/outbox/outbox-entry.ts';
import { hasStoredStars, moveStoredStars } from './move-stored-stars.ts';

const key = 'earshot.favourites';
let texts: Map<string, string>;
let disk: Map<string, OutboxEntry>;
const store: OutboxStore = {
  list: async (userId) => [...disk.values()].filter((entry) => entry.userId === userId),
  put: async (entry) => {
    disk.set(entryKeyOf(entry), entry);
  },
  has: async () => true,
  settle: async () => undefined,
};
const moved = (): unknown[] =>
  [...disk.values()].map(({ userId, kind, target, payload }) => [userId, kind, target, payload]);

beforeEach(() => {
  texts = new Map();
  disk = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => texts.set(name, text),
    removeItem: (name: string) => texts.delete(name),
  });
});

const stored = JSON.stringify({
  userId: 'ana',
  stars: [
    ['a', true],
    ['b', false],
  ],
});

test('moves the stars of an earlier build to the outbox of their user once', async () => {
  texts.set(key, stored);
  expect(hasStoredStars()).toBe(true);
  await moveStoredStars(store);
  expect(hasStoredStars()).toBe(false);
  const both = [
    ['ana', 'favourite', 'a', { isFavourite: true }],
    ['ana', 'favourite', 'b', { isFavourite: false }],
  ];
  expect([moved(), texts.size]).toEqual([both, 0]);
  await moveStoredStars(store);
  expect(moved()).toEqual(both);
});

test('does not overwrite a later change of the same recording', async () => {
  texts.set(key, stored);
  const later = newEntry({ userId: 'ana', kind: 'favourite', target: 'a', payload: { isFavourite: false } });
  await store.put(later);
  await moveStoredStars(store);
  expect(disk.get(entryKeyOf(later))).toBe(later);
  expect(disk.size).toBe(2);
});

test('does not delete the stars if the outbox rejects them', async () => {
  texts.set(key, stored);
  const full: OutboxStore = { ...store, put: () => Promise.reject(new Error('full')) };
  await expect(moveStoredStars(full)).rejects.toThrow('full');
  expect(texts.get(key)).toBe(stored);
});

test('ignores invalid data stored under the key', async () => {
  for (const text of [
    '7',
    '"x"',
    '{"userId":"ana"}',
    '{"userId":"ana","stars":[null,["a"],["b",1],["c",true]]}',
  ]) {
    texts.set(key, text);
    await moveStoredStars(store);
  }
  expect(moved()).toEqual([['ana', 'favourite', 'c', { isFavourite: true }]]);
  expect(texts.size).toBe(0);
});
