import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { ProblemError } from '#server/http/problem.ts';

/** The cost of an argon2id hash: memory in KiB, passes, lanes. */
export interface HashCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** OWASP's first recommendation: 46 MiB, one pass, one lane; about 28 ms on one core. */
const usualCost: HashCost = { memoryCost: 46 * 1024, timeCost: 1, parallelism: 1 };
const mostWaiting = 128;

/**
 * Limits the number of concurrent hashes. Further calls are queued, and rejected when the queue is full, so that
 * hashing can't exhaust the machine.
 */
class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number) {
    this.#free = permits;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= mostWaiting)
      throw new ProblemError('rate-limited', { retryAfterSeconds: 2, headers: { 'Retry-After': '2' } });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

/**
 * Normalises to NFKC, because keyboards compose characters differently. Nothing is trimmed (NIST SP 800-63B-4
 * §3.1.1.2).
 */
const normalised = (password: string): string => password.normalize('NFKC');

/** Hashes and verifies passwords with argon2id. */
export class Passwords {
  readonly #semaphore = new Semaphore(availableParallelism());
  readonly #cost: HashCost;
  #dummyHash: Promise<string> | null = null;

  constructor(cost: HashCost = usualCost) {
    this.#cost = cost;
  }

  /**
   * Returns a PHC string with a random salt.
   * @throws rate-limited (429) if too many calls are queued
   */
  hash(password: string): Promise<string> {
    return this.#semaphore.run(() => hash(normalised(password), this.#cost));
  }

  /**
   * Returns whether a password matches a hash. Without a hash (an unknown user) it takes as long and returns
   * false, so that timing does not reveal which accounts exist.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    this.#dummyHash ??= hash(randomBytes(32), this.#cost);
    const against = passwordHash ?? (await this.#dummyHash);
    const fits = await this.#semaphore.run(() => verify(against, normalised(password)));
    return fits && passwordHash !== null;
  }

  /**
   * Returns whether a hash has another cost than the current one, and should be replaced while the password is
   * known.
   */
  isOutdated(passwordHash: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(passwordHash);
    return (
      memoryCost !== this.#cost.memoryCost ||
      timeCost !== this.#cost.timeCost ||
      parallelism !== this.#cost.parallelism
    );
  }
}
