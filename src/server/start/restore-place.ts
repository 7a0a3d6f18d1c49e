import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Config } from '#server/config.ts';
import { configuredKey, secretKeyPathOf } from '#server/secret-key.ts';
import { fingerprintOf } from '#server/storage/key-fingerprint.ts';
import { freeBytes } from './explain/explain-files.ts';
import { StartError } from '#server/start-error.ts';
import { writeDurably } from './write-durably.ts';

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

const markerPath = (dataDir: string): string => join(dataDir, 'restoring.json');
const markerSchema = z.object({ backup: z.string() });

/** Returns the backup whose restore into `DATA_DIR` has begun and not ended; null if there is none. */
function interruptedRestore(dataDir: string): string | null {
  try {
    return markerSchema.parse(JSON.parse(readFileSync(markerPath(dataDir), 'utf8'))).backup;
  } catch {
    return existsSync(markerPath(dataDir)) ? '' : null;
  }
}

const interruptedText = (backup: string, dataDir: string): string =>
  `The restore of ${backup === '' ? 'a backup' : `the backup ${backup}`} into DATA_DIR=${dataDir} was interrupted`;

/**
 * Rejects an installation that was restored only in part.
 * @throws StartError
 */
export function rejectInterruptedRestore({ dataDir }: Pick<Config, 'dataDir'>): void {
  const backup = interruptedRestore(dataDir);
  if (backup !== null)
    throw new StartError(`${interruptedText(backup, dataDir)}: run "earshot restore" again to continue it.`);
}

const hasEntries = (directory: string): boolean => existsSync(directory) && readdirSync(directory).length > 0;

/** Tables that have rows in a database without accounts and recordings, right after its migrations. */
const filledByMigrations = /^(sqlite_|schema_migrations$|recording_words_index)/;

/** Whether a database file has rows; true if it cannot be read. */
function hasRowsIn(path: string): boolean {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return database
        .prepare("select name from sqlite_schema where type = 'table'")
        .all()
        .map(({ name }) => String(name))
        .filter((name) => !filledByMigrations.test(name))
        .some(
          (name) =>
            database.prepare(`select 1 from "${name.replaceAll('"', '""')}" limit 1`).get() !== undefined,
        );
    } finally {
      database.close();
    }
  } catch {
    return true;
  }
}

const notEmpty = (what: string): StartError =>
  new StartError(
    `${what}: a backup can only be restored into an empty installation. Set DATA_DIR (and DATABASE_URL) to new ones, or move the old files away.`,
  );

/**
 * Checks that `DATA_DIR` has no recordings and no database with rows, unless the restore of the same backup was
 * interrupted.
 * @returns whether an interrupted restore continues
 * @throws StartError when it is not empty
 */
export function assertEmptyPlace({ dataDir, databaseUrl }: Place, backup: string): boolean {
  const interrupted = interruptedRestore(dataDir);
  if (interrupted === backup) return true;
  if (interrupted !== null)
    throw new StartError(
      interrupted === ''
        ? `${interruptedText('', dataDir)} before anything was written: delete ${markerPath(dataDir)}, then run the command again.`
        : `${interruptedText(interrupted, dataDir)}: continue it with --snapshot ${interrupted}, or empty DATA_DIR.`,
    );
  if (hasEntries(join(dataDir, 'blobs', 'recordings'))) throw notEmpty(`DATA_DIR=${dataDir} has recordings`);
  const path = join(dataDir, 'earshot.db');
  if (databaseUrl === '' && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0 && hasRowsIn(path))
    throw notEmpty(`${path} has rows`);
  return false;
}

/** @returns the error for a database that has rows, or other tables than the backup. */
export const databaseNotEmpty = ({ dataDir, databaseUrl }: Place): StartError =>
  notEmpty(
    databaseUrl === ''
      ? `${join(dataDir, 'earshot.db')} is not empty`
      : 'The database of DATABASE_URL is not empty',
  );

