import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { minute } from '#base/duration.ts';
import { problemSchema } from '#contract/errors.ts';
import { testProvider, type TestSignInResult } from '#contract/providers-api.ts';
import type { Database } from '#server/storage/database/database.ts';
import { eachDatabase, freshDatabase } from '#tests/support/databases.ts';
import { appUnderTest, password, type AppUnderTest, type Browser } from './app-under-test.ts';
import { honestIssuers } from './honest-issuers.ts';
import { forged, maliciousIssuer } from './malicious-issuer.ts';

const { settings, one } = honestIssuers();
const rejection = (response: { statusCode: number; json(): unknown }): [number, string] => [
  response.statusCode,
  problemSchema.parse(response.json()).code,
];

const formOf = (body: RequestInit['body']): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' || body instanceof URLSearchParams ? body : '');

async function administrator(rig: AppUnderTest): Promise<Browser> {
  const browser = rig.newBrowser();
  await browser.signUp('admin@example.org');
  return browser;
}

/** The rows of all tables that a sign-in writes. */
const state = async ({ queries }: Database): Promise<unknown> => ({
  users: await queries.selectFrom('users').selectAll().orderBy('id').execute(),
  identities: await queries.selectFrom('identities').selectAll().orderBy('id').execute(),
  sessions: await queries.selectFrom('sessions').select(['id', 'user_id']).orderBy('id').execute(),
  events: await queries.selectFrom('audit_events').select('action').execute(),
  jobs: await queries.selectFrom('jobs').select('kind').execute(),
});

const cells = ({ claims }: TestSignInResult) =>
  Object.fromEntries(claims.map(({ claim, idToken, userInfo }) => [claim, [idToken, userInfo]]));

