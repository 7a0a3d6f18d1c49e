import type { Config } from '#server/config.ts';
import { openInstallation, type Installation } from './installation.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { closeAll } from './close-all.ts';
import { rejectLostBlobs, rejectLostObjects } from './lost-database.ts';
import { rejectMoved, rejectUnfinishedMove } from './moved-place.ts';
import type { OpenBlobsOptions } from './tiered-blobs.ts';
import { rejectInterruptedRestore } from './restore-place.ts';
import { lockDataDir, openBlobs, openDatabase, withDatabase } from './stores.ts';

/** Everything that a server holds open while it runs. */
export interface OpenStores extends Installation {
  database: Database;
  blobs: BlobStore;
  /** Closes everything and releases the lock. */
  close: () => Promise<void>;
}

/**
 * Rejects an installation that was moved, or restored only in part: what a server or a command changes in it, or
 * copies from it, would be taken for the installation in use.
 * @throws StartError
 */
export function rejectAbandoned(config: Config): void {
  rejectInterruptedRestore(config);
  rejectMoved(config);
}

/**
 * Locks `DATA_DIR` and opens the stores in it.
 * @throws StartError for a known reason, after closing everything again
 */
export async function openStores(
  config: Config,
  { onObjectsChanged }: Pick<OpenBlobsOptions, 'onObjectsChanged'> = {},
): Promise<OpenStores> {
  const closers: (() => void | Promise<void>)[] = [];
  const close = (): Promise<void> => closeAll(closers);
  try {
    const lock = await lockDataDir(config);
    closers.push(() => {
      lock.release();
    });
    rejectAbandoned(config);
    const database = await openDatabase(config, { migrates: config.migratesAtStart });
    closers.push(() => database.close());
    await withDatabase(config, () => rejectUnfinishedMove(config, database));
    await withDatabase(config, () => rejectLostBlobs(config, database));
    const installation = await openInstallation(config, database);
    closers.push(() => {
      installation.mailer?.close();
    });
    const blobs = await openBlobs(config, {
      openFiles: installation.descriptors.idleFiles,
      ...(onObjectsChanged === undefined ? {} : { onObjectsChanged }),
      check: (tiered) => withDatabase(config, () => rejectLostObjects(config, { database, blobs: tiered })),
    });
    closers.push(() => blobs.close());
    return { ...installation, database, blobs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the database beside a running server, for a command that changes it.
 * @throws StartError for a known reason, also for an installation that was moved or restored only in part
 */
export function openDatabaseInUse(config: Config): Promise<Database> {
  rejectAbandoned(config);
  return openDatabase(config, { migrates: false });
}

/**
 * Opens database and blobs beside a running server, for a command that reads them.
 * @throws StartError for a known reason, also when the object store is not the one with the recordings
 */
export async function openBesideServer(config: Config): Promise<Pick<OpenStores, 'database' | 'blobs'>> {
  const database = await openDatabase(config, { migrates: false });
  try {
    const blobs = await openBlobs(config, {
      isReader: true,
      check: (tiered) => withDatabase(config, () => rejectLostObjects(config, { database, blobs: tiered })),
    });
    return { database, blobs };
  } catch (error) {
    await database.close();
    throw error;
  }
}
