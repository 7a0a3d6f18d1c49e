import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { second } from '#base/duration.ts';
import { Turns } from '#server/http/turns.ts';

/** The cost of an argon2id hash: memory in KiB, passes, lanes. */
export interface HashCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** OWASP's first recommendation: 46 MiB, one pass, one lane; about 28 ms on one core. */
const defaultCost: HashCost = { memoryCost: 46 * 1024, timeCost: 1, parallelism: 1 };
const maxWaiting = 128;
const retryAfterMs = 2 * second;

/** Who wants a password hashed or compared. */
export interface HashFor {
  /** `sign-in`: somebody who wants to get into their account, and comes before everything else. */
  purpose: 'sign-in' | 'link';
  /** Shares the processors equally with the other clients of the purpose: a user, or an IP address where none is signed in. */
  client: string;
  /** How many may wait for this client; by default as many as in all. */
  maxWaitingPerClient?: number;
  /** Called before hashing, once it is this request's turn. It may throw because something changed meanwhile. */
  beforeHashing?: () => Promise<void>;
}

/**
 * Normalises to NFKC, because keyboards compose characters differently. Nothing is trimmed (NIST SP 800-63B-4
 * §3.1.1.2).
 */
const normalised = (password: string): string => password.normalize('NFKC');

/** Hashes and verifies passwords with argon2id. */
export class Passwords {
  /** Hashing must not exhaust the machine. */
  readonly #turns = new Turns({
    max: availableParallelism(),
    maxPerUser: availableParallelism(),
    maxWaitingPerUser: maxWaiting,
    maxWaiting,
    retryAfterMs,
  });
  readonly #cost: HashCost;
  #dummyHash: Promise<string> | null = null;

  constructor(cost: HashCost = defaultCost) {
    this.#cost = cost;
  }

  /**
   * Returns a PHC string with a random salt.
   * @throws rate-limited (429) if too many calls are queued
   */
  hash(password: string, by: HashFor): Promise<string> {
    return this.#inTurn(by, () => hash(normalised(password), this.#cost));
  }

  /**
   * Returns whether a password matches a hash. Without a hash (an unknown user) it takes as long and returns
   * false, so that timing does not reveal which accounts exist.
   * @throws rate-limited (429) if too many calls are queued
   */
  async verify(passwordHash: string | null, password: string, by: HashFor): Promise<boolean> {
    this.#dummyHash ??= hash(randomBytes(32), this.#cost);
    const against = passwordHash ?? (await this.#dummyHash);
    const fits = await this.#inTurn(by, () => verify(against, normalised(password)));
    return fits && passwordHash !== null;
  }

  async #inTurn<Result>(
    { purpose, client, maxWaitingPerClient = maxWaiting, beforeHashing }: HashFor,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const end = await this.#turns.take(`${purpose} ${client}`, {
      isFirst: purpose === 'sign-in',
      maxWaitingPerUser: maxWaitingPerClient,
    });
    try {
      await beforeHashing?.();
      return await work();
    } finally {
      end();
    }
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
