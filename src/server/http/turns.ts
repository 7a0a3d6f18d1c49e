import { second } from '#base/duration.ts';
import { rateLimited } from './rate-limited.ts';

interface Waiting {
  userId: string;
  isFirst: boolean;
  start: () => void;
  leave: (reason: unknown) => void;
}

/** How one request waits. */
export interface TurnOptions {
  /** Ends the wait with its reason. */
  signal?: AbortSignal;
  /** Comes before everyone who is not first. */
  isFirst?: boolean;
  /** How many may wait for this user; by default the limit of the queue. */
  maxWaitingPerUser?: number;
}

/**
 * Limits concurrent work: `max` at a time, `maxPerUser` of them of one user, and at most `maxWaitingPerUser` queued
 * per user and `maxWaiting` together; further ones are rejected (rate-limited). A full queue makes space for a user who
 * has fewer waiting than another. The next turn goes to the waiting user who was served longest ago.
 */
export class Turns {
  readonly #max: number;
  readonly #maxPerUser: number;
  readonly #maxWaitingPerUser: number;
  readonly #maxWaiting: number;
  readonly #retryAfterMs: number;
  /** In order of arrival. */
  #waiting: Waiting[] = [];
  /** The user of each running turn. */
  readonly #running: string[] = [];
  /** Users in the order in which they were last served; only those that are waiting or running. */
  readonly #served = new Set<string>();

  constructor({
    max,
    maxPerUser = 1,
    maxWaitingPerUser,
    maxWaiting = Infinity,
    retryAfterMs = 30 * second,
  }: {
    max: number;
    maxPerUser?: number;
    maxWaitingPerUser: number;
    maxWaiting?: number;
    retryAfterMs?: number;
  }) {
    this.#max = max;
    this.#maxPerUser = maxPerUser;
    this.#maxWaitingPerUser = maxWaitingPerUser;
    this.#maxWaiting = maxWaiting;
    this.#retryAfterMs = retryAfterMs;
  }

  /** Whether someone waits until a turn of this user, or any turn, ends. */
  isAwaited(userId: string): boolean {
    return this.#waiting.some(
      (one) => this.#running.length >= this.#max || (one.userId === userId && this.#isFull(userId)),
    );
  }

  /**
   * Waits for a turn. Returns the function that ends the turn.
   * @throws rate-limited (429) if too many wait
   */
  async take(userId: string, options: TurnOptions = {}): Promise<() => void> {
    const { signal, isFirst = false, maxWaitingPerUser = this.#maxWaitingPerUser } = options;
    signal?.throwIfAborted();
    if (this.#waitingOf(userId) >= maxWaitingPerUser) throw rateLimited(this.#retryAfterMs);
    if (this.#waiting.length >= this.#maxWaiting) this.#makeSpace(userId);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      userId,
      isFirst,
      start: resolve,
      leave: (reason) => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(reason instanceof Error ? reason : new Error('the request was aborted'));
      },
    };
    const aborted = (): void => waiting.leave(signal?.reason);
    this.#waiting.push(waiting);
    signal?.addEventListener('abort', aborted, { once: true });
    this.#fill();
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', aborted);
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running.splice(this.#running.indexOf(userId), 1);
      this.#fill();
    };
  }

  #fill(): void {
    while (this.#running.length < this.#max) {
      const next = this.#next();
      if (next === undefined) break;
      this.#waiting = this.#waiting.filter((one) => one !== next);
      this.#running.push(next.userId);
      this.#served.delete(next.userId);
      this.#served.add(next.userId);
      next.start();
    }
    for (const userId of this.#served) {
      if (!this.#running.includes(userId) && this.#waiting.every((one) => one.userId !== userId))
        this.#served.delete(userId);
    }
  }

  #waitingOf(userId: string): number {
    return this.#waiting.filter((one) => one.userId === userId).length;
  }

  /**
   * Rejects the last request of the user with the most waiting.
   * @throws rate-limited (429) if that is this user
   */
  #makeSpace(userId: string): void {
    const counts = new Map<string, number>();
    for (const one of this.#waiting) counts.set(one.userId, (counts.get(one.userId) ?? 0) + 1);
    const [largest] = [...counts].toSorted(([, a], [, b]) => b - a);
    const problem = rateLimited(this.#retryAfterMs);
    if (largest === undefined || largest[1] <= (counts.get(userId) ?? 0) + 1) throw problem;
    this.#waiting.findLast((one) => one.userId === largest[0])?.leave(problem);
  }

  #isFull(userId: string): boolean {
    return this.#running.filter((running) => running === userId).length >= this.#maxPerUser;
  }

  #next(): Waiting | undefined {
    const free = this.#waiting.filter(({ userId }) => !this.#isFull(userId));
    const order = [...this.#served];
    const turnOf = ({ userId }: Waiting): number => order.indexOf(userId);
    return free.toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst) || turnOf(a) - turnOf(b))[0];
  }
}
