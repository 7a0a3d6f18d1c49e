import type { Config } from '#server/config.ts';
import { openInstallation, type Installation } from '#server/installation.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { rejectLostBlobs } from './lost-database.ts';
import { lockDataDir, openBlobs, openDatabase, withDatabase } from './stores.ts';

/** Everything that one server has open for as long as it runs. */
export interface OpenStores extends Installation {
  database: Database;
  blobs: BlobStore;
  /** Closes all of it, and lets another server have it. */
  close: () => Promise<void>;
}

/**
 * Locks `DATA_DIR` and opens what is in it.
 * @throws StartError for a known reason; nothing stays open then
 */
export async function openStores(config: Config): Promise<OpenStores> {
  const closers: (() => void | Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
  };
  try {
    const lock = await lockDataDir(config);
    closers.push(() => {
      lock.release();
    });
    const database = await openDatabase(config);
    closers.push(() => database.close());
    await withDatabase(config, () => rejectLostBlobs(config, database));
    const installation = await openInstallation(config, database);
    closers.push(() => {
      installation.mailer?.close();
    });
    const blobs = await openBlobs(config, { openFiles: installation.descriptors.idleFiles });
    closers.push(() => blobs.close());
    return { ...installation, database, blobs, close };
  } catch (error) {
    await close();
    throw error;
  }
}
