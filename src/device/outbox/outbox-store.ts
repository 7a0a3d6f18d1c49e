import type { DBSchema } from 'idb';
import { lazyDatabase } from '#device/lazy-database.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { OutboxStore } from './outbox.ts';

type Key = [userId: string, kind: string, target: string];
const keyOf = ({ userId, kind, target }: OutboxEntry): Key => [userId, kind, target];
/** `[]` sorts behind every text. */
const ofUser = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []]);

interface OutboxDatabase extends DBSchema {
  entries: { key: Key; value: OutboxEntry };
}

const withDatabase = lazyDatabase<OutboxDatabase>('earshot-outbox', 1, (database) => {
  database.createObjectStore('entries', { keyPath: ['userId', 'kind', 'target'] });
});

/** The entries in IndexedDB, which all pages share; what it resolves after is on the disk. */
const disk: OutboxStore = {
  list: (userId) => withDatabase((database) => database.getAll('entries', ofUser(userId))),
  put: (entry) =>
    withDatabase(async (database) => {
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      await Promise.all([transaction.store.put(entry), transaction.done]);
    }),
  settle: (entry) =>
    withDatabase(async (database) => {
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      const { store } = transaction;
      if ((await store.get(keyOf(entry)))?.id === entry.id) await store.delete(keyOf(entry));
      await transaction.done;
    }),
};

/** Entries of a browser that rejects its stores: they live as long as their page. */
const memory = new Map<string, OutboxEntry>();
const textKeyOf = (entry: OutboxEntry): string => keyOf(entry).join(' ');

export const outboxStore: OutboxStore = {
  list: async (userId) =>
    [
      ...(await disk.list(userId).catch(() => [])),
      ...[...memory.values()].filter((entry) => entry.userId === userId),
    ].toSorted((a, b) => a.createdAtMs - b.createdAtMs),
  put: async (entry) => {
    try {
      await disk.put(entry);
      memory.delete(textKeyOf(entry));
    } catch (error) {
      memory.set(textKeyOf(entry), entry);
      throw error;
    }
  },
  settle: async (entry) => {
    if (memory.get(textKeyOf(entry))?.id === entry.id) memory.delete(textKeyOf(entry));
    await disk.settle(entry).catch(() => undefined);
  },
};
