import { createHmac, randomBytes } from 'node:crypto';
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import { BoundedMap } from '#base/bounded-map.ts';
import type { Clock } from '#base/clock.ts';
import { day, hour, minute, second } from '#base/duration.ts';
import { clientNetwork } from '#server/http/client-network.ts';
import { rateLimited } from '#server/http/pipeline/rate-limited.ts';
import { consume, consumeForNetwork, limiter, type IsClientNetwork } from './limiter.ts';

export interface ThrottleLimits {
  loginFailuresPerTenMinutes: number;
  loginFailuresPerDay: number;
  /** The number of failures per account before waiting times start. */
  freeLoginFailures: number;
  signUpTriesPerHour: number;
  signUpsPerHour: number;
  signUpsPerAddressPerHour: number;
  mailsPerAddressPerHour: number;
  mailsPerHour: number;
  secondFactorsPerAccountPerHour: number;
  proofsPerTenMinutes: number;
}

const usualLimits: ThrottleLimits = {
  loginFailuresPerTenMinutes: 20,
  loginFailuresPerDay: 100,
  freeLoginFailures: 5,
  signUpTriesPerHour: 60,
  signUpsPerHour: 10,
  signUpsPerAddressPerHour: 3,
  mailsPerAddressPerHour: 3,
  mailsPerHour: 10,
  secondFactorsPerAccountPerHour: 10,
  proofsPerTenMinutes: 60,
};

const longestWaitMs = 15 * minute;
const failuresForgottenMs = day;
const mostAccounts = 100_000;

/**
 * A sign-in attempt. `device` is a known device of the account. It is counted separately, so that a stranger can't
 * lock the owner out.
 */
export interface LoginTry {
  ip: string;
  emailKey: string;
  device: string | null;
}

/**
 * Slows down guessing: by network, by account (whether or not it exists), and for sign-ups by both. All counts are
 * in memory.
 */
export class LoginThrottle {
  readonly #clock: Clock;
  readonly #isClientNetwork: IsClientNetwork;
  readonly #limits: ThrottleLimits;
  /** Addresses are hashed with a key of this process, so that a memory dump reveals none of them. */
  readonly #secret = randomBytes(32);
  readonly #accounts = new BoundedMap<
    string,
    { failures: number; blockedUntilMs: number; forgottenAtMs: number }
  >(mostAccounts);
  readonly #loginsByNetwork: readonly RateLimiterMemory[];
  readonly #signUpTries: RateLimiterMemory;
  readonly #signUpsByNetwork: RateLimiterMemory;
  readonly #signUpsByAddress: RateLimiterMemory;
  readonly #mailsByAddress: RateLimiterMemory;
  readonly #mailsByNetwork: RateLimiterMemory;
  readonly #secondFactors: RateLimiterMemory;
  readonly #proofs: RateLimiterMemory;

