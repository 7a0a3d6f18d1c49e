import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '#server/config.ts';
import { configuredKey, secretKeyPathOf } from '#server/secret-key.ts';
import { fingerprintOf } from './secret-fingerprint.ts';
import { StartError } from './start-error.ts';
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

/**
 * Rejects an installation that was restored only in part.
 * @throws StartError
 */
export function rejectInterruptedRestore({ dataDir }: Pick<Config, 'dataDir'>): void {
  const backup = interruptedRestore(dataDir);
  if (backup !== null)
    throw new StartError(
      `The restore of the backup ${backup} into DATA_DIR=${dataDir} was interrupted: run "earshot restore" again to continue it.`,
    );
}

const hasEntries = (directory: string): boolean => existsSync(directory) && readdirSync(directory).length > 0;

const notEmpty = (what: string): StartError =>
  new StartError(
    `${what}: a backup can only be restored into an empty installation. Set DATA_DIR (and DATABASE_URL) to new ones, or move the old files away.`,
  );

/**
 * Checks that `DATA_DIR` has no recordings and no database, unless the restore of the same backup was interrupted.
 * @returns whether an interrupted restore continues
 * @throws StartError when it is not empty
 */
export function assertEmptyPlace({ dataDir, databaseUrl }: Place, backup: string): boolean {
  const interrupted = interruptedRestore(dataDir);
  if (interrupted === backup) return true;
  if (interrupted !== null)
    throw new StartError(
      `The restore of the backup ${interrupted} into DATA_DIR=${dataDir} was interrupted: continue it with --snapshot ${interrupted}, or empty DATA_DIR.`,
    );
  if (hasEntries(join(dataDir, 'blobs', 'recordings'))) throw notEmpty(`DATA_DIR=${dataDir} has recordings`);
  const path = join(dataDir, 'earshot.db');
  if (databaseUrl === '' && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw notEmpty(`${path} exists`);
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

/** From now on, the server does not start until `markRestoreComplete`. */
export const markRestoreStarted = ({ dataDir }: Place, backup: string): Promise<void> =>
  writeDurably(markerPath(dataDir), Buffer.from(JSON.stringify({ backup })));

/** The restored installation is complete. */
export function markRestoreComplete({ dataDir }: Place): void {
  rmSync(markerPath(dataDir), { force: true });
}

/** The key that a database needs, and the one in its backup. */
interface NeededKey {
  /** Null if no server has started on the database. */
  fingerprint: string | null;
  inBackup: Uint8Array | null;
}

const fileKeyBytes = 32;

/**
 * Checks that the installation will have the secret key of its database, and writes the one of the backup if there is
 * none.
 * @throws StartError when the key is missing or another one, unless FORGET_SECRET_KEY is the fingerprint
 */
export async function restoreKey(
  { dataDir, secretKey, forgetSecretKey }: Pick<Config, 'dataDir' | 'secretKey' | 'forgetSecretKey'>,
  { fingerprint, inBackup }: NeededKey,
): Promise<void> {
  if (fingerprint === null || fingerprint === forgetSecretKey) return;
  const path = secretKeyPathOf(dataDir);
  const name = secretKey === '' ? path : 'SECRET_KEY';
  const giveUp = `to continue without it, set FORGET_SECRET_KEY=${fingerprint}`;
  if (secretKey !== '' || existsSync(path)) {
    const present = fingerprintOf(secretKey === '' ? readFileSync(path) : configuredKey(secretKey));
    if (present === fingerprint) return;
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
  await writeDurably(path, inBackup);
}
