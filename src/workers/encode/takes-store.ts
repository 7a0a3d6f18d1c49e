import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { removeTakeDirectory } from './journal/take-directory.ts';
import type { TakeRecord } from './take-record.ts';

interface EarshotDatabase extends DBSchema {
  takes: { key: string; value: TakeRecord };
}

let opened: Promise<IDBPDatabase<EarshotDatabase>> | null = null;
let lastWrite: Promise<unknown> = Promise.resolve();

/** All takes on this device, oldest first. */
export async function listTakes(): Promise<TakeRecord[]> {
  const takes = await (await database()).getAll('takes');
  return takes.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
}

/** One take, or null when this device has none of that id. */
export async function getTake(id: string): Promise<TakeRecord | null> {
  return (await (await database()).get('takes', id)) ?? null;
}

/** Writes a whole take; resolves once it is on the disk. */
export async function putTake(take: TakeRecord): Promise<void> {
  await changing(async (store) => {
    await store.put(take);
  });
}

/** Changes a take as it is stored now, in one transaction, so that the page and a worker never undo each other; null when it is gone. */
export async function changeTake(id: string, change: (take: TakeRecord) => TakeRecord): Promise<TakeRecord | null> {
  return changing(async (store) => {
    const take = await store.get(id);
    if (take === undefined) return null;
    const changed = change(take);
    await store.put(changed);
    return changed;
  });
}

/** Removes a take and its audio from this device. */
export async function removeTake(id: string): Promise<void> {
  await removeTakeDirectory(id);
  await changing((store) => store.delete(id));
}

interface TakesStore {
  get(id: string): Promise<TakeRecord | undefined>;
  put(take: TakeRecord): Promise<unknown>;
  delete(id: string): Promise<void>;
}

/** Writes wait for one another; `strict` because Chromium lost every relaxed transaction in a power cut. */
function changing<T>(change: (store: TakesStore) => Promise<T>): Promise<T> {
  const write = lastWrite.then(async () => {
    const transaction = (await database()).transaction('takes', 'readwrite', { durability: 'strict' });
    const [result] = await Promise.all([change(transaction.store), transaction.done]);
    return result;
  });
  lastWrite = write.catch(() => undefined);
  return write;
}

function database(): Promise<IDBPDatabase<EarshotDatabase>> {
  const forget = () => {
    opened = null;
  };
  opened ??= openDB<EarshotDatabase>('earshot', 1, {
    upgrade: (fresh) => {
      fresh.createObjectStore('takes', { keyPath: 'id' });
    },
    // A newer version of the app in another tab wants to migrate: give way, the next call opens again.
    blocking: (_current, _wanted, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
      forget();
    },
    terminated: forget,
  }).catch((error: unknown) => {
    forget();
    throw error;
  });
  return opened;
}
