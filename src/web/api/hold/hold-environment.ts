import type { HeldClock, HeldLimits } from './pending-requests.ts';

export type HoldEvent =
  | { type: 'login-required'; code: string; url: string }
  | { type: 'login-confirmed'; principal: string }
  | { type: 'login-cancelled' }
  | { type: 'forbidden'; code: string; url: string }
  | { type: 'reauthentication-required'; url: string }
  | { type: 'principal-changed'; url: string };

/**
 * Hints between the tabs of one browser. Any script of the origin can send them, so a hint only triggers a request
 * to the server.
 */
interface HoldChannel {
  post(hint: 'confirmed'): void;
  listen(receive: (hint: unknown) => void): void;
}

/** The dependencies of the hold client. */
export interface HoldEnvironment {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** The user that the page believes is signed in; null if none, or not known yet. */
  principal(): string | null;
  /** Asks the server who is signed in; rejects if it cannot be reached. */
  readPrincipal(): Promise<string | null>;
  /** True for calls that sign in or out, which are never held and are sent without an expected principal. */
  isAuthCall(url: string): boolean;
  emit(event: HoldEvent): void;
  /** Asks the user whether these old writes are still wanted. False, or a rejection, rejects them. */
  confirmSending(writes: number): Promise<boolean>;
  clock: HeldClock;
  limits: HeldLimits;
  /** Sent with every attempt. */
  headers: Record<string, string>;
  /** A unique key by which the server recognises a repetition. */
  newKey(): string;
  channel: HoldChannel | null;
}
