import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { ProblemError } from '#server/http/problem.ts';

/** What one argon2id hash costs: memory in KiB, passes over it, lanes. */
export interface HashCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** OWASP's first choice: 46 MiB, one pass, one lane; about 28 ms of a core. */
const usualCost: HashCost = { memoryCost: 46 * 1024, timeCost: 1, parallelism: 1 };
const mostWaiting = 128;

/**
 * Limits how many hashes run at once. Others wait in turn, and beyond a limit they are rejected: hashing
 * must not exhaust the machine.
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

/** The same characters, however a keyboard composes them; nothing is trimmed (NIST SP 800-63B-4 §3.1.1.2). */
const normalised = (password: string): string => password.normalize('NFKC');

/** Hashes and checks passwords with argon2id. */
export class Passwords {
  readonly #semaphore = new Semaphore(availableParallelism());
  readonly #cost: HashCost;
  #dummyHash: Promise<string> | null = null;

  constructor(cost: HashCost = usualCost) {
    this.#cost = cost;
  }

  /** A PHC string with a salt of its own. Throws rate-limited (429) when too many wait. */
  hash(password: string): Promise<string> {
    return this.#semaphore.run(() => hash(normalised(password), this.#cost));
  }

  /**
   * Whether a password matches a hash. Without a hash (an unknown user) it takes as long and returns false.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    this.#dummyHash ??= hash(randomBytes(32), this.#cost);
    const against = passwordHash ?? (await this.#dummyHash);
    const fits = await this.#semaphore.run(() => verify(against, normalised(password)));
    return fits && passwordHash !== null;
  }

  /**
   * Whether a hash was made at another cost than today's, and should be made again while the password is at
   * hand.
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
