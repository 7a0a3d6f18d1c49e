import { codeOf } from '#base/errors/code-of.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const deadlockDetected = '40P01';

/** Whether PostgreSQL undid a statement or transaction to resolve a deadlock. */
export const isDeadlock = (error: unknown): boolean => codeOf(error) === deadlockDetected;
