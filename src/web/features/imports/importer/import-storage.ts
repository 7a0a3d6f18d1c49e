import { storedIds } from '#device/site-data/stored-ids.ts';
import { openBroadcast } from '#device/site-data/broadcast.ts';
import { storedImportIds, removeFiles } from '#workers/import/import-files.ts';
import { holdImportLock } from '#workers/import/import-lock.ts';
import type { ImportRecord } from '#workers/import/import-record.ts';
import {
  startShared,
  deleteImport,
  getImport,
  listImports,
  putImports,
  type SharedFile,
  sharedFileOf,
} from '#workers/import/imports-database.ts';

/**
 * The imports of nobody that were begun in this tab, which whoever signs in here may have without a question.
 */
const claims = storedIds('sessionStorage', 'earshot.import-claims');
const channel = openBroadcast('imports');
const releases = new Map<string, () => void>();
const claimed = new Set<string>();

const claim = (records: readonly ImportRecord[]): void => {
  claims.save(new Set([...claims.read(), ...records.map(({ id }) => id)]), 1000);
};

/** Writes down new imports before anything is done with them, and holds them for this page. */
export async function saveNewImports(records: readonly ImportRecord[]): Promise<void> {
  claim(records);
  await Promise.all(
    records.map(async ({ id }) => {
      claimed.add(id);
      releases.set(id, await holdImportLock(id));
    }),
  );
  await putImports(records).catch(() => undefined);
  channel?.postMessage('changed');
}

/** Makes imports of what another app shared; `adoptStored` finds them. */
export async function saveSharedFiles(recordOf: (shared: SharedFile) => ImportRecord): Promise<void> {
  claim(await startShared(recordOf).catch(() => []));
}

/** Writes down how an import stands. A device that refuses keeps nothing, and the import goes on. */
export async function saveImport(record: ImportRecord): Promise<void> {
  await putImports([record]).catch(() => undefined);
}

/** Removes all that this device has of an import, and lets go of it. */
export async function removeImport(importId: string): Promise<void> {
  await Promise.all([removeFiles(importId), deleteImport(importId).catch(() => undefined)]);
  releases.get(importId)?.();
  releases.delete(importId);
}

type Adopt = (record: ImportRecord, file: File | null) => void;

/** Whether an import of nobody was begun in this tab. */
export const isClaimed = (importId: string): boolean => claims.read().includes(importId);

/**
 * Finds what earlier pages left, now and whenever a page that worked at it ends.
 * @param adopt gets each import once nobody else works at it, with its file where it has no copy; this page holds it from then on
 */
export async function adoptStored(adopt: Adopt): Promise<void> {
  const readImports = async () => {
    for (const { id } of await listImports()) void waitFor(id, adopt);
  };
  channel?.addEventListener('message', () => {
    void readImports().catch(() => undefined);
  });
  await readImports().catch(() => undefined);
  await sweep().catch(() => undefined);
}

async function waitFor(id: string, adopt: Adopt): Promise<void> {
  if (claimed.has(id)) return;
  claimed.add(id);
  const release = await holdImportLock(id);
  const record = await getImport(id).catch(() => null);
  if (record === null) {
    release();
    return;
  }
  releases.set(id, release);
  adopt(record, record.hasCopy ? null : await sharedFileOf(id).catch(() => null));
}

/**
 * Files whose import nobody remembers are in the way. Read first: a file that appears later belongs to
 * somebody.
 */
async function sweep(): Promise<void> {
  const ids = await storedImportIds();
  const known = new Set((await listImports()).map(({ id }) => id));
  for (const id of ids) if (!known.has(id)) await removeFiles(id);
}
