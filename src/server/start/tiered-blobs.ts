import type { Config } from '#server/config.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import type { S3Settings } from '#server/storage/blobs/objects/s3-client.ts';
import type { TieredBlobStore } from '#server/storage/blobs/tiered/tiered-blob-store.ts';
import { parseStorageUrl } from '#server/storage/blobs/storage-url.ts';
import { explainPostgres } from './explain/explain-postgres.ts';
import { explainS3 } from './explain/explain-s3.ts';
import { explained, StartError } from '#server/start-error.ts';

export interface OpenBlobsOptions {
  /** Opens the store beside a running server, without disturbing it. */
  isReader?: boolean;
  /** How many idle files may stay open on a disk. */
  openFiles?: number;
  /** Called when the object store stops responding, and with null once it responds again. */
  onObjectsChanged?: (error: unknown) => void;
  /** Whether an object store that does not respond is an error. */
  needsObjects?: boolean;
  /** Called for a tiered store before anything is read or moved: it may have the wrong bucket. */
  check?: (store: TieredBlobStore) => Promise<void>;
}

/** The configured object store; null for a disk. */
export function s3SettingsOf({ storageUrl, s3AccessKeyId, s3SecretAccessKey }: Config): S3Settings | null {
  const location = parseStorageUrl(storageUrl);
  if (location === null) return null;
  return {
    ...location,
    credentials:
      s3AccessKeyId === '' ? null : { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey },
  };
}

/** Opens the object store. A mistake ends the start; a store that does not respond only delays the moving of tails. */
async function openObjects(
  config: Config,
  settings: S3Settings,
  onObjectsChanged: (error: unknown) => void,
): Promise<ObjectStore> {
  const { S3ObjectStore } = await import('#server/storage/blobs/objects/s3-object-store.ts');
  const objects = new S3ObjectStore(settings);
  await explained(explainS3(config.storageUrl), () => objects.ping()).catch((error: unknown) => {
    if (!(error instanceof StartError)) return onObjectsChanged(error);
    objects.close();
    throw error;
  });
  return objects;
}

function rejectSilentStore(error: unknown): never {
  throw new StartError(
    `The object store of STORAGE_URL does not respond (${error instanceof Error ? error.message : String(error)}): start it, or correct STORAGE_URL.`,
    { cause: error },
  );
}

/**
 * Opens the store on PostgreSQL and an object store. Neither driver is loaded without `STORAGE_URL=s3:`.
 * @throws StartError when it cannot be opened for a known reason
 */
export async function openTieredBlobs(
  config: Config,
  settings: S3Settings,
  { isReader = false, needsObjects = false, onObjectsChanged = () => undefined, check }: OpenBlobsOptions,
): Promise<BlobStore> {
  const databaseUrl = config.hotDatabaseUrl === '' ? config.databaseUrl : config.hotDatabaseUrl;
  const onMissing = needsObjects ? rejectSilentStore : onObjectsChanged;
  const objects = await openObjects(config, settings, onMissing);
  return explained(explainPostgres(databaseUrl), async () => {
    const { openTieredBlobStore } = await import('#server/storage/blobs/tiered/open-tiered-blob-store.ts');
    return openTieredBlobStore({
      databaseUrl,
      objects,
      limitBytes: config.hotLimitBytes,
      isReader,
      onMovesChanged: onObjectsChanged,
      ...(check === undefined ? {} : { check }),
    });
  });
}
