import { storedIds } from '#device/site-data/stored-ids.ts';
import { openBroadcast } from '#device/site-data/broadcast.ts';
import { storedImportIds, removeFiles } from '#workers/import/import-files.ts';
import { holdImportLock, tryImportLock } from '#workers/import/import-lock.ts';
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
 * The unclaimed imports that were started in this tab. The next user who signs in here gets them without a prompt.
 */
const claims = storedIds('sessionStorage', 'earshot.import-claims');
const channel = openBroadcast('imports');
const releases = new Map<string, () => void>();
const claimed = new Set<string>();

const claim = (records: readonly ImportRecord[]): void => {
  claims.save(new Set([...claims.read(), ...records.map(({ id }) => id)]), 1000);
};

/** Stores new imports before anything is done with them, and locks them for this page. */
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

/**
 * Locks the recording that an import continues.
 * @returns false if another page of this browser is sending it
 */
export async function lockContinued(importId: string, recordingId: string): Promise<boolean> {
  const release = await tryImportLock(recordingId);
  if (release === null) return false;
  const releaseImport = releases.get(importId);
  releases.set(importId, () => {
    releaseImport?.();
    release();
  });
  return true;
}

/** Creates imports of files that another app shared. `adoptStored` finds them. */
export async function saveSharedFiles(recordOf: (shared: SharedFile) => ImportRecord): Promise<void> {
  claim(await startShared(recordOf).catch(() => []));
}

/** Stores the state of an import. If the device cannot store it, the import continues. */
export async function saveImport(record: ImportRecord): Promise<void> {
  await putImports([record]).catch(() => undefined);
}

/** Deletes everything this device has of an import, and releases its lock. */
export async function removeImport(importId: string): Promise<void> {
  await Promise.all([removeFiles(importId), deleteImport(importId).catch(() => undefined)]);
  releases.get(importId)?.();
  releases.delete(importId);
}

/** Deletes the copy of a file that the server has. */
export const removeCopy = (importId: string): Promise<void> => removeFiles(importId).catch(() => undefined);

type Adopt = (record: ImportRecord, file: File | null) => void;

/** The user who may have them has left: the next one is asked. */
export const forgetClaims = claims.clear;

/** Whether an unclaimed import was started in this tab. */
export const isClaimed = (importId: string): boolean => claims.read().includes(importId);

/**
 * Finds the imports of earlier pages, now and whenever a page that works on one ends.
 * @param adopt called with each import once no other page works on it, with its file if it has no copy; this page
 * holds its lock from then on
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
 * Deletes files without an import. The list of files is read first, because a file that appears later has an
 * import.
 */
async function sweep(): Promise<void> {
  const ids = await storedImportIds();
  const known = new Set((await listImports()).map(({ id }) => id));
  for (const id of ids) if (!known.has(id)) await removeFiles(id);
}
