import type { DBSchema } from 'idb';
import { lazyDatabase } from '#device/lazy-database.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import { entryKeyOf, type OutboxStore } from './outbox.ts';

type Key = [userId: string, kind: string, target: string];
const diskKeyOf = ({ userId, kind, target }: OutboxEntry): Key => [userId, kind, target];
/** Arrays sort after strings in IndexedDB keys, so `[]` is an upper bound. */
const ofUser = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []]);

interface OutboxDatabase extends DBSchema {
  entries: { key: Key; value: OutboxEntry };
}

const withDatabase = lazyDatabase<OutboxDatabase>('earshot-outbox', 1, (database) => {
  database.createObjectStore('entries', { keyPath: ['userId', 'kind', 'target'] });
});

/** The entries in IndexedDB, shared by all pages. Promises resolve once the change is on the disk. */
const disk: OutboxStore = {
  list: (userId) => withDatabase((database) => database.getAll('entries', ofUser(userId))),
  put: (entry) =>
    withDatabase(async (database) => {
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      await Promise.all([transaction.store.put(entry), transaction.done]);
    }),
  has: async (entry) =>
    (await withDatabase((database) => database.get('entries', diskKeyOf(entry))))?.id === entry.id,
  settle: (entry) =>
    withDatabase(async (database) => {
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      const { store } = transaction;
      const stored = await store.get(diskKeyOf(entry));
      // An entry sent from memory also removes an older one that the disk failed to replace.
      if (stored && (stored.id === entry.id || stored.createdAtMs < entry.createdAtMs))
        await store.delete(diskKeyOf(entry));
      await transaction.done;
    }),
};

/** Entries that may not be stored or that the browser failed to store. They are lost when the page closes. */
const memory = new Map<string, OutboxEntry>();

/**
 * The entries of this browser, on the disk or in this page's memory.
 * @param mayStay whether an entry may outlive its page; false if nothing of its user may be stored on this device
 */
export const outboxStore = (mayStay: (entry: OutboxEntry) => boolean): OutboxStore => ({
  list: async (userId) =>
    [
      ...(await disk.list(userId).catch(() => [])).filter((entry) => !memory.has(entryKeyOf(entry))),
      ...[...memory.values()].filter((entry) => entry.userId === userId),
    ].toSorted((a, b) => a.createdAtMs - b.createdAtMs),
  put: async (entry) => {
    memory.set(entryKeyOf(entry), entry);
    if (!mayStay(entry)) return;
    await disk.put(entry);
    if (memory.get(entryKeyOf(entry)) === entry) memory.delete(entryKeyOf(entry));
  },
  has: async (entry) => {
    const here = memory.get(entryKeyOf(entry));
    return here ? here.id === entry.id : disk.has(entry);
  },
  settle: async (entry) => {
    if (memory.get(entryKeyOf(entry))?.id === entry.id) memory.delete(entryKeyOf(entry));
    await disk.settle(entry).catch(() => undefined);
  },
});
