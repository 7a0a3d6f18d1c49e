import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { runJob } from '#tests/support/run-job.ts';
import { minute } from '#base/duration.ts';
import {
  accountsUnderTest,
  answerOf,
  goodPassword,
  rejection,
  signUp,
  type AccountsUnderTest,
  type Browser,
} from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { withoutLimits } from '#tests/support/without-limits.ts';

interface Devices {
  items: { id: string; label: string; isCurrent: boolean; isShared: boolean; method: string }[];
}

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open());
  });

  const devicesOf = async (browser: Browser): Promise<Devices['items']> =>
    answerOf<Devices>(await browser.send('GET', '/auth/sessions')).items;
  const signInElsewhere = async (email: string, ip: string, remember = true): Promise<Browser> => {
    const browser = under.browser(ip);
    answerOf(await browser.post('/auth/login', { email, password: goodPassword, remember }));
    return browser;
  };
  const stale = (): void => {
    under.clock.advance(10 * minute);
  };

  it.each([
    ['absolute_expires_at', '253402300799999'],
    ['absolute_expires_at', '4611686018427387904'],
    ['idle_ms', '4611686018427387904'],
    ['last_seen_at', '4611686018427387904'],
  ])('a session whose %s is %s is rejected', async (column, value) => {
    const { browser } = await signUp(under);
    await withoutLimits(under.database);
    await sql`update sessions set ${sql.ref(column)} = ${sql.raw(value)}`.execute(under.database.queries);
    expect(rejection(await browser.send('GET', '/auth/sessions'))).toMatchObject({
      status: 401,
      code: 'session-expired',
    });
  });

  describe('a proof of identity', () => {
    it('ASVS 7.2.4: issues a new token immediately, and invalidates the previous one', async () => {
      const { browser } = await signUp(under);
      const [before, [device]] = [browser.sid, await devicesOf(browser)];
      const answer = answerOf<{ session: { id: string } }>(
        await browser.post('/auth/reauthenticate', { method: 'password', password: goodPassword }),
      );
      expect(browser.sid).not.toBe(before);
      const thief = under.browser();
      thief.cookies.set('sid', before);
      expect(rejection(await thief.send('GET', '/auth/sessions'))).toMatchObject({
        status: 401,
        code: 'session-expired',
      });
      expect(answer.session.id).toBe(device?.id);
      expect(under.ended).toEqual([]);
    });

    it.each(['253402300799999', '4611686018427387904'])(
      'in the future (%s), from a wrong clock or corrupt data, does not count',
      async (provenAt) => {
        const { browser } = await signUp(under);
        await withoutLimits(under.database);
        await sql`update sessions set proven_at = ${sql.raw(provenAt)}`.execute(under.database.queries);
        expect(rejection(await browser.send('DELETE', '/auth/sessions')).code).toBe(
          'reauthentication-required',
        );
      },
    );

    it('ASVS 7.5.1: is required for sensitive changes if the last one is ten minutes old', async () => {
      const { browser } = await signUp(under);
      stale();
      const [device] = await devicesOf(browser);
      const changes: [method: 'POST' | 'DELETE', url: string, body?: object][] = [
        ['DELETE', `/auth/sessions/${device?.id}`],
        ['DELETE', '/auth/sessions'],
        ['POST', '/auth/email', { email: 'other@example.org' }],
        ['POST', '/auth/totp/begin'],
        ['DELETE', '/auth/totp'],
        ['POST', '/auth/totp/recovery-codes'],
        ['POST', '/auth/passkeys/register/begin'],
        ['DELETE', `/auth/passkeys/${device?.id}`],
        ['DELETE', '/auth/account'],
      ];
      for (const [method, url, body] of changes) {
        expect([url, rejection(await browser.send(method, url, body ? { body } : {}))]).toEqual([
          url,
          { status: 403, code: 'reauthentication-required', errors: [] },
        ]);
      }
      answerOf(await browser.post('/auth/reauthenticate', { method: 'password', password: goodPassword }));
      expect((await browser.send('DELETE', '/auth/sessions')).statusCode).toBe(200);
    });

    it('with a wrong password is rejected and counted', async () => {
      const { browser } = await signUp(under);
      for (let failure = 1; failure <= 5; failure += 1)
        expect(
          rejection(await browser.post('/auth/reauthenticate', { method: 'password', password: 'wrong' }))
            .code,
        ).toBe('invalid-credentials');
      expect(
        rejection(await browser.post('/auth/reauthenticate', { method: 'password', password: goodPassword }))
          .code,
      ).toBe('rate-limited');
    });

    it('keeps a shared computer’s session limits', async () => {
      const { email } = await signUp(under);
      const shared = await signInElsewhere(email, '192.0.2.8', false);
      const response = await shared.post('/auth/reauthenticate', {
        method: 'password',
        password: goodPassword,
      });
      expect(response.cookies.find(({ name }) => name === 'sid')).not.toHaveProperty('maxAge');
      expect((await devicesOf(shared)).find(({ isCurrent }) => isCurrent)).toMatchObject({ isShared: true });
    });
  });

  describe('the list of devices', () => {
    it('ASVS 7.5.2: shows the user’s sessions with the current one marked, and no other user’s', async () => {
      const { browser, email } = await signUp(under);
      under.clock.advance(minute);
      await signInElsewhere(email, '198.51.100.4', false);
      await signUp(under);
      const devices = await devicesOf(browser);
      expect(
        devices
          .map(({ label, isCurrent, isShared, method }) => ({ label, isCurrent, isShared, method }))
          .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent)),
      ).toEqual([
        { label: 'Firefox · Linux', isCurrent: true, isShared: false, method: 'password' },
        { label: 'Firefox · Linux', isCurrent: false, isShared: true, method: 'password' },
      ]);
    });

    it('abuse case 29: signing device B out from A ends B at its next request, and closes its connections', async () => {
      const { browser: a, email } = await signUp(under);
      const b = await signInElsewhere(email, '198.51.100.4');
      const idOfB = (await devicesOf(b)).find(({ isCurrent }) => isCurrent)?.id ?? '';
      expect((await a.send('DELETE', `/auth/sessions/${idOfB}`)).statusCode).toBe(204);
      expect(rejection(await b.send('GET', '/auth/sessions'))).toMatchObject({
        status: 401,
        code: 'session-expired',
      });
      expect(under.ended).toEqual([idOfB]);
      expect(await devicesOf(a)).toHaveLength(1);
    });

    it('signs out everywhere else in one request', async () => {
      const { browser: a, email } = await signUp(under);
      const others = await Promise.all(
        ['198.51.100.4', '198.51.100.5'].map((ip) => signInElsewhere(email, ip)),
      );
      expect(answerOf(await a.send('DELETE', '/auth/sessions'))).toEqual({ ended: 2 });
      for (const other of others) expect(await other.whoAmI()).toBeNull();
      expect(await a.whoAmI()).not.toBeNull();
    });

    it('signs this device out too, and deletes its cookie', async () => {
      const { browser } = await signUp(under);
      const [device] = await devicesOf(browser);
      expect((await browser.send('DELETE', `/auth/sessions/${device?.id}`)).statusCode).toBe(204);
      expect(browser.cookies.has('sid')).toBe(false);
    });

    it('does not affect other users’ devices', async () => {
      const [{ browser: ann }, { browser: bob }] = [await signUp(under), await signUp(under)];
      const [device] = await devicesOf(bob);
      expect(rejection(await ann.send('DELETE', `/auth/sessions/${device?.id}`)).code).toBe('not-found');
      expect(await bob.whoAmI()).not.toBeNull();
    });
  });

  describe('abuse case 27: session fixation', () => {
    it('a token from before signing in is replaced and invalid', async () => {
      const { email } = await signUp(under);
      const planted = randomBytes(32).toString('base64url');
      const victim = under.browser('198.51.100.4');
      victim.cookies.set('sid', planted);
      await victim.post('/auth/login', { email, password: goodPassword });
      expect(victim.sid).not.toBe(planted);
      const attacker = under.browser('203.0.113.5');
      attacker.cookies.set('sid', planted);
      expect(rejection(await attacker.send('GET', '/auth/sessions')).code).toBe('session-expired');
    });

    it('a cookie without the prefix, as a sibling host could set it, is ignored', async () => {
      const https = await accountsUnderTest(under.database, { publicUrl: 'https://earshot.example' });
      const attacker = under.browser();
      await attacker.post('/auth/signup', { email: 'attacker@example.org', password: goodPassword });
      const victim = https.browser();
      victim.cookies.set('sid', attacker.sid);
      expect(await victim.whoAmI()).toBeNull();
    });
  });

  it('abuse case 28: the hash of a token, from a copy of the database, is rejected', async () => {
    await signUp(under);
    const rows = await under.database.queries.selectFrom('sessions').select('token_hash').execute();
    const thief = under.browser();
    thief.cookies.set('sid', rows[0]?.token_hash ?? '');
    expect(rejection(await thief.send('GET', '/auth/sessions'))).toMatchObject({
      status: 401,
      code: 'session-expired',
    });
  });

  it('expired rows of all users are swept', async () => {
    const { email } = await signUp(under);
    await signInElsewhere(email, '198.51.100.4', false);
    const count = async () =>
      (await under.database.queries.selectFrom('sessions').select('id').execute()).length;
    under.clock.advance(30 * minute);
    const { sweepAccountsJob } = await import('#server/features/accounts/deletion/sweep-jobs.ts');
    await runJob(sweepAccountsJob(under));
    expect(await count()).toBe(1);
  });

  it('of two concurrent renewals of one session, one succeeds and the other has to sign in', async () => {
    const { browser } = await signUp(under);
    const twin = under.browser();
    twin.cookies.set('sid', browser.sid);
    const proofs = await Promise.all(
      [browser, twin].map((each) =>
        each.post('/auth/reauthenticate', { method: 'password', password: goodPassword }),
      ),
    );
    expect(proofs.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await under.database.queries.selectFrom('sessions').select('id').execute()).toHaveLength(1);
  });
});
