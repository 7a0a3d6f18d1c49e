import { codeOf } from './code-of.ts';
import { isCausedBy } from './caused-by.ts';

/** Codes of a connection that broke, was refused, or finds no way to the server. */
const systemCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
];

/**
 * Codes of a PostgreSQL server that stops, has crashed, starts, lost its connection, has no connection or memory left,
 * cannot use its disk, or became a standby (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const postgresCodes = [
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '53200',
  '53300',
  '58030',
  '25006',
];

const codes: ReadonlySet<string> = new Set([...systemCodes, ...postgresCodes]);

/** The driver `pg` has no codes for these. */
const messages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Query read timeout|timeout exceeded when trying to connect)/;

/** Whether an error or one of its causes means that a connection to a store broke. The same call can succeed later. */
export const isLostConnectionError = (error: unknown): boolean =>
  isCausedBy(error, (cause) => codes.has(codeOf(cause)) || messages.test(cause.message));
