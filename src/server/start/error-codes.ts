/** The symbolic code of an error by Node, the system or PostgreSQL; empty where it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** SQLite's extended result code; 0 where the error is not SQLite's. */
export const sqliteCodeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/**
 * The error and the errors that it gathers: a connection that was tried at several addresses fails with one
 * for each.
 */
export const withParts = (error: unknown): unknown[] =>
  error instanceof AggregateError ? [error, ...(error.errors as unknown[])] : [error];
