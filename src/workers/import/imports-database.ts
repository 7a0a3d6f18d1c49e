import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { ImportRecord } from './import-record.ts';

interface ImportsDatabase extends DBSchema {
  imports: { key: string; value: ImportRecord };
  /** Files that another app handed over while no page was there to take them. */
  shared: { key: number; value: File };
}

/** Runs one piece of work on the database `earshot-imports`; it is closed afterwards, so that no tab stands in another's way. */
async function using<T>(work: (database: IDBPDatabase<ImportsDatabase>) => Promise<T>): Promise<T> {
  const database = await openDB<ImportsDatabase>('earshot-imports', 1, {
    upgrade: (fresh) => {
      fresh.createObjectStore('imports', { keyPath: 'id' });
      fresh.createObjectStore('shared', { autoIncrement: true });
    },
  });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/** All imports that this device knows, oldest first. */
export async function listImports(): Promise<ImportRecord[]> {
  const records = await using((database) => database.getAll('imports'));
  return records.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
}

/** One import, or null when this device has none of that id. */
export async function getImport(id: string): Promise<ImportRecord | null> {
  return (await using((database) => database.get('imports', id))) ?? null;
}

/** Writes whole imports; resolves once they are on the disk. */
export async function putImports(records: readonly ImportRecord[]): Promise<void> {
  await using(async (database) => {
    const transaction = database.transaction('imports', 'readwrite', { durability: 'strict' });
    await Promise.all([...records.map((record) => transaction.store.put(record)), transaction.done]);
  });
}

/** Forgets an import. */
export async function deleteImport(id: string): Promise<void> {
  await using((database) => database.delete('imports', id));
}

/** Keeps files until a page takes them. */
export async function keepShared(files: readonly File[]): Promise<void> {
  await using(async (database) => {
    const transaction = database.transaction('shared', 'readwrite', { durability: 'strict' });
    await Promise.all([...files.map((file) => transaction.store.add(file)), transaction.done]);
  });
}

/** Takes out the files that were kept, so that one page alone gets them. */
export async function takeShared(): Promise<File[]> {
  return using(async (database) => {
    const transaction = database.transaction('shared', 'readwrite');
    const [files] = await Promise.all([transaction.store.getAll(), transaction.store.clear(), transaction.done]);
    return files;
  });
}
