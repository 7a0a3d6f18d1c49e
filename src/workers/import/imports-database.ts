import { limits } from '#contract/limits.ts';
import type { DBSchema } from 'idb';
import { lazyDatabase } from '#device/lazy-database.ts';
import type { ImportRecord } from './import-record.ts';

/** A file shared by another app while no page was open to receive it. */
export interface SharedFile {
  /** The id of its import. */
  id: string;
  file: File;
}

interface ImportsDatabase extends DBSchema {
  imports: { key: string; value: ImportRecord };
  /** Files whose import has neither a copy nor been deleted. */
  shared: { key: string; value: SharedFile };
}

const using = lazyDatabase<ImportsDatabase>('earshot-imports', 1, (database) => {
  database.createObjectStore('imports', { keyPath: 'id' });
  database.createObjectStore('shared', { keyPath: 'id' });
});

/** All imports of this device, oldest first. */
export async function listImports(): Promise<ImportRecord[]> {
  const records = await using((database) => database.getAll('imports'));
  return records.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
}

/** One import; null if this device does not have it. */
export async function getImport(id: string): Promise<ImportRecord | null> {
  return (await using((database) => database.get('imports', id))) ?? null;
}

/** Stores whole imports; resolves once they are on the disk. Deletes a shared file once its import has a copy. */
export async function putImports(records: readonly ImportRecord[]): Promise<void> {
  await using(async (database) => {
    const transaction = database.transaction(['imports', 'shared'], 'readwrite', { durability: 'strict' });
    const [imports, shared] = [transaction.objectStore('imports'), transaction.objectStore('shared')];
    const copied = records.filter(({ hasCopy, isUploaded }) => hasCopy || isUploaded === true);
    await Promise.all([
      ...records.map((record) => imports.put(record)),
      ...copied.map(({ id }) => shared.delete(id)),
      transaction.done,
    ]);
  });
}

/** Deletes an import. */
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

/** Whether more files may be stored, by number and bytes. */
export function mayStoreShared(files: readonly SharedFile[], stored: readonly SharedFile[]): boolean {
  const all = [...stored, ...files];
  const sizeBytes = all.reduce((sum, { file }) => sum + file.size, 0);
  return all.length <= limits.shared.files && sizeBytes <= limits.shared.sizeBytes;
}

/**
 * Stores files until they become imports.
 * @returns false if there are too many; nothing is stored then
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
 * Creates imports for shared files that have none. The files stay, so that nothing is lost if the page closes now.
 * @param recordOf creates the record of an import
 * @returns the imports created by this call
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

/** The file that another app shared for an import; null if the import has a copy, or its file was chosen here. */
export async function sharedFileOf(importId: string): Promise<File | null> {
  return (await using((database) => database.get('shared', importId)))?.file ?? null;
}
