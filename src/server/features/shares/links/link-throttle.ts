import { BoundedMap } from '#base/bounded-map.ts';
import type { Clock } from '#base/clock.ts';
import { minute } from '#base/duration.ts';
import { countedNetwork, type IsClientNetwork } from '#server/http/client-network.ts';
import { rateLimited } from '#server/http/rate-limited.ts';

const maxBuckets = 100_000;

/** A token bucket: `size` calls at once, and one more after each `refillMs`. */
interface BucketRule {
  size: number;
  refillMs: number;
}

interface Bucket {
  /** When the bucket will be full again. */
  fullAtMs: number;
}

/** Counts calls by key in memory. */
class Buckets {
  readonly #rule: BucketRule;
  readonly #clock: Clock;
  readonly #buckets = new BoundedMap<string, Bucket>(maxBuckets);

  constructor(rule: BucketRule, clock: Clock) {
    this.#rule = rule;
    this.#clock = clock;
  }

  /** Counts a call. Runs synchronously, so that simultaneous calls count each other. @throws rate-limited (429) */
  consume(key: string): void {
    const { size, refillMs } = this.#rule;
    const nowMs = this.#clock.nowMs();
    const fullAtMs = Math.max(nowMs, this.#buckets.get(key)?.fullAtMs ?? nowMs) + refillMs;
    const waitMs = fullAtMs - nowMs - size * refillMs;
    if (waitMs > 0) throw rateLimited(waitMs);
    this.#buckets.set(key, { fullAtMs });
  }

  /** Reverts the count of a call. */
  refund(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.fullAtMs -= this.#rule.refillMs;
  }
}

const defaultRules = {
  /** Passwords for one link from one network. */
  unlock: { size: 5, refillMs: minute },
  /** Passwords that one owner sets. */
  ownPassword: { size: 10, refillMs: minute / 10 },
  /** Tokens that never belonged to a link, from one network. Nothing else of the network is limited by them. */
  unknown: { size: 60, refillMs: minute / 60 },
} as const;

/** Slows down guessing of tokens and passwords. A network whose clients are unknown is not limited. */
export class LinkThrottle {
  readonly #isClientNetwork: IsClientNetwork;
  readonly #unlocks: Buckets;
  readonly #ownPasswords: Buckets;
  readonly #unknown: Buckets;

  constructor({ clock, isClientNetwork }: { clock: Clock; isClientNetwork: IsClientNetwork }) {
    this.#isClientNetwork = isClientNetwork;
    this.#unlocks = new Buckets(defaultRules.unlock, clock);
    this.#ownPasswords = new Buckets(defaultRules.ownPassword, clock);
    this.#unknown = new Buckets(defaultRules.unknown, clock);
  }

  /**
   * Counts a password before it is hashed; `unlocked` reverts this.
   * @throws rate-limited (429)
   */
  consumeUnlock(shareId: string, ip: string): void {
    this.#unlocks.consume(this.#unlockKey(shareId, ip));
  }

  /** Reverts the count of the right password. */
  unlocked(shareId: string, ip: string): void {
    this.#unlocks.refund(this.#unlockKey(shareId, ip));
  }

  /**
   * Counts a password that an owner sets, before it is hashed.
   * @throws rate-limited (429)
   */
  consumeOwnPassword(userId: string): void {
    this.#ownPasswords.consume(userId);
  }

  /**
   * Counts an unknown token.
   * @throws rate-limited (429)
   */
  consumeUnknown(ip: string): void {
    const network = countedNetwork(ip, this.#isClientNetwork);
    if (network !== null) this.#unknown.consume(network);
  }

  /** Where the clients of an address are unknown, passwords are counted for all of them together. */
  #unlockKey(shareId: string, ip: string): string {
    return `${shareId} ${countedNetwork(ip, this.#isClientNetwork) ?? ''}`;
  }
}
