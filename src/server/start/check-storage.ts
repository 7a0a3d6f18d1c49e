import type { Config } from '#server/config.ts';
import type { StorageCheck } from '#server/storage/blobs/storage-check.ts';
import { openBlobs } from './stores.ts';
import { s3SettingsOf } from './tiered-blobs.ts';

const mib = 1024 * 1024;

/** Checks the folder of a disk, also beside a running server. */
async function* checkDisk(config: Config): AsyncGenerator<StorageCheck> {
  const check = { name: 'stores and syncs a file in DATA_DIR/blobs', isNeeded: true };
  const blobs = await openBlobs(config, { isReader: true });
  try {
    await blobs.ping();
    const { freeBytes, totalBytes } = await blobs.space();
    const detail = `${Math.floor(freeBytes / mib)} of ${Math.floor(totalBytes / mib)} MiB are free`;
    yield { ...check, verdict: 'ok', detail };
  } catch (error) {
    yield { ...check, verdict: 'missing', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    await blobs.close();
  }
}

/** Tries what Earshot needs of the configured store. Nothing that was stored is changed. */
export async function* checkStorage(config: Config): AsyncGenerator<StorageCheck> {
  const settings = s3SettingsOf(config);
  if (settings === null) return yield* checkDisk(config);
  const { checkS3 } = await import('#server/storage/blobs/objects/check-s3.ts');
  yield* checkS3(settings);
}
