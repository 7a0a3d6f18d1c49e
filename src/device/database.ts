import type { DBSchema, IDBPTransaction, StoreNames } from 'idb';
import type { TakeRecord } from '#device/takes/take-record.ts';
import { lazyDatabase } from './lazy-database.ts';
import type { LogEntry } from './streams/log-entry.ts';
import type { SlotRecord } from './streams/slot-choice.ts';

/**
 * The IndexedDB database `earshot`: takes, their slot files, and the log of bytes that are not yet safe in them.
 * Anything else has a database of its own: a page of an earlier build that records could not open this one again
 * after an upgrade.
 */
export interface EarshotDatabase extends DBSchema {
  takes: { key: string; value: TakeRecord };
  slots: { key: string; value: SlotRecord };
  log: { key: [uploadId: string, offsetBytes: number]; value: LogEntry };
}

type Stores = StoreNames<EarshotDatabase>;
/** A transaction that may change its stores. */
export type Changing<S extends Stores> = IDBPTransaction<EarshotDatabase, S[], 'readwrite'>;

const withDatabase = lazyDatabase<EarshotDatabase>('earshot', 2, (database) => {
  // Version 1 was never released.
  for (const name of Array.from(database.objectStoreNames)) database.deleteObjectStore(name);
  database.createObjectStore('takes', { keyPath: 'id' });
  database.createObjectStore('slots', { keyPath: 'name' });
  database.createObjectStore('log', { keyPath: ['uploadId', 'offsetBytes'] });
});

/**
 * Runs one transaction that, unless it is relaxed, is on the disk when this resolves: `strict`, because
 * Chromium lost every relaxed transaction in a power cut. `work` waits for nothing but its stores; it is run
 * a second time when the system has closed the database meanwhile.
 */
export async function changing<S extends Stores, T>(
  stores: S[],
  work: (transaction: Changing<S>) => Promise<T>,
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<T> {
  return withDatabase(async (database) => {
    const transaction = database.transaction(stores, 'readwrite', { durability });
    const [result] = await Promise.all([orAbort(transaction, work), transaction.done]);
    return result;
  });
}

/** Runs one transaction that only reads. */
export async function reading<S extends Stores, T>(
  store: S,
  work: (transaction: IDBPTransaction<EarshotDatabase, [S]>) => Promise<T>,
): Promise<T> {
  return withDatabase((database) => work(database.transaction(store)));
}

/** What a step throws on its own must not be committed by half. */
async function orAbort<S extends Stores, T>(
  transaction: Changing<S>,
  work: (transaction: Changing<S>) => Promise<T>,
): Promise<T> {
  try {
    return await work(transaction);
  } catch (error) {
    if (transaction.error === null) abort(transaction);
    throw error;
  }
}

function abort(transaction: { abort: () => void }): void {
  try {
    transaction.abort();
  } catch {
    // It ended by itself, because of the same error.
  }
}
