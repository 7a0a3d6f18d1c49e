import { changing, reading } from '#device/database.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { OutboxStore } from './outbox.ts';

type Key = [userId: string, kind: string, target: string];
const keyOf = ({ userId, kind, target }: OutboxEntry): Key => [userId, kind, target];
/** `[]` sorts behind every text. */
const ofUser = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []]);

/** The entries in IndexedDB, which all pages share. */
const disk: OutboxStore = {
  list: (userId) => reading('outbox', ({ store }) => store.getAll(ofUser(userId))),
  put: (entry) =>
    changing(['outbox'], async (transaction) => {
      await transaction.objectStore('outbox').put(entry);
    }),
  settle: (entry) =>
    changing(['outbox'], async (transaction) => {
      const entries = transaction.objectStore('outbox');
      if ((await entries.get(keyOf(entry)))?.id === entry.id) await entries.delete(keyOf(entry));
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
    } catch {
      memory.set(textKeyOf(entry), entry);
    }
  },
  settle: async (entry) => {
    if (memory.get(textKeyOf(entry))?.id === entry.id) memory.delete(textKeyOf(entry));
    await disk.settle(entry).catch(() => undefined);
  },
};