eachDatabase((_name, open) => {
  let rig: AppUnderTest;
  let admin: Browser;
  beforeEach(async () => {
    rig = appUnderTest(await open(), { providers: settings });
    admin = await administrator(rig);
  });

  describe('a test sign-in', () => {
    it('reports that a sign-in would create an account, and creates none', async () => {
      const before = await state(rig.database);
      expect((await admin.testSignIn('one', 'ann')).outcome).toEqual({
        result: 'creates',
        account: { displayName: 'Ann Lovelace', email: 'ann@example.org' },
        needsName: false,
      });
      expect(await state(rig.database)).toEqual(before);
      expect(await rig.count('oauth_flows')).toBe(0);
    });

    it('reports the account that a sign-in would use, and does not touch it', async () => {
      await rig.newBrowser().signIn('one', 'ann');
      rig.clock.advance(minute);
      const before = await state(rig.database);
      expect((await admin.testSignIn('one', 'ann')).outcome).toEqual({
        result: 'signs-in',
        account: { displayName: 'Ann Lovelace', email: 'ann@example.org' },
        needsSecondFactor: false,
      });
      expect(await state(rig.database)).toEqual(before);
    });

    it('reports that the user would be asked for a second factor', async () => {
      await rig.newBrowser().signIn('one', 'ann');
      const { user_id: userId } = await rig.database.queries
        .selectFrom('identities')
        .select('user_id')
        .executeTakeFirstOrThrow();
      await rig.database.queries
        .insertInto('totp')
        .values({ user_id: userId, sealed_secret: 'sealed', last_step: 0, created_at: 1 })
        .execute();
      expect((await admin.testSignIn('one', 'ann')).outcome).toMatchObject({ needsSecondFactor: true });
    });

    it('reports that a disabled user would be refused', async () => {
      await rig.newBrowser().signIn('one', 'ann');
      await rig.database.queries
        .updateTable('users')
        .set({ disabled_at: 1 })
        .where('display_name', '=', 'Ann Lovelace')
        .execute();
      expect((await admin.testSignIn('one', 'ann')).outcome).toEqual({
        result: 'refused',
        code: 'account-disabled',
        detail: null,
      });
    });

    it('reports an address that another account has verified, and adds nothing to that account', async () => {
      await rig.newBrowser().signIn('one', 'ann');
      const trusted = appUnderTest(rig.database, {
        providers: settings.map((one) => ({ ...one, trustEmail: true })),
      });
      const browser = trusted.newBrowser();
      await browser.post('/auth/login', { email: 'admin@example.org', password });
      const before = await state(rig.database);
      expect((await browser.testSignIn('two', 'ann')).outcome).toMatchObject({
        result: 'refused',
        code: 'account-exists',
      });
      expect(await state(rig.database)).toEqual(before);
    });

    it('reports that sign-ups are closed', async () => {
      const closed = appUnderTest(rig.database, { providers: settings, signUp: 'closed' });
      const browser = closed.newBrowser();
      await browser.post('/auth/login', { email: 'admin@example.org', password });
      expect((await browser.testSignIn('one', 'bob')).outcome).toMatchObject({
        result: 'refused',
        code: 'sign-up-closed',
      });
    });
  });

  describe('a response to a test sign-in', () => {
    it('counts once', async () => {
      const answer = await admin.visitForTest('one');
      const responses = await Promise.all([admin.finishTest('one', answer), admin.finishTest('one', answer)]);
      expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 410]);
    });

    it('expires after ten minutes', async () => {
      const answer = await admin.visitForTest('one');
      rig.clock.advance(10 * minute);
      expect(rejection(await admin.finishTest('one', answer))).toEqual([410, 'oauth-flow-expired']);
    });

    it('is refused from another browser of the same administrator', async () => {
      const answer = await admin.visitForTest('one');
      const other = rig.newBrowser();
      await other.post('/auth/login', { email: 'admin@example.org', password });
      expect(rejection(await other.finishTest('one', answer))).toEqual([400, 'oauth-state-mismatch']);
      expect((await admin.finishTest('one', answer)).statusCode).toBe(200);
    });

    it('is refused to another administrator, also in the same browser', async () => {
      const second = rig.newBrowser();
      await second.signUp('second@example.org');
      await rig.database.queries.updateTable('users').set({ role: 'admin' }).execute();
      const answer = await admin.visitForTest('one');
      expect(rejection(await second.finishTest('one', answer))).toEqual([400, 'oauth-state-mismatch']);
      await admin.post('/auth/login', { email: 'second@example.org', password });
      expect(rejection(await admin.finishTest('one', answer))).toEqual([409, 'principal-changed']);
    });

    it('is refused in a later session of the same administrator', async () => {
      const answer = await admin.visitForTest('one');
      await admin.send('POST', '/auth/logout');
      expect((await admin.finishTest('one', answer)).statusCode).toBe(401);
      await admin.post('/auth/login', { email: 'admin@example.org', password });
      expect(rejection(await admin.finishTest('one', answer))).toEqual([410, 'oauth-flow-expired']);
    });

    it('signs nobody in, links nothing and proves nothing', async () => {
      const answer = await admin.visitForTest('one');
      const before = await rig.count('sessions');
      expect(rejection(await admin.post('/auth/one', answer))).toEqual([400, 'oauth-state-mismatch']);
      expect([await rig.count('sessions'), await rig.count('identities')]).toEqual([before, 0]);
      expect((await admin.finishTest('one', answer)).statusCode).toBe(200);
    });

    it('does not finish a test of another provider', async () => {
      const answer = await admin.visitForTest('one');
      expect(rejection(await admin.finishTest('two', answer))).toEqual([400, 'oauth-state-mismatch']);
    });

    it.each([
      ['no state', {}],
      ['a malformed state', { state: 'x' }],
      ['a state of a sign-in', { state: `p${'A'.repeat(43)}` }],
    ])('is refused with %s', async (_what, more) => {
      const { statusCode } = await admin.finishTest('one', { code: 'c', ...more });
      expect(statusCode).toBe('state' in more && more.state.length > 1 ? 410 : 400);
    });

    it('is no response to a sign-in', async () => {
      const answer = await admin.visit(await admin.start('one'));
      expect(rejection(await admin.finishTest('one', answer))).toEqual([400, 'oauth-state-mismatch']);
      expect((await admin.post('/auth/one', answer)).statusCode).toBe(200);
    });
  });
});

