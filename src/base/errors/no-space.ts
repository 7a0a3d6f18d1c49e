import { isCausedBy } from './caused-by.ts';

/**
 * The disk is full, the quota of the system is used up, and PostgreSQL's disk_full
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const noSpaceCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** SQLite's own number for a full disk: https://sqlite.org/rescode.html#full */
const sqliteFull = 13;

/**
 * Whether an error, or what caused it, is that there is no space: on the disk of a file or of either
 * database, or beside what is reserved.
 */
export const isNoSpaceError = (error: unknown): boolean =>
  isCausedBy(
    error,
    (cause) =>
      ('code' in cause && noSpaceCodes.has(cause.code)) ||
      ('errcode' in cause && cause.errcode === sqliteFull),
  );
