import type { Clock } from '#base/clock.ts';
import { day, hour, minute } from '#base/duration.ts';
import type { IsClientNetwork } from '#server/http/client-network.ts';
import { rateLimited } from '#server/http/rate-limited.ts';
import type { AccountFailures } from './account-failures.ts';
import { type Limiter, Limiters, networkCount } from './limiter.ts';

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

const defaultLimits: ThrottleLimits = {
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
 * Slows down guessing: by network, by account (whether or not it exists), and for sign-ups by both. Counts are shared
 * by all servers of a PostgreSQL database, and in memory otherwise.
 */
export class LoginThrottle {
  readonly #clock: Clock;
  readonly #isClientNetwork: IsClientNetwork;
  readonly #limits: ThrottleLimits;
  readonly #failures: AccountFailures;
  readonly #loginsByNetwork: readonly Limiter[];
  readonly #signUpTries: Limiter;
  readonly #signUpsByNetwork: Limiter;
  readonly #signUpsByAddress: Limiter;
  readonly #mailsByAddress: Limiter;
  readonly #mailsByNetwork: Limiter;
  readonly #secondFactors: Limiter;
  readonly #proofs: Limiter;

  constructor(options: {
    clock: Clock;
    limits?: Partial<ThrottleLimits> | undefined;
    isClientNetwork?: IsClientNetwork | undefined;
    /** Counts in this process alone unless given. */
    limiters?: Limiters;
  }) {
    const { limiters = new Limiters() } = options;
    this.#isClientNetwork = options.isClientNetwork ?? (() => true);
    this.#clock = options.clock;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#failures = limiters.accountFailures(this.#limits.freeLoginFailures);
    this.#loginsByNetwork = [
      limiters.limiter('logins', this.#limits.loginFailuresPerTenMinutes, 10 * minute),
      limiters.limiter('logins-a-day', this.#limits.loginFailuresPerDay, day),
    ];
    this.#signUpTries = limiters.limiter('sign-up-tries', this.#limits.signUpTriesPerHour, hour);
    this.#signUpsByNetwork = limiters.limiter('sign-ups', this.#limits.signUpsPerHour, hour);
    this.#signUpsByAddress = limiters.limiter(
      'sign-ups-of-address',
      this.#limits.signUpsPerAddressPerHour,
      hour,
    );
    this.#mailsByAddress = limiters.limiter('mails-to-address', this.#limits.mailsPerAddressPerHour, hour);
    this.#mailsByNetwork = limiters.limiter('mails', this.#limits.mailsPerHour, hour);
    this.#secondFactors = limiters.limiter(
      'second-factors',
      this.#limits.secondFactorsPerAccountPerHour,
      hour,
    );
    this.#proofs = limiters.limiter('proofs', this.#limits.proofsPerTenMinutes, 10 * minute);
  }

  /**
   * Counts a sign-in attempt as a failure before any hashing; `succeeded` reverts this.
   * @throws rate-limited (429)
   */
  async consumeLogin(login: LoginTry): Promise<void> {
    const bucket = this.#bucketOf(login);
    const nowMs = this.#clock.nowMs();
    const waitMs = await this.#failures.waitMs(bucket, nowMs);
    if (waitMs > 0) throw rateLimited(waitMs);
    // A known device is limited separately, so that strangers in its network can't block it.
    if (login.device === null)
      for (const limit of this.#loginsByNetwork) await this.#consumeFor(login.ip, limit);
    const laterMs = await this.#failures.count(bucket, nowMs);
    if (laterMs > 0) throw rateLimited(laterMs);
  }

  /** Clears the failures of an account after the right password, and refunds this attempt to its network. */
  async succeeded(login: LoginTry): Promise<void> {
    await this.#failures.forget(this.#bucketOf(login));
    if (login.device !== null) return;
    for (const limit of this.#loginsByNetwork)
      await networkCount(limit, login.ip, this.#isClientNetwork).reward();
  }

  /** Clears the failures of an account whose owner signed in by another method. */
  async forgetAccount(emailKey: string | null): Promise<void> {
    if (emailKey !== null) await this.#failures.forget(this.#bucketOf({ emailKey, device: null, ip: '' }));
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
    await this.#signUpsByAddress.consume(signUp.emailKey);
  }

  /**
   * Counts an email to an address, whether or not the address has an account.
   * @throws rate-limited (429)
   */
  async consumeMail(mail: { ip: string; emailKey: string }): Promise<void> {
    await this.#consumeFor(mail.ip, this.#mailsByNetwork);
    await this.#mailsByAddress.consume(mail.emailKey);
  }

  /**
   * Counts a second factor before it is verified; `secondFactorSucceeded` reverts this.
   * @throws rate-limited (429)
   */
  async consumeSecondFactor(userId: string): Promise<void> {
    await this.#secondFactors.consume(userId);
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

  #consumeFor(ip: string, limit: Limiter): Promise<void> {
    return networkCount(limit, ip, this.#isClientNetwork).consume();
  }

  #bucketOf(login: LoginTry): string {
    return login.device === null ? login.emailKey : `${login.emailKey} ${login.device}`;
  }
}