  constructor(options: {
    clock: Clock;
    limits?: Partial<ThrottleLimits> | undefined;
    isClientNetwork?: IsClientNetwork | undefined;
  }) {
    this.#isClientNetwork = options.isClientNetwork ?? (() => true);
    this.#clock = options.clock;
    this.#limits = { ...usualLimits, ...options.limits };
    this.#loginsByNetwork = [
      limiter(this.#limits.loginFailuresPerTenMinutes, 10 * minute),
      limiter(this.#limits.loginFailuresPerDay, day),
    ];
    this.#signUpTries = limiter(this.#limits.signUpTriesPerHour, hour);
    this.#signUpsByNetwork = limiter(this.#limits.signUpsPerHour, hour);
    this.#signUpsByAddress = limiter(this.#limits.signUpsPerAddressPerHour, hour);
    this.#mailsByAddress = limiter(this.#limits.mailsPerAddressPerHour, hour);
    this.#mailsByNetwork = limiter(this.#limits.mailsPerHour, hour);
    this.#secondFactors = limiter(this.#limits.secondFactorsPerAccountPerHour, hour);
    this.#proofs = limiter(this.#limits.proofsPerTenMinutes, 10 * minute);
  }

  /**
   * Counts a sign-in attempt as a failure before any hashing; `succeeded` reverts this.
   * @throws rate-limited (429)
   */
  async consumeLogin(login: LoginTry): Promise<void> {
    const bucket = this.#bucketOf(login);
    const waitMs = this.#waitMs(bucket);
    if (waitMs > 0) throw rateLimited(waitMs);
    // A known device is limited separately, so that strangers in its network can't block it.
    if (login.device === null)
      for (const limit of this.#loginsByNetwork) await this.#consumeFor(login.ip, limit);
    this.#countFailure(bucket);
  }

  /** Clears the failures of an account after the right password, and refunds this attempt to its network. */
  async succeeded(login: LoginTry): Promise<void> {
    this.#accounts.delete(this.#bucketOf(login));
    if (login.device !== null || !this.#isClientNetwork(login.ip)) return;
    for (const limit of this.#loginsByNetwork) await limit.reward(clientNetwork(login.ip));
  }

  /** Clears the failures of an account whose owner signed in by another method. */
  forgetAccount(emailKey: string | null): void {
    if (emailKey !== null) this.#accounts.delete(this.#bucketOf({ emailKey, device: null, ip: '' }));
  }

  /**
   * Counts a check of a new password, which costs time even if it is rejected.
   * @throws rate-limited (429)
   */
  async consumeSignUpTry(ip: string): Promise<void> {
    await this.#consumeFor(ip, this.#signUpTries);
  }

  /**
   * Counts a sign-up before the password is hashed.
   * @throws rate-limited (429)
   */
  async consumeSignUp(signUp: { ip: string; emailKey: string }): Promise<void> {
    await this.#consumeFor(signUp.ip, this.#signUpsByNetwork);
    await consume(this.#signUpsByAddress, this.#hashOf(signUp.emailKey));
  }

  /**
   * Counts an email to an address, whether or not the address has an account.
   * @throws rate-limited (429)
   */
  async consumeMail(mail: { ip: string; emailKey: string }): Promise<void> {
    await this.#consumeFor(mail.ip, this.#mailsByNetwork);
    await consume(this.#mailsByAddress, this.#hashOf(mail.emailKey));
  }

  /**
   * Counts a second factor before it is verified; `secondFactorSucceeded` reverts this.
   * @throws rate-limited (429)
   */
  async consumeSecondFactor(userId: string): Promise<void> {
    await consume(this.#secondFactors, userId);
  }

  /** Clears the count of a user after a valid second factor. */
  async secondFactorSucceeded(userId: string): Promise<void> {
    await this.#secondFactors.delete(userId);
  }

  /**
   * Counts calls that anyone can make and that cost a signature check or a row: passkey challenges and responses,
   * and links.
   * @throws rate-limited (429)
   */
  async consumeProof(ip: string): Promise<void> {
    await this.#consumeFor(ip, this.#proofs);
  }

  #consumeFor(ip: string, limit: RateLimiterMemory): Promise<void> {
    return consumeForNetwork(limit, ip, this.#isClientNetwork);
  }

  #hashOf(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }

  #bucketOf(login: LoginTry): string {
    return this.#hashOf(login.device === null ? login.emailKey : `${login.emailKey} ${login.device}`);
  }

  #waitMs(bucket: string): number {
    return (this.#accounts.get(bucket)?.blockedUntilMs ?? 0) - this.#clock.nowMs();
  }

  /** Runs synchronously, so that concurrent guesses can't pass the check before their failures are counted. */
  #countFailure(bucket: string): void {
    const nowMs = this.#clock.nowMs();
    const known = this.#accounts.get(bucket);
    const failures = (known && known.forgottenAtMs > nowMs ? known.failures : 0) + 1;
    const waitMs = this.#waitMs(bucket);
    if (waitMs > 0) throw rateLimited(waitMs);
    const beyond = failures - this.#limits.freeLoginFailures;
    const blockMs = beyond < 0 ? 0 : Math.min(longestWaitMs, second * 2 ** beyond);
    this.#accounts.set(bucket, {
      failures,
      blockedUntilMs: nowMs + blockMs,
      forgottenAtMs: nowMs + failuresForgottenMs,
    });
  }
}
