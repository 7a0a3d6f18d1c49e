import { limits } from '#contract/limits.ts';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { ImportRecord } from './import-record.ts';

/** A file that another app handed over while no page was there to take it. */
export interface SharedFile {
  /** Of the import that it becomes. */
  id: string;
  file: File;
}

interface ImportsDatabase extends DBSchema {
  imports: { key: string; value: ImportRecord };
  /** Each until its import has a copy of its own, or is forgotten. */
  shared: { key: string; value: SharedFile };
}

/**
 * Runs one piece of work on the database `earshot-imports`; it is closed afterwards, so that no tab stands in
 * another's way.
 */
async function using<T>(work: (database: IDBPDatabase<ImportsDatabase>) => Promise<T>): Promise<T> {
  const database = await openDB<ImportsDatabase>('earshot-imports', 1, {
    upgrade: (fresh) => {
      fresh.createObjectStore('imports', { keyPath: 'id' });
      fresh.createObjectStore('shared', { keyPath: 'id' });
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

/**
 * Writes whole imports; resolves once they are on the disk. A shared file whose import has a copy is let go
 * of.
 */
export async function putImports(records: readonly ImportRecord[]): Promise<void> {
  await using(async (database) => {
    const transaction = database.transaction(['imports', 'shared'], 'readwrite', { durability: 'strict' });
    const [imports, shared] = [transaction.objectStore('imports'), transaction.objectStore('shared')];
    const copied = records.filter(({ hasCopy }) => hasCopy);
    await Promise.all([
      ...records.map((record) => imports.put(record)),
      ...copied.map(({ id }) => shared.delete(id)),
      transaction.done,
    ]);
  });
}

/** Forgets an import. */
export async function deleteImport(id: string): Promise<void> {
  await using(async (database) => {
    const transaction = database.transaction(['imports', 'shared'], 'readwrite');
    await Promise.all([
      transaction.objectStore('imports').delete(id),
      transaction.objectStore('shared').delete(id),
      transaction.done,
    ]);
  });
}

/** Whether files fit beside those that are stored already, in number and in bytes. */
export function mayStoreShared(files: readonly SharedFile[], stored: readonly SharedFile[]): boolean {
  const all = [...stored, ...files];
  const sizeBytes = all.reduce((sum, { file }) => sum + file.size, 0);
  return all.length <= limits.shared.files && sizeBytes <= limits.shared.sizeBytes;
}

/**
 * Stores files until they are imports.
 * @returns false where they are more than may wait, and nothing was stored
 */
export async function storeShared(files: readonly SharedFile[]): Promise<boolean> {
  return using(async (database) => {
    const transaction = database.transaction('shared', 'readwrite', { durability: 'strict' });
    const isAllowed = mayStoreShared(files, await transaction.store.getAll());
    await Promise.all([
      ...(isAllowed ? files.map((file) => transaction.store.add(file)) : []),
      transaction.done,
    ]);
    return isAllowed;
  });
}

/**
 * Makes imports of the files that are none yet; the files stay, so that a page that ends at once loses
 * nothing.
 * @param recordOf what is written down of each
 * @returns the imports made, by this page alone
 */
export async function startShared(recordOf: (shared: SharedFile) => ImportRecord): Promise<ImportRecord[]> {
  return using(async (database) => {
    const transaction = database.transaction(['imports', 'shared'], 'readwrite', { durability: 'strict' });
    const imports = transaction.objectStore('imports');
    const [files, known] = await Promise.all([
      transaction.objectStore('shared').getAll(),
      imports.getAllKeys(),
    ]);
    const started = files.filter(({ id }) => !known.includes(id)).map(recordOf);
    await Promise.all([...started.map((record) => imports.put(record)), transaction.done]);
    return started;
  });
}

/** The file that another app shared for an import; null for one that has a copy, or was chosen here. */
export async function sharedFileOf(importId: string): Promise<File | null> {
  return (await using((database) => database.get('shared', importId)))?.file ?? null;
}
