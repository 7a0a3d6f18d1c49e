import { HoldError } from './hold-error.ts';
import type { FrozenRequest } from './frozen-request.ts';

/** One request through its attempts. */
export interface Entry {
  readonly request: FrozenRequest;
  /** Who the page believed was signed in when the request was made; null: nobody. */
  readonly principal: string | null;
  readonly mayBeHeld: boolean;
  tries: number;
  /** The episode count at the last attempt: smaller than the present one means the attempt was made with the session of before. */
  sentEpoch: number;
}

export interface Held {
  readonly entry: Entry;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

export interface HeldLimits {
  longestMs: number;
  most: number;
}

/** Runs `action` after `delayMs` unless the returned function is called first. */
export type Schedule = (delayMs: number, action: () => void) => () => void;

/** Waiting requests, in the order they came. Each ends: released, cancelled, aborted, timed out or refused for want of room. */
export class HeldRequests {
  readonly #limits: HeldLimits;
  readonly #schedule: Schedule;
  readonly #held = new Map<Held, () => void>();

  constructor(limits: HeldLimits, schedule: Schedule) {
    this.#limits = limits;
    this.#schedule = schedule;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Waits with this entry until it is taken or rejected. */
  add(entry: Entry): Promise<Response> {
    const { signal } = entry.request;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#held.size >= this.#limits.most) return Promise.reject(new HoldError('hold-overflow'));
    return new Promise<Response>((resolve, reject) => {
      const held: Held = { entry, resolve, reject };
      const drop = (reason: unknown) => {
        this.#detach(held);
        reject(reason);
      };
      const handleAbort = () => drop(signal?.reason);
      const stopTimer = this.#schedule(this.#limits.longestMs, () => drop(new HoldError('hold-timeout')));
      signal?.addEventListener('abort', handleAbort, { once: true });
      this.#held.set(held, () => {
        stopTimer();
        signal?.removeEventListener('abort', handleAbort);
      });
    });
  }

  /** Hands over everything that waits, in order; settling it is the taker's duty from here on. */
  takeAll(): Held[] {
    const all = [...this.#held.keys()];
    for (const held of all) this.#detach(held);
    return all;
  }

  #detach(held: Held): void {
    this.#held.get(held)?.();
    this.#held.delete(held);
  }
}
