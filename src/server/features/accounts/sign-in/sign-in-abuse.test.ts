import { monitorEventLoopDelay } from 'node:perf_hooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { second } from '#base/duration.ts';
import {
  accountsUnderTest,
  Browser,
  goodPassword,
  rejection,
  signUp,
  type AccountsUnderTest,
} from '#tests/support/accounts-under-test.ts';
import { composedServer } from '#tests/support/composed-server.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';

const wrong = 'not the right words';

eachDatabase((_name, open) => {
  let under: AccountsUnderTest;
  beforeEach(async () => {
    under = await accountsUnderTest(await open());
  });

  const logIn = (browser: Browser, email: string, password = goodPassword) =>
    browser.post('/auth/login', { email, password });
  const sessions = async () =>
    (await under.database.queries.selectFrom('sessions').select('id').execute()).length;

  describe('abuse case 1: login CSRF', () => {
    it.each<[string, Record<string, string>]>([
      ['fetch metadata', { 'sec-fetch-site': 'cross-site' }],
      ['fetch metadata of a sibling host', { 'sec-fetch-site': 'same-site' }],
      ['a form’s media type', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['a text body', { 'content-type': 'text/plain' }],
    ])('a cross-site sign-in is rejected by %s, and sets no cookie', async (_by, headers) => {
      const { email } = await signUp(under);
      const before = await sessions();
      const response = await under
        .browser('203.0.113.5')
        .send('POST', '/auth/login', { body: { email, password: goodPassword }, headers });
      expect([403, 415]).toContain(response.statusCode);
      expect([response.cookies, await sessions()]).toEqual([[], before]);
    });

    it('ASVS 3.5.1: without fetch metadata the Origin header decides', async () => {
      const { email } = await signUp(under);
      const response = await under.app.inject({
        method: 'POST',
        url: '/auth/login',
        headers: { origin: 'https://evil.example' },
        payload: { email, password: goodPassword },
      });
      expect(rejection(response)).toMatchObject({ status: 403, code: 'cross-site' });
    });
  });

  describe('abuse case 24: brute force of one account from many networks', () => {
    it('is slowed down per account, while a known device still signs in', async () => {
      const { browser: owner, email } = await signUp(under);
      const statuses: number[] = [];
      for (let network = 1; network <= 200; network += 1)
        statuses.push((await logIn(under.browser(`10.1.${network}.1`), email, wrong)).statusCode);
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
      expect(rejection(await logIn(under.browser('198.51.100.4'), email)).code).toBe('rate-limited');
      await owner.send('POST', '/auth/logout');
      expect((await logIn(owner, email)).statusCode).toBe(200);
    });

    it('stops after a hundred consecutive failures, for any account, until the owner uses another method', async () => {
      const { browser: owner, email } = await signUp(under);
      for (const target of [email, 'nobody@example.org']) {
        let [failures, last] = [0, 0];
        for (let network = 1; failures < 100; network += 1) {
          last = (
            await logIn(under.browser(`10.2.${network % 250}.${Math.floor(network / 250)}`), target, wrong)
          ).statusCode;
          if (last === 401) failures += 1;
          under.clock.advance(900 * second);
        }
        expect(rejection(await logIn(under.browser('198.51.100.4'), target))).toMatchObject({
          status: 403,
          code: 'password-locked',
        });
      }
      expect((await logIn(owner, email)).statusCode).toBe(200);
      expect((await logIn(under.browser('198.51.100.5'), email)).statusCode).toBe(200);
    });
  });

  it('abuse case 25: one network that tries many accounts is stopped, whatever address it claims', async () => {
    const statuses: number[] = [];
    for (let account = 1; account <= 500; account += 1) {
      const headers = {
        'x-forwarded-for': `10.3.${account % 250}.1`,
        forwarded: `for=10.3.${account % 250}.2`,
      };
      statuses.push(
        (
          await under.browser('203.0.113.5').send('POST', '/auth/login', {
            body: { email: `a${account}@example.org`, password: wrong },
            headers,
          })
        ).statusCode,
      );
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(480);
  });

  it('abuse case 34: fields that users may not set are rejected, and names like __proto__ do no harm', async () => {
    for (const extra of [
      { role: 'admin' },
      { emailVerified: true },
      { isEmailProven: true },
      { id: 'x' },
      { constructor: { prototype: { role: 'admin' } } },
    ]) {
      expect(
        rejection(
          await under
            .browser()
            .post('/auth/signup', { email: 'ann@example.org', password: goodPassword, ...extra }),
        ),
      ).toMatchObject({ status: 422, code: 'validation' });
    }
    const raw =
      '{"email":"ann@example.org","password":"kettle river umbrella noon","__proto__":{"role":"admin"}}';
    const response = await under.app.inject({
      method: 'POST',
      url: '/auth/signup',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      payload: raw,
    });
    expect(response.statusCode).toBe(422);
    expect('role' in {}).toBe(false);
    const { browser } = await signUp(under);
    expect(
      rejection(
        await browser.post('/auth/reauthenticate', {
          method: 'password',
          password: goodPassword,
          userId: 'x',
        }),
      ).code,
    ).toBe('validation');
  });

  it('abuse case 35: a request of one user is never executed as another', async () => {
    const [{ browser: alice, id: idOfAlice }, { browser: bob }] = [await signUp(under), await signUp(under)];
    const headers = { 'x-expected-principal': idOfAlice };
    const writes: [method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object][] = [
      ['PATCH', '/api/profile', { displayName: 'Alice’s new name' }],
      ['POST', '/auth/email', { email: 'alice@example.org' }],
      ['DELETE', '/auth/sessions'],
      ['DELETE', '/auth/account'],
      [
        'POST',
        '/auth/password',
        { currentPassword: goodPassword, newPassword: 'a wholly different sentence' },
      ],
      ['POST', '/auth/totp/begin'],
    ];
    const nameOfBob = await bob.whoAmI();
    for (const [method, url, body] of writes)
      expect(rejection(await bob.send(method, url, { ...(body ? { body } : {}), headers }))).toMatchObject({
        status: 409,
        code: 'principal-changed',
      });
    expect(await bob.whoAmI()).toBe(nameOfBob);
    expect(
      (await alice.send('PATCH', '/api/profile', { body: { displayName: 'Alice’s new name' }, headers }))
        .statusCode,
    ).toBe(200);
  });

  it('ASVS 16.2.5: the log contains no password, token or address', async () => {
    const { browser, email } = await signUp(under);
    await logIn(under.browser('203.0.113.5'), email, wrong);
    await browser.post('/auth/reauthenticate', { method: 'password', password: goodPassword });
    await browser.post('/auth/password', {
      currentPassword: goodPassword,
      newPassword: 'a wholly different sentence',
    });
    const log = JSON.stringify(await under.database.queries.selectFrom('audit_events').selectAll().execute());
    for (const secret of [email, goodPassword, wrong, browser.sid, '203.0.113.5'])
      expect(log).not.toContain(secret);
    expect(log).toContain('password.changed');
  });
});

eachDatabase((name, open) => {
  /** Uses the real hash cost. */
  async function atFullCost() {
    const database = await open();
    const { app } = composedServer({
      database,
      clock: fakeClock(),
      blobs: new MemoryBlobStore(),
      overrides: {
        throttleLimits: {
          loginFailuresPerTenMinutes: 10_000,
          loginFailuresPerDay: 10_000,
          freeLoginFailures: 10_000,
        },
      },
    });
    return {
      app,
      forgetFailures: () => database.queries.deleteFrom('login_failures').execute(),
      close: () => app.close(),
    };
  }

  it('abuse case 26: a wrong password and an unknown address take equally long', async () => {
    const { app, close, forgetFailures } = await atFullCost();
    await new Browser(app).post('/auth/signup', { email: 'known@example.org', password: goodPassword });
    const timesMs: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    const rounds = name === 'sqlite' ? 110 : 30;
    for (let round = 0; round < rounds; round += 1) {
      if (round % 90 === 0) await forgetFailures();
      for (const which of ['known', 'unknown'] as const) {
        const startedMs = performance.now();
        const response = await new Browser(app, `10.4.${round}.1`).post('/auth/login', {
          email: `${which}@example.org`,
          password: wrong,
        });
        timesMs[which].push(performance.now() - startedMs);
        expect(response.statusCode).toBe(401);
      }
    }
    await close();
    const [known, unknown] = [timesMs.known, timesMs.unknown].map((times) =>
      times.slice(5).toSorted((a, b) => a - b),
    );
    const median = (times: number[] = []): number => times[Math.floor(times.length / 2)] ?? 0;
    // A hash takes tens of milliseconds, so omitting it for one of them would more than halve its time.
    expect(Math.abs(median(known) - median(unknown))).toBeLessThan(
      0.25 * Math.max(median(known), median(unknown)),
    );
  });

  it('abuse case 37: fifty concurrent sign-ins with 10 kB passwords are rejected cheaply, and other requests are served', async () => {
    const { app, close } = await atFullCost();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        new Browser(app, `10.5.${index}.1`).post('/auth/login', {
          email: `a${index}@example.org`,
          password: 'x'.repeat(10_000),
        }),
      ),
    );
    delay.disable();
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([422]));
    expect(delay.percentile(50) / 1e6).toBeLessThan(100);
    const honest = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        new Browser(app, `10.6.${index}.1`).post('/auth/login', {
          email: `a${index}@example.org`,
          password: wrong,
        }),
      ),
    );
    await close();
    expect(new Set(honest.map(({ statusCode }) => statusCode))).toEqual(new Set([401, 429]));
  });
});
