import { beforeEach, describe, expect, it } from 'vitest';
import { minute } from '#base/duration.ts';
import { problemSchema } from '#contract/errors.ts';
import { totpCode, totpStepAt } from '#server/features/accounts/credentials/totp-code.ts';
import { bytesOfBase32 } from '#tests/support/base32.ts';
import { appUnderTest, proofIsOldMs, publicUrl, type AppUnderTest, type Browser } from './app-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { honestIssuers } from './honest-issuers.ts';

const { settings, one } = honestIssuers();
const codeOf = (response: { json(): unknown }): string => problemSchema.parse(response.json()).code;

let rig: AppUnderTest;
beforeEach(async () => {
  rig = appUnderTest(await freshDatabase(), { providers: settings });
});

describe('an account with two-step sign-in', () => {
  async function twoSteps(browser: Browser): Promise<() => string> {
    const started = (await browser.send('POST', '/auth/totp/begin')).json<{ flow: string; secret: string }>();
    const code = () => totpCode(bytesOfBase32(started.secret), totpStepAt(rig.clock.nowMs()));
    await browser.post('/auth/totp/confirm', { flow: started.flow, code: code() });
    rig.clock.advance(minute);
    return code;
  }

  it('requires its second step after a provider sign-in too (ASVS 6.3.4)', async () => {
    const first = rig.newBrowser();
    await first.signIn('one', 'ann');
    const code = await twoSteps(first);
    const browser = rig.newBrowser();
    const response = await browser.signIn('one', 'ann', { returnTo: '/library' });
    expect(response.json()).toMatchObject({ next: 'mfa', returnTo: '/library' });
    expect(await browser.whoAmI()).toBeNull();
    const { flow } = response.json<{ flow: string }>();
    expect((await browser.post('/auth/login/mfa', { flow, method: 'totp', code: code() })).statusCode).toBe(
      200,
    );
    expect(await browser.whoAmI()).toMatchObject({ displayName: 'Ann Lovelace' });
  });

  it('cannot confirm its identity by a provider alone', async () => {
    const browser = rig.newBrowser();
    await browser.signIn('one', 'ann');
    await twoSteps(browser);
    rig.clock.advance(proofIsOldMs);
    const response = await browser.signIn('one', 'ann', { intent: 'reauthenticate' });
    expect([response.statusCode, codeOf(response)]).toEqual([403, 'second-factor-required']);
  });
});

