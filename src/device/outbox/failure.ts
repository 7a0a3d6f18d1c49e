/** How to treat a change whose request failed. */
export type CallFailure =
  /** Temporary: no connection, or a server error. */
  | 'later'
  /** The session ended or belongs to another user. The change waits until its own user signs in. */
  | 'other-session'
  /** The server will never accept the change. */
  | 'never';

const otherSession: ReadonlySet<string> = new Set([
  'login-cancelled',
  'principal-changed',
  'session-required',
  'session-expired',
  'hold-timeout',
  'hold-overflow',
  'forbidden',
  'account-disabled',
]);
const never: ReadonlySet<string> = new Set([
  'not-found',
  'purged',
  'validation',
  'malformed-request',
  'already-finished',
]);

/** Classifies an error code of the server or of the connection for a change in the outbox. */
export function failureOfCode(code: string): CallFailure {
  if (never.has(code)) return 'never';
  return otherSession.has(code) ? 'other-session' : 'later';
}
