/** Returns SQLite's extended result code; 0 if the error is not SQLite's. */
export const sqliteCodeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/**
 * Returns the error and the errors it aggregates: a failed connection to several addresses has one error for each.
 */
export const withParts = (error: unknown): unknown[] =>
  error instanceof AggregateError ? [error, ...(error.errors as unknown[])] : [error];

/** Returns the error, its parts, and what caused them. */
export const withCauses = (error: unknown): unknown[] =>
  withParts(error).flatMap((part) =>
    part instanceof Error && part.cause !== undefined ? [part, ...withCauses(part.cause)] : [part],
  );
