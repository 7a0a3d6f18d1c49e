/** What a failed call means for the change that it carried. */
export type CallFailure =
  /** It passes by itself: no connection, or a server that has a problem. */
  | 'later'
  /** The session ended or belongs to another user: the change waits for its own user. */
  | 'other-session'
  /** The server will never accept it. */
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

/** What an error code of the server, or of the request's way to it, means for a change that is sent later. */
export function failureOfCode(code: string): CallFailure {
  if (never.has(code)) return 'never';
  return otherSession.has(code) ? 'other-session' : 'later';
}
