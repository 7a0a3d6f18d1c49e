import { createHmac, randomBytes } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { hour, second } from '#base/duration.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { countedNetwork, type IsClientNetwork } from '#server/http/client-network.ts';
import { rateLimited } from '#server/http/rate-limited.ts';
import type { Database } from '#server/storage/database/database.ts';
import { type AccountFailures, failuresInDatabase, failuresInMemory } from './account-failures.ts';

/** Counts calls per key. */
export interface Limiter {
  /**
   * Counts a call.
   * @throws rate-limited (429)
   */
  consume(key: string): Promise<void>;
  /** Takes one call back. */
  reward(key: string): Promise<void>;
  /** Forgets the calls of a key. */
  delete(key: string): Promise<void>;
  /** Counts the calls of all whose network is not known together; null: they are not counted. */
  together: Pick<Limiter, 'consume' | 'reward'> | null;
}

/**
 * So many times as much as one network all clients may do together whose network is not known, as behind a proxy that
 * hides it.
 */
const togetherFactor = 20;
/**
 * The longest time for which these are counted together. One of them can use up the count for all others, so it must
 * end soon.
 */
const maxTogetherMs = hour;
const togetherKey = 'unknown networks';

/** A limiter in this process: `points` per `durationMs` for each key. */
const inMemory = (points: number, durationMs: number): RateLimiterMemory =>
  new RateLimiterMemory({ points, duration: durationMs / second });

/** Runs the statements of the library on the pool of the database. */
const clientOf = ({ queries }: Database) => ({
  query: ({ text, values = [] }: { text: string; values?: unknown[] }) =>
    queries.executeQuery(CompiledQuery.raw(text, values)),
});

/** Hashes with a key of this process. */
function processHash(): SecretBox['hash'] {
  const key = randomBytes(32);
  return (text, purpose) => createHmac('sha256', key).update(`${purpose} ${text}`).digest('base64url');
}

/**
 * Creates limiters. On PostgreSQL all servers of the database count together; on SQLite there is only one. While the
 * database does not respond, each server limits calls alone. Keys are hashed, so that neither a memory dump nor the
 * database reveals an address.
 */
export class Limiters {
  readonly #database: Database | null;
  readonly #hash: SecretBox['hash'];

  /** @param shared where to count together with other servers; without it each process counts alone */
  constructor(shared: { database: Database; secrets: SecretBox } | null = null) {
    this.#database = shared?.database.dialect === 'postgres' ? shared.database : null;
    this.#hash = shared === null ? processHash() : (...given) => shared.secrets.hash(...given);
  }

  /** @param name identifies what is counted, the same on every server */
  limiter(name: string, points: number, durationMs: number): Limiter {
    const together =
      durationMs <= maxTogetherMs
        ? this.#keyed(`${name}-together`, points * togetherFactor, durationMs)
        : null;
    return { ...this.#keyed(name, points, durationMs), together };
  }

  #keyed(name: string, points: number, durationMs: number): Omit<Limiter, 'together'> {
    const limit =
      this.#database === null ? inMemory(points, durationMs) : this.#shared(name, points, durationMs);
    const keyOf = (key: string): string => this.#hash(key, `limit ${name}`);
    return {
      async consume(key) {
        try {
          await limit.consume(keyOf(key));
        } catch (error) {
          if (error instanceof RateLimiterRes) throw rateLimited(error.msBeforeNext);
          throw error;
        }
      },
      async reward(key) {
        await limit.reward(keyOf(key));
      },
      async delete(key) {
        await limit.delete(keyOf(key));
      },
    };
  }

  /** @param freeFailures how many failures an account has before it waits */
  accountFailures(freeFailures: number): AccountFailures {
    const failures =
      this.#database === null
        ? failuresInMemory(freeFailures)
        : failuresInDatabase(this.#database, freeFailures);
    const keyOf = (account: string): string => this.#hash(account, 'sign-in failures');
    return {
      waitMs: (account, nowMs) => failures.waitMs(keyOf(account), nowMs),
      count: (account, nowMs) => failures.count(keyOf(account), nowMs),
      forget: (account) => failures.forget(keyOf(account)),
    };
  }

  #shared(name: string, points: number, durationMs: number): RateLimiterPostgres {
    return new RateLimiterPostgres({
      storeClient: this.#database === null ? null : clientOf(this.#database),
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      // The sweep of the accounts feature deletes them.
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: durationMs / second,
      // An attack costs no more writes once it is blocked.
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: inMemory(points, durationMs),
    });
  }
}

/** The count of the network of an address. If it belongs to none, that of all others like it, if there is one. */
export function networkCount(
  limit: Limiter,
  ip: string,
  isClientNetwork: IsClientNetwork,
): {
  /** @throws rate-limited (429) */
  consume: () => Promise<void>;
  reward: () => Promise<void>;
} {
  const network = countedNetwork(ip, isClientNetwork);
  const [count, key] = network === null ? [limit.together, togetherKey] : [limit, network];
  return { consume: async () => count?.consume(key), reward: async () => count?.reward(key) };
}