describe('test sign-ins', () => {
  it('are for administrators only, and need a session', async () => {
    const rig = appUnderTest(await freshDatabase(), { providers: settings });
    const admin = await administrator(rig);
    const answer = await admin.visitForTest('one');
    const member = rig.newBrowser();
    await member.signUp('member@example.org');
    const path = '/api/admin/providers/one/test/sign-in';
    for (const [browser, expected] of [
      [member, [403, 'forbidden']],
      [rig.newBrowser(), [401, 'session-required']],
    ] as const) {
      expect(rejection(await browser.send('POST', path))).toEqual(expected);
      expect(rejection(await browser.finishTest('one', answer))).toEqual(expected);
    }
    expect(await rig.count('oauth_flows')).toBe(1);
  });

  it('of an administrator who became a member can’t be finished', async () => {
    const rig = appUnderTest(await freshDatabase(), { providers: settings });
    const admin = await administrator(rig);
    const answer = await admin.visitForTest('one');
    await rig.database.queries.updateTable('users').set({ role: 'member' }).execute();
    expect(rejection(await admin.finishTest('one', answer))).toEqual([403, 'forbidden']);
  });

  it('count as calls of providers', async () => {
    const rig = appUnderTest(await freshDatabase(), { providers: settings, providerCallsPerTenMinutes: 2 });
    const admin = await administrator(rig);
    const answer = await admin.visitForTest('one');
    expect((await admin.finishTest('one', answer)).statusCode).toBe(200);
    expect(rejection(await admin.finishTest('one', answer))).toEqual([429, 'rate-limited']);
    expect(rejection(await admin.send('POST', '/api/admin/providers/one/test/sign-in'))).toEqual([
      429,
      'rate-limited',
    ]);
  });

  it('of an unknown provider or from another host name are not started', async () => {
    const rig = appUnderTest(await freshDatabase(), { providers: settings });
    const admin = await administrator(rig);
    expect(rejection(await admin.send('POST', '/api/admin/providers/none/test/sign-in'))).toEqual([
      404,
      'provider-unknown',
    ]);
    const options = { headers: { host: '127.0.0.1' } };
    expect(rejection(await admin.send('POST', '/api/admin/providers/one/test/sign-in', options))).toEqual([
      421,
      'provider-other-address',
    ]);
  });
});

