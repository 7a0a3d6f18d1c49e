import { ProblemError } from '../../../http/problem.ts';

/** Lets so many work at once and so many more wait; who comes after those is told to try again (rate-limited). */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  readonly #most: number;
  readonly #mostWaiting: number;
  #running = 0;

  constructor({ most, mostWaiting }: { most: number; mostWaiting: number }) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Waits for a turn; call what it gives when it is over. An abort ends the waiting with its reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#running < this.#most) this.#running += 1;
    else await this.#wait(signal);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting) throw new ProblemError('rate-limited', { retryAfterSeconds: 30 });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = (): void => { resolve(); };
    const leave = (): void => {
      const index = this.#waiting.indexOf(begin);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(signal.reason instanceof Error ? signal.reason : new Error('the request was aborted'));
    };
    this.#waiting.push(begin);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
