import { codeOf } from './code-of.ts';
import { isCausedBy } from './caused-by.ts';

/**
 * Codes of a connection that broke or was refused, and of a PostgreSQL server that stops, has crashed or starts
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const codes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
]);

/** The driver `pg` has no codes for these. */
const messages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** Whether an error or one of its causes means that a connection to a store broke. The same call can succeed later. */
export const isLostConnectionError = (error: unknown): boolean =>
  isCausedBy(error, (cause) => codes.has(codeOf(cause)) || messages.test(cause.message));
