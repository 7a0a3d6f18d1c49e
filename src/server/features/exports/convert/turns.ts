import { ProblemError } from '#server/http/problem.ts';

interface Waiting {
  userId: string;
  start: () => void;
}

/**
 * Limits concurrent work: `most` at a time, `mostOfUser` of them of one user, and at most `mostWaitingOfUser` queued
 * per user; further ones are rejected (rate-limited). The next turn goes to the waiting user who was served longest
 * ago.
 */
export class Turns {
  readonly #most: number;
  readonly #mostOfUser: number;
  readonly #mostWaitingOfUser: number;
  /** In order of arrival. */
  #waiting: Waiting[] = [];
  /** The user of each running turn. */
  readonly #running: string[] = [];
  /** Users in the order in which they were last served; only those that are waiting or running. */
  readonly #served = new Set<string>();

  constructor({
    most,
    mostOfUser = 1,
    mostWaitingOfUser,
  }: {
    most: number;
    mostOfUser?: number;
    mostWaitingOfUser: number;
  }) {
    this.#most = most;
    this.#mostOfUser = mostOfUser;
    this.#mostWaitingOfUser = mostWaitingOfUser;
  }

  /** Whether someone waits until a turn of this user, or any turn, ends. */
  isAwaited(userId: string): boolean {
    return this.#waiting.some(
      (one) => this.#running.length >= this.#most || (one.userId === userId && this.#isFull(userId)),
    );
  }

  /** Waits for a turn. Returns the function that ends the turn. Aborting ends the wait with the signal's reason. */
  async take(userId: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.filter((one) => one.userId === userId).length >= this.#mostWaitingOfUser)
      throw new ProblemError('rate-limited', { retryAfterSeconds: 30 });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { userId, start: resolve };
    const leave = (): void => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      reject(signal.reason instanceof Error ? signal.reason : new Error('the request was aborted'));
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    this.#fill();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
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
    while (this.#running.length < this.#most) {
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

  #isFull(userId: string): boolean {
    return this.#running.filter((running) => running === userId).length >= this.#mostOfUser;
  }

  #next(): Waiting | undefined {
    const free = this.#waiting.filter(({ userId }) => !this.#isFull(userId));
    const order = [...this.#served];
    const turnOf = ({ userId }: Waiting): number => order.indexOf(userId);
    return free.toSorted((a, b) => turnOf(a) - turnOf(b))[0];
  }
}
