import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import { parseStorageUrl } from '#server/storage/blobs/storage-url.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { Database } from '#server/storage/database/database.ts';
import { StartError } from '#server/start-error.ts';

const entriesOf = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

/** Counts the recordings that have bytes in `DATA_DIR`. */
function countStoredRecordings(dataDir: string): number {
  const recordings = join(dataDir, 'blobs', 'recordings');
  return entriesOf(recordings).filter((id) =>
    entriesOf(join(recordings, id)).some(
      (name) => statSync(join(recordings, id, name), { throwIfNoEntry: false })?.size,
    ),
  ).length;
}

/**
 * Rejects a database without recordings when `DATA_DIR` contains some: it was lost, replaced, or copied without
 * its write-ahead log. Called before anything is written to it.
 * @throws StartError unless FORGET_RECORDINGS is the number of recordings
 */
export function rejectLostDatabase({
  dataDir,
  databaseUrl,
  forgetRecordings,
}: Pick<Config, 'dataDir' | 'databaseUrl' | 'forgetRecordings'>): void {
  const stored = countStoredRecordings(dataDir);
  if (stored === 0 || stored === forgetRecordings) return;
  const path = join(dataDir, 'earshot.db');
  const [name, remedy] =
    databaseUrl === ''
      ? [`The database ${path}`, `copy ${path} and ${path}-wal there again, or restore a backup`]
      : ['The database of DATABASE_URL', 'correct DATABASE_URL, or restore the database from a backup'];
  throw new StartError(
    `${name} is missing or has no recordings, but DATA_DIR=${dataDir} stores ${stored}: ${remedy}; to abandon ${stored === 1 ? 'this recording' : 'these recordings'}, set FORGET_RECORDINGS=${stored}.`,
  );
}

/** Counts the recordings that have a receipt for stored bytes. */
async function countSealedRecordings({ queries }: Database): Promise<number> {
  const { count } = await queries
    .selectFrom('uploads')
    .where('sealed_at', 'is not', null)
    .where('size_bytes', '>', 0)
    .select(({ fn }) => fn.count<number>('recording_id').distinct().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

const storedRecordings = (count: number): string =>
  `The database lists ${count} stored ${count === 1 ? 'recording' : 'recordings'}`;

/**
 * Rejects a folder without any recording's bytes when the database has receipts for some: a disk is not mounted,
 * or the files were lost. The server would otherwise mark every recording as damaged.
 * @throws StartError unless FORGET_RECORDINGS is the number of recordings
 */
export async function rejectLostBlobs(
  { dataDir, forgetRecordings, storageUrl }: Pick<Config, 'dataDir' | 'forgetRecordings' | 'storageUrl'>,
  database: Database,
): Promise<void> {
  if (parseStorageUrl(storageUrl) !== null) return;
  if (entriesOf(join(dataDir, 'blobs', 'recordings')).length > 0) return;
  const count = await countSealedRecordings(database);
  if (count === 0 || count === forgetRecordings) return;
  throw new StartError(
    `${storedRecordings(count)}, but DATA_DIR=${dataDir} has none of the files: mount the disk with ${join(dataDir, 'blobs')}, correct DATA_DIR or STORAGE_URL, or restore the files from a backup; to abandon the audio, set FORGET_RECORDINGS=${count}.`,
  );
}

/** How many streams are looked up: some may have been lost without the rest. */
const samples = 20;

interface StoreOfObjects extends Pick<BlobStore, 'head'> {
  hasLostObjects: () => Promise<boolean>;
}

/**
 * Rejects an object store that has the bytes of no recording when the database has receipts for some: the
 * recordings are still on a disk, another database has the rows of their bytes, or another bucket has the objects.
 * @throws StartError unless FORGET_RECORDINGS is the number of recordings
 */
export async function rejectLostObjects(
  { forgetRecordings }: Pick<Config, 'forgetRecordings'>,
  { database, blobs }: { database: Database; blobs: StoreOfObjects },
): Promise<void> {
  const newest = await database.queries
    .selectFrom('uploads')
    .where('sealed_at', 'is not', null)
    .where('size_bytes', '>', 0)
    .select(['recording_id', 'stream', 'segment_index'])
    .orderBy('sealed_at', 'desc')
    .limit(samples)
    .execute();
  if (newest.length === 0) return;
  const heads = await mapInBatches(newest, ({ recording_id: recordingId, stream, segment_index: index }) =>
    blobs.head(blobKeyOf({ recordingId, stream, index })),
  );
  const hasRows = heads.some((head) => head !== null);
  if (hasRows && !(await blobs.hasLostObjects())) return;
  const count = await countSealedRecordings(database);
  if (count === forgetRecordings) return;
  const remedy = hasRows
    ? 'but the bucket and prefix of STORAGE_URL have none of the objects: correct STORAGE_URL, or copy the objects to this bucket'
    : 'but the store of STORAGE_URL has none of the bytes: correct STORAGE_URL, DATABASE_URL and HOT_DATABASE_URL, or remove STORAGE_URL if they are still in DATA_DIR';
  throw new StartError(
    `${storedRecordings(count)}, ${remedy}; to abandon the audio, set FORGET_RECORDINGS=${count}.`,
  );
}

/**
 * Rejects another bucket than the one that an interrupted command has filled.
 * @throws StartError
 */
export async function rejectOtherBucket(store: Pick<StoreOfObjects, 'hasLostObjects'>): Promise<void> {
  if (await store.hasLostObjects())
    throw new StartError(
      'The database names objects that the bucket and prefix of STORAGE_URL do not have: correct STORAGE_URL, or use an empty database.',
    );
}
