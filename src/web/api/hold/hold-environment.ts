import type { HeldClock, HeldLimits } from './pending-requests.ts';

export type HoldEvent =
  | { type: 'login-required'; code: string; url: string }
  | { type: 'login-confirmed'; principal: string }
  | { type: 'login-cancelled' }
  | { type: 'forbidden'; code: string; url: string }
  | { type: 'reauthentication-required'; url: string }
  | { type: 'principal-changed'; url: string };

/**
 * Hints between tabs of one browser. Anyone on the origin can send them, so a hint only ever causes a
 * question to the server.
 */
interface HoldChannel {
  post(hint: 'confirmed'): void;
  listen(receive: (hint: unknown) => void): void;
}

/** Everything the holder needs from outside. */
export interface HoldEnvironment {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Who the page believes is signed in; null: nobody, or not known yet. */
  principal(): string | null;
  /** Asks the server who is signed in; rejects when it cannot be asked. */
  readPrincipal(): Promise<string | null>;
  /** True for calls that sign in or out: never held, and sent without an expected principal. */
  isAuthCall(url: string): boolean;
  emit(event: HoldEvent): void;
  /**
   * Asks the person whether this many writes, which waited for long, are still wanted; false, and a failure,
   * reject them.
   */
  askToSend(writes: number): Promise<boolean>;
  clock: HeldClock;
  limits: HeldLimits;
  /** Sent with every attempt. */
  headers: Record<string, string>;
  /** A key that no other request has: the server tells a repetition by it. */
  newKey(): string;
  channel: HoldChannel | null;
}