describe('the result of a test sign-in', () => {
  it('has each claim by its source, with the subject masked and no other values', async () => {
    const rig = appUnderTest(await freshDatabase(), { providers: settings });
    const result = await (await administrator(rig)).testSignIn('one', 'ann');
    expect(cells(result)).toMatchObject({
      alg: ['RS256', null],
      iss: [one().issuer, null],
      aud: ['earshot', null],
      sub: ['a…', 'a…'],
      name: [null, 'Ann Lovelace'],
      email: [null, 'ann@example.org'],
      email_verified: [null, 'true'],
    });
    expect(result).toMatchObject({
      userInfoStatus: 200,
      otherClaims: expect.arrayContaining(['nonce']),
      warning: null,
      profile: { subject: 'a…', name: 'Ann Lovelace', email: 'ann@example.org', isEmailVerified: true },
    });
    expect(Math.abs(result.clockDifferenceMs ?? Number.NaN)).toBeLessThan(minute);
  });

  it('distinguishes true from the text "true", and a number from a text', async () => {
    const issuer = await maliciousIssuer();
    issuer.claim((claims) =>
      Object.assign(claims, { sub: 1_234_567_890, email: 'a@b.example', email_verified: 'true' }),
    );
    const rig = appUnderTest(await freshDatabase(), { providers: [issuer.settings] });
    const result = await (await administrator(rig)).testSignIn('evil');
    expect(cells(result)).toMatchObject({
      sub: ['12…90 (number)', null],
      email_verified: ['"true"', null],
    });
  });

  it('shows audiences and party as Zitadel sends them, and who is let in', async () => {
    const issuer = await maliciousIssuer();
    issuer.claim((claims) => Object.assign(claims, { aud: ['earshot', '383108'], azp: 'earshot' }));
    const rig = appUnderTest(await freshDatabase(), { providers: [issuer.settings] });
    const result = await (await administrator(rig)).testSignIn('evil');
    expect(cells(result)).toMatchObject({ aud: ['["earshot","383108"]', null], azp: ['earshot', null] });
    expect(result.outcome).toMatchObject({ result: 'creates' });
  });

  it.each([
    ['HS256', forged.bySecret, 'HS256'],
    ['none', forged.unsigned, 'none'],
  ])('names the algorithm %s of a token that it refuses', async (_name, forge, algorithm) => {
    const issuer = await maliciousIssuer();
    issuer.answer(({ body }) =>
      Object.assign(body, { id_token: forge((body as { id_token: string }).id_token) }),
    );
    const rig = appUnderTest(await freshDatabase(), { providers: [issuer.settings] });
    const result = await (await administrator(rig)).testSignIn('evil');
    expect(result.outcome).toMatchObject({ result: 'refused', code: 'oauth-exchange-failed' });
    expect(cells(result)).toMatchObject({ alg: [algorithm, null], aud: ['earshot', null] });
    expect(result.profile).toBeNull();
  });

  it('names UserInfo that fails, and lets the user in', async () => {
    const issuer = await maliciousIssuer();
    issuer.userInfo((response) => Object.assign(response, { statusCode: 403, body: {} }));
    const rig = appUnderTest(await freshDatabase(), { providers: [issuer.settings] });
    expect(await (await administrator(rig)).testSignIn('evil')).toMatchObject({
      outcome: { result: 'creates', needsName: true },
      userInfoStatus: 403,
      warning: expect.stringContaining('UserInfo could not be read'),
    });
  });

  it('has the provider’s reason for a denied sign-in', async () => {
    const rig = appUnderTest(await freshDatabase(), { providers: settings });
    const admin = await administrator(rig);
    const { state: flow = '' } = await admin.visitForTest('one');
    const response = await admin.finishTest('one', {
      state: flow,
      error: 'access_denied',
      error_description: 'Ann is in no group of this application',
    });
    expect(response.json<TestSignInResult>().outcome).toEqual({
      result: 'refused',
      code: 'oauth-denied',
      detail: 'access_denied: Ann is in no group of this application',
    });
  });

  it('survives claims that no issuer should send', async () => {
    const issuer = await maliciousIssuer();
    issuer.claim((claims) => {
      Object.assign(claims, { iat: 1e300, name: 'x'.repeat(5000), aud: [['earshot'], null, {}] });
      for (let index = 0; index < 400; index += 1) claims[`claim-${index}-${'x'.repeat(99)}`] = index;
    });
    const rig = appUnderTest(await freshDatabase(), { providers: [issuer.settings] });
    const result = await (await administrator(rig)).testSignIn('evil');
    expect(result.outcome).toMatchObject({ result: 'refused' });
    expect(result.clockDifferenceMs).toBeNull();
    expect(cells(result)['name']?.[0]).toHaveLength(300);
    expect(result.otherClaims).toHaveLength(50);
  });

  it('and the log have no secret, even if the provider quotes all of them', async () => {
    const seen: string[] = [];
    const issuer = await maliciousIssuer();
    const lines: string[] = [];
    const rig = appUnderTest(await freshDatabase(), {
      providers: [issuer.settings],
      logger: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }),
      async fetch(url, init) {
        if (init?.method !== 'POST') return fetch(url, init);
        const form = formOf(init.body);
        const [, credentials = ''] = (new Headers(init.headers).get('authorization') ?? '').split(' ');
        seen.push(
          form.get('code') ?? '',
          form.get('code_verifier') ?? '',
          issuer.settings.clientSecret,
          credentials,
        );
        return Response.json(
          { error: 'invalid_request', error_description: `what is ${seen.join(' and ')}?` },
          { status: 400 },
        );
      },
    });
    const admin = await administrator(rig);
    const answer = await admin.visitForTest('evil');
    const response = await admin.finishTest('evil', answer);
    expect(response.json<TestSignInResult>().outcome).toMatchObject({
      code: 'provider-misconfigured',
      detail: expect.stringMatching(/what is … and …/),
    });
    expect(seen.filter((secret) => secret !== '').length).toBeGreaterThan(2);
    for (const secret of [...seen, answer.state ?? '', answer.code ?? ''].filter((one) => one !== ''))
      expect([response.body, ...lines].filter((text) => text.includes(secret))).toEqual([]);
  });

  it('has no token in any claim', async () => {
    let accessToken = '';
    const issuer = await maliciousIssuer();
    issuer.answer(({ body }) => {
      accessToken = (body as { access_token: string }).access_token;
    });
    issuer.userInfo(({ body }) => Object.assign(body as object, { name: `token ${accessToken}` }));
    const rig = appUnderTest(await freshDatabase(), { providers: [issuer.settings] });
    const admin = await administrator(rig);
    const response = await admin.finishTest('evil', await admin.visitForTest('evil'));
    expect(accessToken).not.toBe('');
    for (const part of accessToken.split('.')) expect(response.body).not.toContain(part.slice(0, 60));
  });
});

it('the callback page of a test hands its response to the settings, not to the sign-in', async () => {
  const rig = appUnderTest(await freshDatabase(), { providers: settings });
  const { body } = await rig.newBrowser().send('GET', `/auth/one/callback?code=c&state=t${'A'.repeat(43)}`);
  expect(body).toContain('"path":"/settings/providers"');
  const signIn = await rig.newBrowser().send('GET', `/auth/one/callback?code=c&state=p${'A'.repeat(43)}`);
  expect(signIn.body).toContain('"path":"/sign-in"');
});

it('Test names what only a sign-in shows: the signature, the audience and the claims', async () => {
  const rig = appUnderTest(await freshDatabase(), { providers: settings });
  const admin = await administrator(rig);
  const response = await admin.send('POST', '/api/admin/providers/one/test');
  expect(testProvider.reply.parse(response.json()).onlyAtSignIn).toEqual([
    {
      need: 'signature',
      wanted: 'RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519',
      announced: expect.stringContaining('RS256'),
    },
    { need: 'audience', wanted: 'earshot', announced: null },
    {
      need: 'claims',
      wanted: 'sub, name, email, email_verified',
      announced: expect.stringContaining('sub'),
    },
  ]);
});
