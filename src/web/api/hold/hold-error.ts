export type HoldErrorCode =
  | 'login-cancelled'
  | 'reauthentication-cancelled'
  | 'hold-declined'
  | 'hold-timeout'
  | 'hold-overflow'
  | 'principal-changed'
  | 'not-replayable';

/** Why a request ended without an answer of the server's. */
export class HoldError extends Error {
  readonly code: HoldErrorCode;

  constructor(code: HoldErrorCode) {
    super(code);
    this.name = 'HoldError';
    this.code = code;
  }
}
