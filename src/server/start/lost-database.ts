import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/storage/database/database.ts';
import { StartError } from './start-error.ts';

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
      ? [
          `The database ${path}`,
          `put back ${path} together with ${path}-wal from where it was copied, or restore a backup`,
        ]
      : ['The database of DATABASE_URL', 'correct DATABASE_URL, or restore the database from a backup'];
  throw new StartError(
    `${name} is missing or knows no recording, but DATA_DIR=${dataDir} stores ${stored}: ${remedy}; only to give up ${stored === 1 ? 'this recording' : 'these recordings'}, set FORGET_RECORDINGS=${stored}.`,
  );
}

/**
 * Rejects a folder without any recording's bytes when the database has receipts for some: a disk is not mounted,
 * or the files were lost. The server would otherwise mark every recording as damaged.
 * @throws StartError unless FORGET_RECORDINGS is the number of recordings
 */
export async function rejectLostBlobs(
  { dataDir, forgetRecordings }: Pick<Config, 'dataDir' | 'forgetRecordings'>,
  { queries }: Database,
): Promise<void> {
  if (entriesOf(join(dataDir, 'blobs', 'recordings')).length > 0) return;
  const { count } = await queries
    .selectFrom('uploads')
    .where('sealed_at', 'is not', null)
    .where('size_bytes', '>', 0)
    .select(({ fn }) => fn.count<number>('recording_id').distinct().as('count'))
    .executeTakeFirstOrThrow();
  if (count === 0 || count === forgetRecordings) return;
  throw new StartError(
    `The database knows ${count} stored ${count === 1 ? 'recording' : 'recordings'}, but DATA_DIR=${dataDir} has the files of none: mount the disk with ${join(dataDir, 'blobs')}, correct DATA_DIR, or restore the files from a backup; only to give up their sound, set FORGET_RECORDINGS=${count}.`,
  );
}
