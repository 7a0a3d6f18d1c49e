import { isCausedBy } from './caused-by.ts';

/** The `code` of errors that mean: the store does not respond now, and the same call can succeed later. */
export const unavailableCode = 'ESTOREUNAVAILABLE';

/** Whether an error or one of its causes means that a store does not respond now. */
export const isUnavailableError = (error: unknown): boolean =>
  isCausedBy(error, (cause) => 'code' in cause && cause.code === unavailableCode);
