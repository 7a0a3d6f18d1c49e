import { codeOf } from './code-of.ts';
import { isCausedBy } from './caused-by.ts';
import { isLostConnectionError } from './lost-connection.ts';
import { isUnavailableError } from './unavailable.ts';

/** What an outage takes away. */
type LostStore = 'database' | 'object-store' | 'disk';

/** The disk does not answer, was mounted read-only after an error, or its file server is gone. */
const diskCodes: ReadonlySet<string> = new Set(['EIO', 'EROFS', 'ESTALE']);
/** SQLite's primary codes for the same: https://sqlite.org/rescode.html#ioerr, https://sqlite.org/rescode.html#readonly */
const sqliteCodes: ReadonlySet<number> = new Set([10, 8]);
const primaryCode = 0xff;

const isFailedDisk = (error: Error): boolean =>
  diskCodes.has(codeOf(error)) ||
  ('errcode' in error && typeof error.errcode === 'number' && sqliteCodes.has(error.errcode & primaryCode));

const isObjectStore = (error: Error): boolean => 'store' in error && error.store === 'object-store';

/**
 * Returns the store that an error or one of its causes shows to be lost, null for any other error. The same call can
 * succeed later. A broken connection counts as the database's: the caller excludes those of clients.
 */
export function lostStoreOf(error: unknown): LostStore | null {
  if (isCausedBy(error, isObjectStore)) return 'object-store';
  if (isUnavailableError(error) || isLostConnectionError(error)) return 'database';
  return isCausedBy(error, isFailedDisk) ? 'disk' : null;
}
