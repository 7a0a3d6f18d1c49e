import { createEmitter } from '#base/emitter.ts';

export interface AuthEvents {
  /** A request needs a session and there is none. Emitted once per episode; the request is held. */
  'login-required': { code: string; url: string };
  /** The server confirmed who is signed in. Held requests are sent again after the listeners have run. */
  'login-confirmed': { userId: string };
  /** The user closed the sign-in dialog; every held request was rejected. */
  'login-cancelled': Record<never, never>;
  /** A 403 response, which the caller receives too. */
  forbidden: { code: string; url: string };
  /** The action needs a recent proof of identity. */
  'reauthentication-required': { url: string };
  /**
   * A different user than the page last showed has signed in, also with a sign-out in between. The previous user's
   * data is already gone from the page.
   */
  'principal-changed': { from: string; to: string };
}

export const authEvents = createEmitter<AuthEvents>();
