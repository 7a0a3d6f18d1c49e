import type { DBSchema } from 'idb';
import { lazyDatabase } from '#device/lazy-database.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import { entryKeyOf, type OutboxStore } from './outbox.ts';

type Key = [userId: string, kind: string, target: string];
const diskKeyOf = ({ userId, kind, target }: OutboxEntry): Key => [userId, kind, target];
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
  has: async (entry) =>
    (await withDatabase((database) => database.get('entries', diskKeyOf(entry))))?.id === entry.id,
  settle: (entry) =>
    withDatabase(async (database) => {
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      const { store } = transaction;
      const stored = await store.get(diskKeyOf(entry));
      // One that was sent from memory also ends an older one, which the disk could not replace.
      if (stored && (stored.id === entry.id || stored.createdAtMs < entry.createdAtMs))
        await store.delete(diskKeyOf(entry));
      await transaction.done;
    }),
};

/** Entries that may not stay, or that the browser rejects: they live as long as their page. */
const memory = new Map<string, OutboxEntry>();

/**
 * The entries of this browser.
 * @param mayStay whether an entry may outlive its page, or nothing of its user may stay on this device
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
