import type { HoldReason } from './episode.ts';
import type { ReplayableRequest } from './replayable-request.ts';
import { HoldError } from './hold-error.ts';

/** One request through its attempts. */
export interface Entry {
  readonly request: ReplayableRequest;
  /** The user the page believed was signed in when the request was made; null if none. */
  readonly principal: string | null;
  /** It signs a user in or out, so it belongs to no user. */
  readonly isAuthCall: boolean;
  readonly mayBeHeld: boolean;
  /** Numbers the requests of the page, so that writes can be sent in the order they were made. */
  readonly number: number;
  /** The longest wait, in milliseconds; null for the general limit. */
  readonly maxHoldMs: number | null;
  tries: number;
  /** The number of ended episodes of each kind at the last attempt. */
  sentAt: Readonly<Record<HoldReason, number>>;
}

export interface Held {
  readonly entry: Entry;
  readonly reason: HoldReason;
  readonly sinceMs: number;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

export interface HeldLimits {
  maxMs: number;
  max: number;
  /** Of all waiting bodies together. */
  maxBytes: number;
  /** A write that waited longer is sent only if the user confirms it. */
  confirmAfterMs: number;
}

/** A clock in milliseconds, and timers that can be cancelled. */
export interface HeldClock {
  nowMs(): number;
  /** Runs `action` after `delayMs` unless the returned function is called first. */
  schedule(delayMs: number, action: () => void): () => void;
}

/** Waiting requests. Each ends: released, cancelled, aborted, timed out, or rejected because there are too many. */
export class PendingRequests {
  readonly #limits: HeldLimits;
  readonly #clock: HeldClock;
  readonly #held = new Map<Held, () => void>();

  constructor(limits: HeldLimits, clock: HeldClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get size(): number {
    return this.#held.size;
  }

  /** The number of waiting requests that match. */
  count(isMeant: (held: Held) => boolean): number {
    return [...this.#held.keys()].filter(isMeant).length;
  }

  /** Waits until this entry is released or rejected. */
  add(entry: Entry, reason: HoldReason): Promise<Response> {
    const { signal, sizeBytes } = entry.request;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!this.#fits(sizeBytes)) return Promise.reject(new HoldError('hold-overflow'));
    return new Promise<Response>((resolve, reject) => {
      const held: Held = { entry, reason, sinceMs: this.#clock.nowMs(), resolve, reject };
      const drop = (cause: unknown) => {
        this.#detach(held);
        reject(cause);
      };
      const handleAbort = () => drop(signal?.reason);
      const stopTimer = this.#clock.schedule(entry.maxHoldMs ?? this.#limits.maxMs, () =>
        drop(new HoldError('hold-timeout')),
      );
      signal?.addEventListener('abort', handleAbort, { once: true });
      this.#held.set(held, () => {
        stopTimer();
        signal?.removeEventListener('abort', handleAbort);
      });
    });
  }

  /** Removes and returns the matching requests in the order they were made. The caller has to settle them. */
  take(isMeant: (held: Held) => boolean): Held[] {
    const taken = [...this.#held.keys()].filter(isMeant).toSorted((a, b) => a.entry.number - b.entry.number);
    for (const held of taken) this.#detach(held);
    return taken;
  }

  #fits(sizeBytes: number): boolean {
    const bytes = [...this.#held.keys()].reduce((sum, held) => sum + held.entry.request.sizeBytes, sizeBytes);
    return this.#held.size < this.#limits.max && bytes <= this.#limits.maxBytes;
  }

  #detach(held: Held): void {
    this.#held.get(held)?.();
    this.#held.delete(held);
  }
}