/** @returns the error for a database that contains a part of another backup. */
export const otherRestoreUnfinished = (backup: string): StartError =>
  new StartError(
    `The database contains a part of the backup ${backup}, whose restore was interrupted: continue it with --snapshot ${backup}, or use an empty database.`,
  );

/**
 * From now on, the server does not start until the marker is removed. Deletes an embedded database without rows, which
 * may have other migrations than the backup.
 * @param isContinued whether the marker of the same restore exists
 */
export async function markRestoreStarted(
  { dataDir, databaseUrl }: Place,
  { backup, isContinued }: { backup: string; isContinued: boolean },
): Promise<void> {
  if (isContinued) return;
  await writeDurably(markerPath(dataDir), Buffer.from(JSON.stringify({ backup })));
  if (databaseUrl === '')
    for (const ending of ['-wal', '-shm', '']) rmSync(join(dataDir, `earshot.db${ending}`), { force: true });
}

/** The restored installation is complete, or nothing of it was written. */
export function removeRestoreFile({ dataDir }: Pick<Place, 'dataDir'>): void {
  rmSync(markerPath(dataDir), { force: true });
}

/** The key that a database needs, and the one in its backup. */
interface NeededKey {
  /** Null if no server has started on the database. */
  fingerprint: string | null;
  inBackup: Uint8Array | null;
}

const fileKeyBytes = 32;
const mib = 1024 * 1024;

/**
 * Checks that the disk has space for a backup, before anything is written.
 * @param neededBytes what is certainly written below `DATA_DIR`
 * @returns false if the free space is not known
 * @throws StartError
 */
export function assertSpace({ dataDir }: Pick<Place, 'dataDir'>, neededBytes: number): boolean {
  const free = freeBytes(dataDir);
  if (free === null) return false;
  if (free >= neededBytes) return true;
  throw new StartError(
    `The disk under DATA_DIR=${dataDir} is too small: the backup needs ${Math.ceil(neededBytes / mib)} MiB, and ${Math.floor(free / mib)} MiB are free. Free some space, or set DATA_DIR to another disk; nothing was written.`,
  );
}

/**
 * Checks that the installation will have the secret key of its database.
 * @returns the key to write because there is none; null if nothing is missing
 * @throws StartError when the key is missing or another one, unless FORGET_SECRET_KEY is the fingerprint
 */
export function missingKey(
  { dataDir, secretKey, forgetSecretKey }: Pick<Config, 'dataDir' | 'secretKey' | 'forgetSecretKey'>,
  { fingerprint, inBackup }: NeededKey,
): Uint8Array | null {
  if (fingerprint === null || fingerprint === forgetSecretKey) return null;
  const path = secretKeyPathOf(dataDir);
  const name = secretKey === '' ? path : 'SECRET_KEY';
  const giveUp = `to continue without it, set FORGET_SECRET_KEY=${fingerprint}`;
  if (secretKey !== '' || existsSync(path)) {
    const present = fingerprintOf(secretKey === '' ? readFileSync(path) : configuredKey(secretKey));
    if (present === fingerprint) return null;
    throw new StartError(
      `The secret key ${name} (fingerprint ${present}) is not the one of this backup (fingerprint ${fingerprint}): put that one there${secretKey === '' ? '' : ' (that of a file secret.key as base64:…)'}; ${giveUp}.`,
    );
  }
  if (inBackup === null)
    throw new StartError(
      `The backup does not contain the secret key (fingerprint ${fingerprint}): copy secret.key to ${path}, or set SECRET_KEY; ${giveUp}.`,
    );
  if (inBackup.length !== fileKeyBytes)
    throw new StartError(
      `The secret key of this installation was set by SECRET_KEY: set it to the content of secret.key in the backup; ${giveUp}.`,
    );
  return inBackup;
}

/** Writes the secret key of a backup. */
export const writeKey = ({ dataDir }: Pick<Place, 'dataDir'>, key: Uint8Array): Promise<void> =>
  writeDurably(secretKeyPathOf(dataDir), key);
