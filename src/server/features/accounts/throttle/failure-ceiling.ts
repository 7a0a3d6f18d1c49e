import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import type { LoginTry } from './login-throttle.ts';

/** NIST SP 800-63B-4 §3.2.2: the limit of consecutive failures. */
const maxFailures = 100;

/**
 * Disables the password of an account after 100 consecutive failures, until it is reset or the user signs in by
 * another method. The count is stored in the database, also for addresses without an account. A known device of
 * the account is counted separately.
 */
export class FailureCeiling {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #secrets: SecretBox;

  constructor(deps: { database: Database; clock: Clock; secrets: SecretBox }) {
    this.#database = deps.database;
    this.#clock = deps.clock;
    this.#secrets = deps.secrets;
  }

  /**
   * Counts an attempt as a failure before any hashing; `clear` resets the count.
   * @throws password-locked (403)
   */
  async count(login: Pick<LoginTry, 'emailKey' | 'device'>): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const { failures } = await this.#database.queries
      .insertInto('login_failures')
      .values({ account_key: this.#keyOf(login), failures: 1, updated_at: nowMs })
      .onConflict((conflict) =>
        conflict
          .column('account_key')
          .doUpdateSet(({ eb }) => ({ failures: eb('login_failures.failures', '+', 1), updated_at: nowMs })),
      )
      .returning('failures')
      .executeTakeFirstOrThrow();
    if (failures > maxFailures) throw new ProblemError('password-locked');
  }

  /** Clears the failures of an account on all devices. */
  async clear(queries: Queries, emailKey: string | null): Promise<void> {
    if (emailKey === null) return;
    const key = this.#keyOf({ emailKey, device: null });
    await queries
      .deleteFrom('login_failures')
      .where((eb) => eb.or([eb('account_key', '=', key), eb('account_key', 'like', `${key}.%`)]))
      .execute();
  }

  #keyOf({ emailKey, device }: Pick<LoginTry, 'emailKey' | 'device'>): string {
    const account = Buffer.from(this.#secrets.hash(emailKey, 'login failures'), 'base64url').toString('hex');
    return device === null
      ? account
      : `${account}.${Buffer.from(this.#secrets.hash(device, 'login device'), 'base64url').toString('hex')}`;
  }
}
