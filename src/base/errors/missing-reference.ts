import { isCausedBy } from './caused-by.ts';
import { codeOf } from './code-of.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresForeignKeyViolation = '23503';
/** https://sqlite.org/rescode.html#constraint_foreignkey */
const sqliteForeignKeyViolation = 787;

/**
 * Whether a database rejected a row because the row that it belongs to is gone: a recording was purged, for example,
 * after the request had found it.
 */
export const isMissingReferenceError = (error: unknown): boolean =>
  isCausedBy(
    error,
    (cause) =>
      codeOf(cause) === postgresForeignKeyViolation ||
      ('errcode' in cause && cause.errcode === sqliteForeignKeyViolation),
  );
