import { isCausedBy } from './caused-by.ts';
import { codeOf } from './code-of.ts';

/**
 * Full disk, exhausted system quota, and PostgreSQL's disk_full
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const noSpaceCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100']);
/**
 * PostgreSQL rejects a new connection with this internal error when its disk has no space for the cache of a database's
 * catalogues (`write_item` in relcache.c).
 */
export const isInitFileFailure = (error: Error): boolean =>
  codeOf(error) === 'XX000' && error.message === 'could not write init file';
/** SQLite's code for a full disk: https://sqlite.org/rescode.html#full */
const sqliteFull = 13;

/**
 * Whether an error or one of its causes means that there is no space: on the disk of a file or a database, or
 * beyond the reserve.
 */
export const isNoSpaceError = (error: unknown): boolean =>
  isCausedBy(
    error,
    (cause) =>
      ('code' in cause && noSpaceCodes.has(cause.code)) ||
      ('errcode' in cause && cause.errcode === sqliteFull) ||
      isInitFileFailure(cause),
  );
