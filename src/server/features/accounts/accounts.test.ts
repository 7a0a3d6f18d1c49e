import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { day, hour, minute, second } from '#base/duration.ts';
import { signedInSchema, userSchema } from '#contract/accounts-api.ts';
import { problemSchema } from '#contract/errors.ts';
import { Browser, rejection } from '#tests/support/accounts-under-test.ts';
import { cheapHash, composedServer } from '#tests/support/composed-server.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import type { ComposeOverrides } from '#server/compose.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/storage/database/database.ts';

const password = 'kettle river umbrella noon';
const ann = { email: 'ann@example.org', password };

const statusesOf = (responses: LightMyRequestResponse[]): number[] =>
  responses.map((response) => response.statusCode).toSorted((a, b) => a - b);

eachDatabase((_name, open) => {
  let database: Database;
  let clock: FakeClock;
  let ended: string[];
  let app: FastifyInstance;

  /** Starts a server on the test's database, with its clock. */
  function start({
    throttleLimits,
    ...config
  }: Partial<Pick<Config, 'publicUrl' | 'signUp'>> &
    Pick<ComposeOverrides, 'throttleLimits'> = {}): FastifyInstance {
    const server = composedServer({
      database,
      clock,
      blobs: new MemoryBlobStore(),
      config,
      overrides: {
        throttleLimits: throttleLimits ?? { signUpsPerHour: 1000, signUpTriesPerHour: 1000 },
        hashCost: cheapHash,
      },
    });
    ended = server.ended;
    return server.app;
  }
  const newBrowser = (ip?: string): Browser => new Browser(app, ip);
  const count = async (table: 'users' | 'sessions' | 'credentials'): Promise<number> =>
    (await database.queries.selectFrom(table).select('id').execute()).length;
  const auditActions = async (): Promise<string[]> =>
    (
      await database.queries
        .selectFrom('audit_events')
        .select(['action', 'id'])
        .orderBy('at')
        .orderBy('id')
        .execute()
    ).map((row) => row.action);

  beforeEach(async () => {
    database = await open();
    clock = fakeClock();
    app = start();
  });

  describe('signing up', () => {
    it('creates the account and signs in', async () => {
      const browser = newBrowser();
      const response = await browser.post('/auth/signup', { ...ann, displayName: 'Ann', locale: 'de' });
      expect(response.statusCode).toBe(201);
      const { user } = signedInSchema.parse(response.json());
      expect(user).toMatchObject({
        displayName: 'Ann',
        email: 'ann@example.org',
        locale: 'de',
        createdAt: '2026-11-21T09:00:00.000Z',
      });
      expect(await browser.whoAmI()).toBe('Ann');
      expect(await auditActions()).toEqual(expect.arrayContaining(['account.created', 'session.created']));
    });

    it('answers with and without a trailing slash', async () => {
      expect((await newBrowser().post('/auth/signup/', ann)).statusCode).toBe(201);
      expect((await newBrowser().post('/auth/login/', ann)).statusCode).toBe(200);
    });

    it('defaults the display name to the local part of the email address', async () => {
      const response = await newBrowser().post('/auth/signup', ann);
      expect(signedInSchema.parse(response.json()).user.displayName).toBe('ann');
    });

    it('makes the first account admin and every later one member', async () => {
      const roles = [];
      for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) {
        roles.push(
          signedInSchema.parse((await newBrowser().post('/auth/signup', { email, password })).json()).user
            .role,
        );
      }
      expect(roles).toEqual(['admin', 'member', 'member']);
    });

    it('makes exactly one admin of several concurrent sign-ups', async () => {
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          newBrowser().post('/auth/signup', { email: `p${index}@example.org`, password }),
        ),
      );
      const roles = responses.map((response) => signedInSchema.parse(response.json()).user.role);
      expect(roles.filter((role) => role === 'admin')).toHaveLength(1);
    });

    it('rejects a taken address, ignoring case, and stores nothing', async () => {
      await newBrowser().post('/auth/signup', ann);
      const browser = newBrowser();
      const rejected = rejection(await browser.post('/auth/signup', { email: ' ANN@Example.ORG', password }));
      expect(rejected).toMatchObject({ status: 409, code: 'email-taken', errors: [{ pointer: '/email' }] });
      expect(browser.cookies.size).toBe(0);
      expect([await count('users'), await count('credentials'), await count('sessions')]).toEqual([1, 1, 1]);
    });

    it('lets one of two concurrent sign-ups with one address succeed and rejects the other', async () => {
      const responses = await Promise.all([
        newBrowser().post('/auth/signup', ann),
        newBrowser().post('/auth/signup', ann),
      ]);
      expect(statusesOf(responses)).toEqual([201, 409]);
      expect(await count('users')).toBe(1);
    });

    it.each([
      ['too short', 'kettle river', 'password-too-short'],
      ['repeated', 'aaaaaaaaaaaaaaaaaa', 'password-common'],
      ['made of the e-mail', 'ann@example.org1', 'password-context'],
      ['too long', 'kettle river '.repeat(20), 'validation'],
    ])('rejects a password that is %s and names its field', async (_why, weak, code) => {
      const browser = newBrowser();
      const rejected = rejection(await browser.post('/auth/signup', { ...ann, password: weak }));
      expect(rejected).toMatchObject({ status: 422, code, errors: [{ pointer: '/password' }] });
      expect(await count('users')).toBe(0);
    });

    it('rejects unknown fields, so that no user can make themselves admin', async () => {
      for (const extra of [{ role: 'admin' }, { emailVerified: true }, { id: 'x' }, { constructor: 1 }]) {
        expect(rejection(await newBrowser().post('/auth/signup', { ...ann, ...extra }))).toMatchObject({
          status: 422,
          code: 'validation',
        });
      }
      expect(await count('users')).toBe(0);
    });

    it.each([
      [{}],
      [{ email: 'ann', password }],
      [{ email: 'a b@example.org', password }],
      [{ email: 5, password }],
      [{ ...ann, displayName: '' }],
      [{ ...ann, locale: '../x' }],
    ])('rejects %j', async (body) => {
      expect(rejection(await newBrowser().post('/auth/signup', body)).status).toBe(422);
    });

    it('rejects cross-site requests', async () => {
      const response = await newBrowser().send('POST', '/auth/signup', {
        body: ann,
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      expect(rejection(response)).toMatchObject({ status: 403, code: 'cross-site' });
      expect(response.cookies).toEqual([]);
    });

    it('is limited per address and per network, with the time to wait', async () => {
      app = start({ throttleLimits: { signUpsPerHour: 3, signUpsPerAddressPerHour: 1 } });
      await newBrowser().post('/auth/signup', ann);
      const again = await newBrowser('192.0.2.8').post('/auth/signup', ann);
      expect(rejection(again)).toMatchObject({ status: 429, code: 'rate-limited' });
      expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
      for (const email of ['b@example.org', 'c@example.org'])
        expect((await newBrowser().post('/auth/signup', { email, password })).statusCode).toBe(201);
      expect(
        rejection(await newBrowser().post('/auth/signup', { email: 'd@example.org', password })).status,
      ).toBe(429);
    });
  });

  describe('closed sign-up', () => {
    beforeEach(() => {
      app = start({ signUp: 'closed' });
    });

    it('admits the first user and no other', async () => {
      expect((await newBrowser().send('GET', '/auth/session')).json()).toMatchObject({ signUp: 'open' });
      expect((await newBrowser().post('/auth/signup', ann)).statusCode).toBe(201);
      expect((await newBrowser().send('GET', '/auth/session')).json()).toMatchObject({ signUp: 'closed' });
      expect(
        rejection(await newBrowser().post('/auth/signup', { email: 'b@example.org', password })),
      ).toMatchObject({ status: 403, code: 'sign-up-closed' });
    });

    it('admits one of two concurrent first users', async () => {
      const responses = await Promise.all(
        ['a', 'b'].map((name) =>
          newBrowser().post('/auth/signup', { email: `${name}@example.org`, password }),
        ),
      );
      expect(statusesOf(responses)).toEqual([201, 403]);
    });
  });

  describe('signing in', () => {
    beforeEach(async () => {
      await newBrowser().post('/auth/signup', { ...ann, displayName: 'Ann' });
    });

    it('accepts the address in any case and the password only as typed', async () => {
      const browser = newBrowser();
      const response = await browser.post('/auth/login', { email: 'ANN@EXAMPLE.org', password });
      expect(response.statusCode).toBe(200);
      expect(await browser.whoAmI()).toBe('Ann');
      expect(
        rejection(await newBrowser().post('/auth/login', { ...ann, password: `${password} ` })).code,
      ).toBe('invalid-credentials');
      expect(
        rejection(await newBrowser().post('/auth/login', { ...ann, password: password.toUpperCase() })).code,
      ).toBe('invalid-credentials');
    });

    it('accepts a password in any Unicode composition', async () => {
      await newBrowser().post('/auth/signup', { email: 'b@example.org', password: 'Käsekuchen im Gärtchen' });
      expect(
        (
          await newBrowser().post('/auth/login', {
            email: 'b@example.org',
            password: 'Käsekuchen im Gärtchen'.normalize('NFD'),
          })
        ).statusCode,
      ).toBe(200);
    });

    it('answers a wrong password and an unknown address identically', async () => {
      const wrong = await newBrowser().post('/auth/login', { ...ann, password: 'not the right words' });
      const unknown = await newBrowser().post('/auth/login', {
        email: 'nobody@example.org',
        password: 'not the right words',
      });
      const comparable = (response: LightMyRequestResponse) => {
        const { instance: _instance, ...body } = problemSchema.parse(response.json());
        const { date: _date, 'x-request-id': _id, ...headers } = response.headers;
        return { body, headers, status: response.statusCode };
      };
      expect(comparable(unknown)).toEqual(comparable(wrong));
      expect(rejection(wrong)).toMatchObject({ status: 401, code: 'invalid-credentials' });
      expect(wrong.headers['www-authenticate']).toBe('Session realm="earshot"');
      expect(wrong.cookies).toEqual([]);
      expect(await auditActions()).toContain('session.refused');
    });

    it("issues a new token every time and ends the browser's previous session", async () => {
      const browser = newBrowser();
      const first = signedInSchema.parse((await browser.post('/auth/login', ann)).json()).session.id;
      const firstToken = browser.cookies.get('sid') ?? '';
      await browser.post('/auth/login', ann);
      expect(browser.cookies.get('sid')).not.toBe(firstToken);
      expect(ended).toEqual([first]);
      const thief = newBrowser();
      thief.cookies.set('sid', firstToken);
      expect(await thief.whoAmI()).toBeNull();
    });

    it('does not adopt a token planted before the sign-in', async () => {
      const browser = newBrowser();
      const planted = randomBytes(32).toString('base64url');
      browser.cookies.set('sid', planted);
      expect((await browser.post('/auth/login', ann)).statusCode).toBe(200);
      expect(browser.cookies.get('sid')).not.toBe(planted);
    });

    it('rejects a stored hash in place of a token', async () => {
      const [row] = await database.queries.selectFrom('sessions').select('token_hash').execute();
      const thief = newBrowser();
      thief.cookies.set('sid', row?.token_hash ?? '');
      expect(await thief.whoAmI()).toBeNull();
      expect(rejection(await thief.send('PATCH', '/api/profile', { body: {} }))).toMatchObject({
        status: 401,
        code: 'session-expired',
      });
    });

    it('reports that an account is disabled only after the right password', async () => {
      await database.queries.updateTable('users').set({ disabled_at: clock.nowMs() }).execute();
      expect(
        rejection(await newBrowser().post('/auth/login', { ...ann, password: 'not the right words' })).code,
      ).toBe('invalid-credentials');
      const browser = newBrowser();
      expect(rejection(await browser.post('/auth/login', ann))).toMatchObject({
        status: 403,
        code: 'account-disabled',
      });
      expect(browser.cookies.get('sid')).toBeUndefined();
    });

    it('hashes the password again after a change of parameters', async () => {
      const old = JSON.stringify({
        hash: await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 }),
      });
      await database.queries.updateTable('credentials').set({ data: old }).execute();
      expect((await newBrowser().post('/auth/login', ann)).statusCode).toBe(200);
      const { data } = await database.queries
        .selectFrom('credentials')
        .select('data')
        .executeTakeFirstOrThrow();
      expect(data).toContain('m=256,t=1,p=1');
      expect((await newBrowser().post('/auth/login', ann)).statusCode).toBe(200);
    });

    it('makes guessers wait after five failures, for known and unknown accounts, and states how long', async () => {
      for (const email of [ann.email, 'nobody@example.org']) {
        for (let failure = 1; failure <= 5; failure += 1)
          expect(
            (await newBrowser().post('/auth/login', { email, password: 'wrong words again' })).statusCode,
          ).toBe(401);
        const blocked = await newBrowser().post('/auth/login', { email, password });
        expect(rejection(blocked)).toMatchObject({ status: 429, code: 'rate-limited' });
        expect(blocked.headers['retry-after']).toBe('1');
        expect(problemSchema.parse(blocked.json()).retryAfter).toBe(1);
      }
      clock.advance(second);
      expect((await newBrowser().post('/auth/login', ann)).statusCode).toBe(200);
    });

    it('lets a known device sign in although strangers have locked the account', async () => {
      const owner = newBrowser();
      await owner.post('/auth/login', ann);
      await owner.send('POST', '/auth/logout');
      for (let failure = 1; failure <= 6; failure += 1)
        await newBrowser(`198.51.100.${failure}`).post('/auth/login', {
          ...ann,
          password: 'wrong words again',
        });
      expect((await newBrowser('203.0.113.9').post('/auth/login', ann)).statusCode).toBe(429);
      expect((await owner.post('/auth/login', ann)).statusCode).toBe(200);
    });

    it('rejects cross-site requests with and without a cookie', async () => {
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect(rejection(await newBrowser().send('POST', '/auth/login', { body: ann, headers })).code).toBe(
        'cross-site',
      );
    });
  });

  describe('a session', () => {
    const signIn = async (remember: boolean): Promise<Browser> => {
      const browser = newBrowser();
      await browser.post('/auth/signup', { ...ann, displayName: 'Ann' });
      await browser.post('/auth/login', { ...ann, remember });
      return browser;
    };

    it('is stored in a cookie that scripts and other sites cannot access', async () => {
      const response = await newBrowser().post('/auth/signup', ann);
      const cookie = response.cookies.find(({ name }) => name === 'sid');
      expect(cookie).toMatchObject({
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
        maxAge: (30 * day) / second,
      });
      expect(cookie?.secure).toBeUndefined();
      expect(cookie?.value).toMatch(/^[\w-]{43}$/);
    });

    it('has a host-bound, secure cookie at an https address', async () => {
      app = start({ publicUrl: 'https://earshot.example' });
      const response = await new Browser(app, undefined, 'earshot.example').post('/auth/signup', ann);
      const cookie = response.cookies.find(({ name }) => name === '__Host-Http-sid');
      expect(cookie).toMatchObject({ path: '/', httpOnly: true, sameSite: 'Strict', secure: true });
      expect(cookie).not.toHaveProperty('domain');
    });

    it('exposes its token only in the cookie, and the password nowhere', async () => {
      const response = await newBrowser().post('/auth/signup', ann);
      const token = response.cookies.find(({ name }) => name === 'sid')?.value ?? '';
      const stored = JSON.stringify(
        await Promise.all(
          (['users', 'credentials', 'sessions', 'audit_events'] as const).map((table) =>
            database.queries.selectFrom(table).selectAll().execute(),
          ),
        ),
      );
      for (const text of [response.body, stored]) {
        expect(text).not.toContain(token);
        expect(text).not.toContain(password);
      }
    });

    it('ends after two weeks without use', async () => {
      const browser = await signIn(true);
      clock.advance(14 * day - 1);
      expect(await browser.whoAmI()).toBe('Ann');
      clock.advance(14 * day);
      expect(await browser.whoAmI()).toBeNull();
      expect(rejection(await browser.send('PATCH', '/api/profile', { body: {} }))).toMatchObject({
        status: 401,
        code: 'session-expired',
      });
    });

    it('ends after thirty days regardless of use', async () => {
      const browser = await signIn(true);
      for (let days = 1; days < 30; days += 1) {
        clock.advance(day);
        expect(await browser.whoAmI()).toBe('Ann');
      }
      clock.advance(day);
      expect(await browser.whoAmI()).toBeNull();
    });

    it('on a shared computer ends with the browser, after half an hour without use, or after twelve hours', async () => {
      const browser = newBrowser();
      await browser.post('/auth/signup', { ...ann, displayName: 'Ann' });
      const response = await browser.post('/auth/login', { ...ann, remember: false });
      expect(response.cookies.find(({ name }) => name === 'sid')).not.toHaveProperty('maxAge');
      for (let waitedMs = 0; waitedMs < 12 * hour - 20 * minute; waitedMs += 20 * minute) {
        clock.advance(20 * minute);
        expect(await browser.whoAmI()).toBe('Ann');
      }
      clock.advance(20 * minute);
      expect(await browser.whoAmI()).toBeNull();
      await browser.post('/auth/login', { ...ann, remember: false });
      clock.advance(30 * minute);
      expect(await browser.whoAmI()).toBeNull();
    });

    it('has its last use recorded at most once a minute', async () => {
      const browser = await signIn(true);
      const lastSeen = async () =>
        (await database.queries.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow())
          .last_seen_at;
      const atFirst = await lastSeen();
      clock.advance(minute - 1);
      await browser.send('PATCH', '/api/profile', { body: {} });
      expect(await lastSeen()).toBe(atFirst);
      clock.advance(1);
      await browser.send('PATCH', '/api/profile', { body: {} });
      expect(await lastSeen()).toBe(atFirst + minute);
    });

    it('ends permanently when its user is disabled', async () => {
      const browser = await signIn(true);
      await database.queries.updateTable('users').set({ disabled_at: clock.nowMs() }).execute();
      expect(rejection(await browser.send('PATCH', '/api/profile', { body: {} })).code).toBe(
        'session-expired',
      );
    });

    it('stores only a device name and a network prefix of its origin', async () => {
      await signIn(true);
      const row = await database.queries
        .selectFrom('sessions')
        .select(['label', 'ip_prefix'])
        .executeTakeFirstOrThrow();
      expect({ ...row }).toEqual({ label: 'Firefox · Linux', ip_prefix: '192.0.2.0/24' });
    });

    it('with a malformed token is expired, not an error', async () => {
      for (const token of ['', 'x', 'a'.repeat(5000), '%00', "' or 1=1 --"]) {
        const browser = newBrowser();
        browser.cookies.set('sid', token);
        expect(await browser.whoAmI()).toBeNull();
      }
    });
  });

  describe('signing out', () => {
    it('ends the session, deletes the cookie and can be repeated', async () => {
      const browser = newBrowser();
      const { session } = signedInSchema.parse((await browser.post('/auth/signup', ann)).json());
      const token = browser.cookies.get('sid') ?? '';
      expect((await browser.send('POST', '/auth/logout')).statusCode).toBe(204);
      expect(browser.cookies.has('sid')).toBe(false);
      expect(ended).toEqual([session.id]);
      expect((await browser.send('POST', '/auth/logout/')).statusCode).toBe(204);
      browser.cookies.set('sid', token);
      expect(await browser.whoAmI()).toBeNull();
      expect(await auditActions()).toContain('session.ended');
    });

    it('leaves other devices signed in', async () => {
      const [phone, laptop] = [newBrowser(), newBrowser()];
      await phone.post('/auth/signup', { ...ann, displayName: 'Ann' });
      await laptop.post('/auth/login', ann);
      await phone.send('POST', '/auth/logout');
      expect(await laptop.whoAmI()).toBe('Ann');
    });

    it('clears caches on a shared computer, but never the takes stored there', async () => {
      const browser = newBrowser();
      await browser.post('/auth/signup', ann);
      await browser.post('/auth/login', { ...ann, remember: false });
      expect((await browser.send('POST', '/auth/logout')).headers['clear-site-data']).toBe('"cache"');
    });
  });

  describe('the current user', () => {
    it('is null before sign-in, without a 401', async () => {
      expect((await newBrowser().send('GET', '/auth/session')).json()).toEqual({
        user: null,
        session: null,
        signUp: 'open',
        hasMail: false,
        needsSetUpCode: false,
        methods: null,
        notices: [],
      });
    });

    it('is never cached', async () => {
      expect((await newBrowser().send('GET', '/auth/session/')).headers['cache-control']).toBe('no-store');
    });
  });

  describe('a profile', () => {
    it('has its name and language changed separately', async () => {
      const browser = newBrowser();
      await browser.post('/auth/signup', { ...ann, displayName: 'Ann', locale: 'en' });
      const change = async (body: object) =>
        userSchema.parse((await browser.send('PATCH', '/api/profile', { body })).json());
      expect(await change({ displayName: '  Anna Ü.  ' })).toMatchObject({
        displayName: 'Anna Ü.',
        locale: 'en',
      });
      expect(await change({ locale: 'ar' })).toMatchObject({ displayName: 'Anna Ü.', locale: 'ar' });
      expect(await change({ locale: null })).toMatchObject({ locale: null });
      expect(await change({})).toMatchObject({ displayName: 'Anna Ü.', locale: null });
    });

    it('rejects changes of fields that users may not change', async () => {
      const browser = newBrowser();
      await browser.post('/auth/signup', ann);
      for (const body of [
        { role: 'admin' },
        { email: 'b@example.org' },
        { displayName: '' },
        { displayName: 'a'.repeat(81) },
        { displayName: 'a\u202eb' },
      ]) {
        expect(rejection(await browser.send('PATCH', '/api/profile', { body })).code).toBe('validation');
      }
    });

    it('requires a session', async () => {
      expect(rejection(await newBrowser().send('PATCH', '/api/profile', { body: {} }))).toMatchObject({
        status: 401,
        code: 'session-required',
      });
    });

    it('is not changed if the page expects another user', async () => {
      const browser = newBrowser();
      await browser.post('/auth/signup', ann);
      const response = await browser.send('PATCH', '/api/profile', {
        body: { displayName: 'B' },
        headers: { 'x-expected-principal': '0190f7a0-0000-7000-8000-000000000001' },
      });
      expect(rejection(response)).toMatchObject({ status: 409, code: 'principal-changed' });
    });
  });
});
