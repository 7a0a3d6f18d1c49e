import { createEmitter } from '#base/emitter.ts';

export interface AuthEvents {
  /** A session was needed and is missing; raised once per episode, the request that met it is held. */
  'login-required': { code: string; url: string };
  /** The server confirmed who is signed in; held requests are sent again after the listeners ran. */
  'login-confirmed': { userId: string };
  /** The person closed the sign-in dialog; every held request was rejected. */
  'login-cancelled': Record<never, never>;
  /** A 403; its caller has the answer too. */
  forbidden: { code: string; url: string };
  /** The action needs a fresh proof of who is there. */
  'reauthentication-required': { url: string };
  /**
   * Another person is signed in than this page was showing last, also by way of nobody; caches are already
   * empty. The app decides when to start afresh.
   */
  'principal-changed': { from: string; to: string };
}

export const authEvents = createEmitter<AuthEvents>();
