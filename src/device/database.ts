import type { DBSchema, IDBPTransaction, StoreNames } from 'idb';
import type { TakeRecord } from './records/take-record.ts';
import { lazyDatabase } from './lazy-database.ts';
import type { LogEntry } from './records/log-entry.ts';
import type { SlotRecord } from './records/slot-record.ts';

/**
 * The IndexedDB database `earshot`: takes, their slot files, and the write-ahead log of their streams. Other data
 * is in separate databases: after an upgrade of this one, a page of an earlier build could not reopen it while it
 * records.
 */
export interface EarshotDatabase extends DBSchema {
  takes: { key: string; value: TakeRecord };
  slots: { key: string; value: SlotRecord };
  log: { key: [uploadId: string, offsetBytes: number]; value: LogEntry };
}

type Stores = StoreNames<EarshotDatabase>;
/** A read-write transaction. */
export type Changing<S extends Stores> = IDBPTransaction<EarshotDatabase, S[], 'readwrite'>;

const withDatabase = lazyDatabase<EarshotDatabase>('earshot', 2, (database) => {
  // Version 1 was never released.
  for (const name of Array.from(database.objectStoreNames)) database.deleteObjectStore(name);
  database.createObjectStore('takes', { keyPath: 'id' });
  database.createObjectStore('slots', { keyPath: 'name' });
  database.createObjectStore('log', { keyPath: ['uploadId', 'offsetBytes'] });
});

/**
 * Runs one read-write transaction and resolves once it is committed, and on the disk unless `durability` is
 * relaxed. `strict` is the default because Chromium lost every relaxed transaction in a power cut. `work` may
 * await nothing but requests to its stores. It runs a second time if the system has closed the database meanwhile.
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

/** Runs one read-only transaction. */
export async function reading<S extends Stores, T>(
  store: S,
  work: (transaction: IDBPTransaction<EarshotDatabase, [S]>) => Promise<T>,
): Promise<T> {
  return withDatabase((database) => work(database.transaction(store)));
}

/** Aborts the transaction if `work` throws, so that it is never committed in part. */
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
    // The same error has already ended the transaction.
  }
}
