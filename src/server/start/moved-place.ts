import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '#server/config.ts';
import { parseStorageUrl } from '#server/storage/blobs/storage-url.ts';
import { hasUnfinishedMove } from '#server/storage/database/unfinished-move.ts';
import type { Database } from '#server/storage/database/database.ts';
import { StartError } from '#server/start-error.ts';
import { writeDurably } from './write-durably.ts';

const markerSchema = z.object({ to: z.string(), at: z.string() });

/** The file that marks an installation whose recordings are in another place from now on. */
export const movedMarkerOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'moved.json');

export const wasMoved = (config: Pick<Config, 'dataDir'>): boolean => existsSync(movedMarkerOf(config));

/** Names a place without its secrets. */
export function placeText({ databaseUrl, storageUrl }: Pick<Config, 'databaseUrl' | 'storageUrl'>): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  const location = parseStorageUrl(storageUrl);
  const bucket = location === null ? storageUrl : `s3://${location.bucket}/${location.prefix}`;
  return `${bucket} and the database ${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}

/** From now on, no server starts on the old place. */
export const markMoved = (
  from: Pick<Config, 'dataDir'>,
  { to, at }: { to: string; at: string },
): Promise<void> => writeDurably(movedMarkerOf(from), Buffer.from(JSON.stringify({ to, at })));

/**
 * Rejects an installation that was moved, so that nothing more is recorded into it.
 * @throws StartError
 */
export function rejectMoved(config: Pick<Config, 'dataDir' | 'storageUrl'>): void {
  // The new place may use the same folder for its lock and its secret key.
  if (parseStorageUrl(config.storageUrl) !== null || !wasMoved(config)) return;
  const path = movedMarkerOf(config);
  let text = 'another place';
  try {
    const { to, at } = markerSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    text = `${to} at ${at}`;
  } catch {
    // The file alone says enough.
  }
  throw new StartError(
    `The recordings of DATA_DIR=${config.dataDir} were moved to ${text}: start with the settings of the new place (STORAGE_URL, DATABASE_URL, SECRET_KEY). To record here again, without the recordings made there since, delete ${path}.`,
  );
}

/**
 * Rejects a new place to which not everything has been moved.
 * @throws StartError
 */
export async function rejectUnfinishedMove(
  { storageUrl }: Pick<Config, 'storageUrl'>,
  database: Database,
): Promise<void> {
  if (parseStorageUrl(storageUrl) === null || !(await hasUnfinishedMove(database))) return;
  throw new StartError(
    'The move to STORAGE_URL is not complete: stop the server on the old place, and run "earshot move --finish" with its settings.',
  );
}
