import { sql } from 'kysely';
import { BoundedMap } from '#base/bounded-map.ts';
import { day, minute, second } from '#base/duration.ts';
import type { Database } from '#server/storage/database/database.ts';

const maxWaitMs = 15 * minute;
const failuresForgottenMs = day;
const maxAccounts = 100_000;

/** The failed sign-ins of each account, after which the next attempt has to wait. */
export interface AccountFailures {
  /** Returns how long an account has to wait, in milliseconds; 0 or less if it doesn't. */
  waitMs(account: string, nowMs: number): Promise<number>;
  /**
   * Counts a failure, unless the account has to wait. Of concurrent calls each sees those before it.
   * @returns how long the account has to wait; 0 if the failure was counted
   */
  count(account: string, nowMs: number): Promise<number>;
  forget(account: string): Promise<void>;
}

/** How long an account waits after a failure: from one second, doubled each time, to fifteen minutes. */
const blockMsAfter = (failures: number, freeFailures: number): number =>
  failures < freeFailures ? 0 : Math.min(maxWaitMs, second * 2 ** (failures - freeFailures));

/** Counts in this process. */
export function failuresInMemory(freeFailures: number): AccountFailures {
  const accounts = new BoundedMap<
    string,
    { failures: number; blockedUntilMs: number; forgottenAtMs: number }
  >(maxAccounts);
  const waitMs = (account: string, nowMs: number): number =>
    Math.max(0, (accounts.get(account)?.blockedUntilMs ?? 0) - nowMs);
  return {
    waitMs: async (account, nowMs) => waitMs(account, nowMs),
    async count(account, nowMs) {
      const wait = waitMs(account, nowMs);
      if (wait > 0) return wait;
      const known = accounts.get(account);
      const failures = (known && known.forgottenAtMs > nowMs ? known.failures : 0) + 1;
      accounts.set(account, {
        failures,
        blockedUntilMs: nowMs + blockMsAfter(failures, freeFailures),
        forgottenAtMs: nowMs + failuresForgottenMs,
      });
      return 0;
    },
    forget: async (account) => accounts.delete(account),
  };
}

/** Counts in the database, together with the other servers. One statement counts, so that guesses can't pass it together. */
export function failuresInDatabase({ queries }: Database, freeFailures: number): AccountFailures {
  async function waitMs(account: string, nowMs: number): Promise<number> {
    const row = await queries
      .selectFrom('sign_in_failures')
      .select('blocked_until')
      .where('account', '=', account)
      .executeTakeFirst();
    return Math.max(0, (row?.blocked_until ?? 0) - nowMs);
  }
  return {
    waitMs,
    async count(account, nowMs) {
      const failures = sql<number>`case when sign_in_failures.forgotten_at > ${nowMs} then sign_in_failures.failures + 1 else 1 end`;
      // The exponent is bounded before it becomes a power.
      const blockMs = sql<number>`case when ${failures} < ${freeFailures} then 0 else least(${maxWaitMs}, ${second} * power(2, least(${failures} - ${freeFailures}, 30)))::bigint end`;
      const { rows } = await sql<{ failures: number }>`
        insert into sign_in_failures (account, failures, blocked_until, forgotten_at)
        values (${account}, 1, ${nowMs + blockMsAfter(1, freeFailures)}, ${nowMs + failuresForgottenMs})
        on conflict (account) do update
        set failures = ${failures}, blocked_until = ${nowMs} + ${blockMs}, forgotten_at = ${nowMs + failuresForgottenMs}
        where sign_in_failures.blocked_until <= ${nowMs}
        returning failures`.execute(queries);
      return rows.length > 0 ? 0 : waitMs(account, nowMs);
    },
    async forget(account) {
      await queries.deleteFrom('sign_in_failures').where('account', '=', account).execute();
    },
  };
}

/** Deletes what no longer counts. */
export async function removeExpiredFailures({ queries }: Database, nowMs: number): Promise<void> {
  await queries.deleteFrom('sign_in_failures').where('forgotten_at', '<=', nowMs).execute();
  await queries.deleteFrom('rate_limits').where('expire', '<=', nowMs).execute();
}
