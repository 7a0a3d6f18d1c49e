/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const deadlockDetected = '40P01';

/** Returns the code of an error of PostgreSQL; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Whether PostgreSQL undid a statement or transaction to resolve a deadlock. */
export const isDeadlock = (error: unknown): boolean => codeOf(error) === deadlockDetected;
