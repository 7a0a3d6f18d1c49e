import { describe, expect, it } from 'vitest';
import { second } from '#base/duration.ts';
import { createSecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database } from '#server/storage/database/database.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { removeExpiredFailures } from './account-failures.ts';
import { Limiters } from './limiter.ts';
import { LoginThrottle } from './login-throttle.ts';

const secrets = createSecretBox(new Uint8Array(32).fill(7));

/** Whether a call was let through. */
async function isAllowed(call: Promise<void>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'rate-limited') return false;
    throw error;
  }
}

const allowed = async (calls: readonly Promise<void>[]): Promise<number> =>
  (await Promise.all(calls.map(isAllowed))).filter(Boolean).length;

eachDatabase((name, _open, openPair) => {
  describe.runIf(name === 'postgres')('three servers', () => {
    async function servers(nowMs = { value: 1_800_000_000_000 }) {
      const { database, reopen } = await openPair();
      const throttleOf = (each: Database): LoginThrottle =>
        new LoginThrottle({
          clock: { nowMs: () => nowMs.value },
          limiters: new Limiters({ database: each, secrets }),
        });
      const [first, ...others] = [
        throttleOf(database),
        throttleOf(await reopen()),
        throttleOf(await reopen()),
      ] as const;
      const at = (index: number): LoginThrottle => others[(index % 3) - 1] ?? first;
      return { database, at, nowMs };
    }
    const guess = (index: number, given: { ip?: string; emailKey?: string } = {}) => ({
      ip: given.ip ?? `10.0.${index}.1`,
      emailKey: given.emailKey ?? `user ${index}`,
      device: null,
    });

    it('let through as many guesses of one network as one server does', async () => {
      const { at } = await servers();
      const calls = Array.from({ length: 60 }, (_, index) =>
        at(index).consumeLogin(guess(index, { ip: '192.0.2.1' })),
      );
      expect(await allowed(calls)).toBe(20);
    });

    it('let through as many guesses of one account as one server does, and wait as long', async () => {
      const { at, nowMs } = await servers();
      const tries = () =>
        allowed(
          Array.from({ length: 60 }, (_, index) => at(index).consumeLogin(guess(index, { emailKey: 'ann' }))),
        );
      expect(await tries()).toBe(5);
      expect(await tries()).toBe(0);
      nowMs.value += second;
      expect(await tries()).toBe(1);
      nowMs.value += second;
      expect(await tries()).toBe(0);
      nowMs.value += second;
      expect(await tries()).toBe(1);
    });

    it('forget the failures of an account that signed in on any of them', async () => {
      const { at } = await servers();
      for (let index = 0; index < 5; index += 1)
        await at(index).consumeLogin(guess(index, { emailKey: 'ann' }));
      await at(1).forgetAccount('ann');
      expect(await isAllowed(at(2).consumeLogin(guess(9, { emailKey: 'ann' })))).toBe(true);
    });

    it('store neither addresses nor networks, and delete what no longer counts', async () => {
      const { database, at, nowMs } = await servers();
      await at(0).consumeLogin(guess(0, { ip: '192.0.2.77', emailKey: 'ann@example.org' }));
      await at(1).consumeMail({ ip: '192.0.2.77', emailKey: 'ann@example.org' });
      const { queries } = database;
      const stored = async () => [
        ...(await queries.selectFrom('rate_limits').selectAll().execute()),
        ...(await queries.selectFrom('sign_in_failures').selectAll().execute()),
      ];
      expect(JSON.stringify(await stored())).not.toMatch(/192\.0\.2|ann/);
      expect((await stored()).length).toBeGreaterThanOrEqual(4);
      await removeExpiredFailures(database, Math.max(Date.now(), nowMs.value) + 365 * 86_400_000);
      expect(await stored()).toEqual([]);
    });
  });
});
