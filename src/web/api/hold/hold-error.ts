export type HoldErrorCode =
  | 'login-cancelled'
  | 'reauthentication-cancelled'
  | 'hold-declined'
  | 'hold-timeout'
  | 'hold-overflow'
  | 'principal-changed'
  | 'not-replayable';

/** The reason why a request ended without a response of the server. */
export class HoldError extends Error {
  readonly code: HoldErrorCode;

  constructor(code: HoldErrorCode) {
    super(code);
    this.name = 'HoldError';
    this.code = code;
  }
}