describe('the administrator', () => {
  const admin = async (app = rig): Promise<Browser> => {
    const browser = app.newBrowser();
    await browser.signUp('admin@example.org');
    return browser;
  };
  const check = async (browser: Browser, provider: string) =>
    Object.fromEntries(
      (await browser.send('POST', `/api/admin/providers/${provider}/test`))
        .json<{ checks: { check: string; outcome: string }[] }>()
        .checks.map(({ check: name, outcome }) => [name, outcome]),
    );

  it('sees configured and available providers and their redirect URIs, but no secret', async () => {
    const response = await (await admin()).send('GET', '/api/admin/providers');
    expect(response.json()).toMatchObject({
      configured: [
        {
          id: 'one',
          clientId: 'earshot',
          issuer: one().issuer,
          redirectUri: `${publicUrl}/auth/one/callback`,
        },
        { id: 'two' },
      ],
      available: expect.arrayContaining([
        {
          kind: 'github',
          name: 'GitHub',
          variables: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
          redirectUri: `${publicUrl}/auth/github/callback`,
        },
      ]),
    });
    expect(response.json<{ available: unknown[] }>().available[0]).toEqual({
      kind: 'oidc',
      name: 'OpenID Connect',
      variables: ['OIDC_HOME_ISSUER', 'OIDC_HOME_CLIENT_ID', 'OIDC_HOME_CLIENT_SECRET', 'OIDC_HOME_NAME'],
      redirectUri: `${publicUrl}/auth/home/callback`,
    });
    expect(response.body).not.toContain(settings[0]?.clientSecret);
  });

  it('gets passed checks for a working provider', async () => {
    expect(await check(await admin(), 'one')).toEqual({
      reach: 'ok',
      issuer: 'ok',
      clock: 'ok',
      endpoints: 'ok',
      signing: 'ok',
      flow: 'ok',
      scopes: 'ok',
      keys: 'ok',
      client: 'ok',
      redirect: 'ok',
    });
  });

  it('gets failed checks for a wrong secret, another issuer and an unreachable provider', async () => {
    const [first] = settings;
    if (!first) throw new Error('no issuer');
    const app = appUnderTest(rig.database, {
      providers: [
        { ...first, id: 'wrong-secret', clientSecret: 'not the secret that was agreed on' },
        { ...first, id: 'wrong-issuer', issuer: `${first.issuer.replace('127.0.0.1', 'localhost')}` },
        { ...first, id: 'away', issuer: 'http://127.0.0.1:1' },
      ],
    });
    const browser = await admin(app);
    expect(await check(browser, 'wrong-secret')).toMatchObject({ reach: 'ok', client: 'failed' });
    expect(await check(browser, 'wrong-issuer')).toEqual({ reach: 'ok', issuer: 'failed' });
    expect(await check(browser, 'away')).toEqual({ reach: 'failed' });
  });

  it('is the only user with access to the providers', async () => {
    await admin();
    const member = rig.newBrowser();
    await member.signUp('member@example.org');
    const responses = [
      await member.send('GET', '/api/admin/providers'),
      await member.send('POST', '/api/admin/providers/one/test'),
    ];
    expect(responses.map((response) => [response.statusCode, codeOf(response)])).toEqual([
      [403, 'forbidden'],
      [403, 'forbidden'],
    ]);
    expect((await rig.newBrowser().send('GET', '/api/admin/providers')).statusCode).toBe(401);
  });
});

describe('a user with an e-mail address', () => {
  it('is notified by mail when an account is linked and when it is unlinked', async () => {
    const app = appUnderTest(rig.database, {
      providers: settings,
      mailer: { send: () => Promise.resolve(), close: () => undefined },
    });
    const orders = async () =>
      (
        await rig.database.queries
          .selectFrom('jobs')
          .select('id')
          .where('kind', '=', 'account-mail')
          .execute()
      ).length;
    const browser = app.newBrowser();
    await browser.signIn('one', 'ann');
    await browser.signIn('two', 'ann', { intent: 'link' });
    expect(await orders()).toBe(1);
    await browser.signIn('two', 'ann', { intent: 'link' });
    expect(await orders()).toBe(1);
    await browser.post('/auth/unlink', { provider: 'two' });
    expect(await orders()).toBe(2);
  });
});

describe('a sign-in from another name of this machine than the provider returns to', () => {
  it.each(['127.0.0.1', '[::1]', 'app.localhost:3000'])(
    'is not started from %s, and the error names the right URL',
    async (host) => {
      const response = await rig.newBrowser().send('POST', '/auth/one', { body: {}, headers: { host } });
      expect([response.statusCode, codeOf(response), problemSchema.parse(response.json()).detail]).toEqual([
        421,
        'provider-other-address',
        publicUrl,
      ]);
      expect(await rig.count('oauth_flows')).toBe(0);
    },
  );

  it('is started from another port of the same name, as with a container’s mapped port', async () => {
    expect(
      (await rig.newBrowser().send('POST', '/auth/one', { body: {}, headers: { host: 'localhost:8080' } }))
        .statusCode,
    ).toBe(200);
  });
});

describe('a provider whose id is a path of the server', () => {
  it.each(['login', 'signup', 'unlink', 'session', 'passkeys', 'X', 'a', 'a/b'])(
    'such as %j prevents the server from starting',
    async (id) => {
      const [first] = settings;
      if (!first) throw new Error('no issuer');
      expect(() => appUnderTest(rig.database, { providers: [{ ...first, id }] })).toThrow(RangeError);
    },
  );

  it('or is used twice prevents it too', () => {
    expect(() => appUnderTest(rig.database, { providers: [...settings, ...settings] })).toThrow(RangeError);
  });
});
