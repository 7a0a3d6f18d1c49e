import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { StartError } from './start-error.ts';

const entriesOf = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

/** How many recordings have bytes in `DATA_DIR`. */
function countStoredRecordings(dataDir: string): number {
  const recordings = join(dataDir, 'blobs', 'recordings');
  return entriesOf(recordings).filter((id) => entriesOf(join(recordings, id)).some((name) => statSync(join(recordings, id, name), { throwIfNoEntry: false })?.size)).length;
}

/**
 * Refuses a database that knows no recording beside stored ones: it was lost, replaced, or copied without its log. Called before anything is written to it.
 * @throws StartError unless the operator named the number of recordings in FORGET_RECORDINGS
 */
export function refuseLostDatabase({ dataDir, databaseUrl, forgetRecordings }: Pick<Config, 'dataDir' | 'databaseUrl' | 'forgetRecordings'>): void {
  const stored = countStoredRecordings(dataDir);
  if (stored === 0 || stored === forgetRecordings) return;
  const path = join(dataDir, 'earshot.db');
  const [name, remedy] = databaseUrl === ''
    ? [`The database ${path}`, `put back ${path} together with ${path}-wal from where it was copied, or restore a backup`]
    : ['The database of DATABASE_URL', 'correct DATABASE_URL, or restore the database from a backup'];
  throw new StartError(`${name} is missing or knows no recording, but DATA_DIR=${dataDir} stores ${stored}: ${remedy}; only to give up ${stored === 1 ? 'this recording' : 'these recordings'}, set FORGET_RECORDINGS=${stored}.`);
}
