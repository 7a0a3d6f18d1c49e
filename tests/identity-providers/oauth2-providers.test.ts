import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { problemSchema } from '#contract/errors.ts';
import type { SimpleSettings } from '#server/features/accounts/providers/provider-settings.ts';
import { appUnderTest, password, proofIsOldMs, type AppUnderTest } from './app-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { oauth2Only, type Handlers } from './outside-world.ts';

const client = { clientId: 'app-1', clientSecret: 'the app secret' };
const codeOf = (response: { json(): unknown }): string => problemSchema.parse(response.json()).code;
const granted = { body: { access_token: 'the-token', token_type: 'bearer', scope: '' } };

async function rigWith(
  kind: SimpleSettings['kind'],
  network: typeof fetch,
  options: { setUpCode?: string } = {},
): Promise<AppUnderTest> {
  return appUnderTest(await freshDatabase(), {
    ...options,
    providers: [{ kind, ...client }],
    fetch: (url, init) => network(url, init),
    network,
  });
}

describe('GitHub', () => {
  const usual: Handlers = {
    '/login/oauth/access_token': () => granted,
    '/user': () => ({ body: { id: 583_231, login: 'octocat', name: null } }),
    '/user/emails': () => ({
      body: [
        { email: 'old@example.org', primary: false, verified: true },
        { email: 'octo@example.org', primary: true, verified: true },
      ],
    }),
  };
  const start = async (
    handlers: Handlers = {},
    back: Record<string, string> = { iss: 'https://github.com/login/oauth' },
    options: { setUpCode?: string } = {},
  ): Promise<AppUnderTest> =>
    rigWith(
      'github',
      await oauth2Only({
        hosts: ['github.com', 'api.github.com'],
        authorizePath: '/login/oauth/authorize',
        back,
        handlers: { ...usual, ...handlers },
      }),
      options,
    );

  it('is identified by its number, and displayed by name or, without one, user name', async () => {
    const rig = await start();
    expect((await rig.newBrowser().signIn('github')).json()).toMatchObject({
      created: true,
      user: { displayName: 'octocat', email: 'octo@example.org' },
    });
    expect(
      await rig.database.queries
        .selectFrom('identities')
        .select(['issuer', 'subject', 'label'])
        .executeTakeFirstOrThrow(),
    ).toMatchObject({ issuer: 'https://github.com', subject: '583231', label: 'octocat' });
  });

  it('may send its issuer or none, but not another', async () => {
    expect((await (await start({}, {})).newBrowser().signIn('github')).statusCode).toBe(200);
    const mixedUp = await (await start({}, { iss: 'https://evil.example' })).newBrowser().signIn('github');
    expect([mixedUp.statusCode, codeOf(mixedUp)]).toEqual([400, 'oauth-state-mismatch']);
  });

  it.each([
    ['primary but not verified', [{ email: 'victim@example.org', primary: true, verified: false }]],
    ['verified but not primary', [{ email: 'victim@example.org', primary: false, verified: true }]],
    ['missing', []],
  ])('gives no address that is %s', async (_name, emails) => {
    const rig = await start({ '/user/emails': () => ({ body: emails }) });
    expect((await rig.newBrowser().signIn('github')).json()).toMatchObject({ user: { email: null } });
  });

  it.each([
    ['may not be read by the app', 403, { message: 'Resource not accessible by integration' }],
    ['come in another form', 200, { email: 'ann@example.org' }],
  ])('signs in a user whose addresses %s, without an address', async (_name, status, body) => {
    const rig = await start({ '/user/emails': () => ({ status, body }) });
    expect((await rig.newBrowser().signIn('github')).json()).toMatchObject({
      user: { displayName: 'octocat', email: null },
    });
  });

  it.each<[string, Handlers, [number, string]]>([
    [
      'rejects a code with status 200',
      {
        '/login/oauth/access_token': () => ({
          body: {
            error: 'bad_verification_code',
            error_description: 'The code passed is incorrect or expired.',
          },
        }),
      },
      [502, 'oauth-exchange-failed'],
    ],
    [
      'returns a form',
      {
        '/login/oauth/access_token': () => ({
          type: 'application/x-www-form-urlencoded',
          body: 'access_token=x&token_type=bearer',
        }),
      },
      [502, 'oauth-exchange-failed'],
    ],
    [
      'does not know the token',
      { '/user': () => ({ status: 401, body: { message: 'Bad credentials' } }) },
      [502, 'oauth-exchange-failed'],
    ],
    [
      'returns a user without an id',
      { '/user': () => ({ body: { login: 'octocat' } }) },
      [502, 'oauth-exchange-failed'],
    ],
    ['is down', { '/user': () => ({ status: 503, body: 'unicorn' }) }, [503, 'provider-unavailable']],
    [
      'can’t tell the addresses',
      { '/user/emails': () => ({ status: 503, body: 'unicorn' }) },
      [503, 'provider-unavailable'],
    ],
    ['limits the rate', { '/user': () => ({ status: 429, body: {} }) }, [503, 'provider-unavailable']],
    [
      'does not know the secret, with status 200',
      {
        '/login/oauth/access_token': () => ({
          body: {
            error: 'incorrect_client_credentials',
            error_description: 'The client_id and/or client_secret passed are incorrect.',
          },
        }),
      },
      [502, 'provider-misconfigured'],
    ],
    [
      'does not know the app, with an empty body',
      { '/login/oauth/access_token': () => ({ status: 401, body: {} }) },
      [502, 'provider-misconfigured'],
    ],
    [
      'does not know the redirect URI',
      { '/login/oauth/access_token': () => ({ body: { error: 'redirect_uri_mismatch' } }) },
      [502, 'provider-misconfigured'],
    ],
  ])('that %s signs no user in', async (_name, handlers, expected) => {
    const rig = await start(handlers);
    const response = await rig.newBrowser().signIn('github');
    expect([response.statusCode, codeOf(response)]).toEqual(expected);
    expect([await rig.count('users'), await rig.count('sessions')]).toEqual([0, 0]);
  });

  it('S22: does not confirm the identity of an account with a password, but does for one without', async () => {
    const rig = await start();
    const browser = rig.newBrowser();
    await browser.signIn('github');
    rig.clock.advance(proofIsOldMs);
    expect(codeOf(await browser.post('/auth/github', { intent: 'link' }))).toBe('reauthentication-required');
    expect((await browser.signIn('github', 'ann', { intent: 'reauthenticate' })).statusCode).toBe(200);
    const added = await browser.post('/auth/password', { newPassword: password });
    expect(added.statusCode).toBe(200);

    expect(codeOf(await browser.post('/auth/github', { intent: 'reauthenticate' }))).toBe(
      'provider-not-enough',
    );
    const thief = rig.newBrowser();
    await thief.signIn('github');
    expect(codeOf(await thief.post('/auth/github', { intent: 'link' }))).toBe('reauthentication-required');
    expect((await thief.post('/auth/reauthenticate', { method: 'password', password })).statusCode).toBe(200);
    expect((await thief.post('/auth/github', { intent: 'link' })).statusCode).toBe(200);
  });

  it('S22: rejects an identity confirmation that started before the account had a password', async () => {
    const rig = await start();
    const browser = rig.newBrowser();
    await browser.signIn('github');
    const answer = await browser.visit(await browser.start('github', { intent: 'reauthenticate' }));
    await browser.post('/auth/password', { newPassword: password });
    expect(codeOf(await browser.post('/auth/github', answer))).toBe('provider-not-enough');
  });

  it('S25: creates the first account of a publicly reachable server only with the set-up code', async () => {
    const rig = await start({}, undefined, { setUpCode: 'ABCD-EFGH-JKMN' });
    expect(codeOf(await rig.newBrowser().post('/auth/github', {}))).toBe('set-up-code-invalid');
    expect(
      (await rig.newBrowser().signIn('github', 'ann', { setUpCode: 'ABCD-EFGH-JKMN' })).json(),
    ).toMatchObject({ created: true, user: { role: 'admin' } });
  });

  it('gets the verifier that matches the challenge, and the secret in the body', async () => {
    let form = new URLSearchParams();
    const rig = await start({
      '/login/oauth/access_token': (request) => {
        ({ form } = request);
        return granted;
      },
    });
    const browser = rig.newBrowser();
    const url = new URL(await browser.start('github'));
    await browser.post('/auth/github', await browser.visit(url.href));
    expect(form.get('client_secret')).toBe(client.clientSecret);
    const hash = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(form.get('code_verifier') ?? ''),
    );
    expect(Buffer.from(hash).toString('base64url')).toBe(url.searchParams.get('code_challenge'));
  });

  it.each<[string, Handlers, string]>([
    [
      'knows the app',
      { '/login/oauth/access_token': () => ({ body: { error: 'bad_verification_code' } }) },
      'ok',
    ],
    [
      'does not know the secret',
      { '/login/oauth/access_token': () => ({ body: { error: 'incorrect_client_credentials' } }) },
      'failed',
    ],
    [
      'knows the app with another redirect URI',
      { '/login/oauth/access_token': () => ({ body: { error: 'redirect_uri_mismatch' } }) },
      'ok',
    ],
    [
      'returns an HTML page',
      { '/login/oauth/access_token': () => ({ type: 'text/html', body: '<p>unicorn</p>' }) },
      'unknown',
    ],
  ])('that %s is reported to the administrator who tests it', async (_name, handlers, outcome) => {
    const rig = await start(handlers);
    const admin = rig.newBrowser();
    await admin.signUp('admin@example.org');
    const { checks } = (await admin.send('POST', '/api/admin/providers/github/test')).json<{
      checks: { check: string; outcome: string }[];
    }>();
    expect(checks.find(({ check }) => check === 'client')?.outcome).toBe(outcome);
  });
});

describe('Facebook', () => {
  const usual: Handlers = {
    '/v23.0/oauth/access_token': () => granted,
    '/v23.0/debug_token': () => ({
      body: { data: { app_id: client.clientId, is_valid: true, user_id: '1001' } },
    }),
    '/v23.0/me': () => ({ body: { id: '1001', name: 'Ann', email: 'ann@example.org' } }),
  };
  const start = async (handlers: Handlers = {}): Promise<AppUnderTest> =>
    rigWith(
      'facebook',
      await oauth2Only({
        hosts: ['www.facebook.com', 'graph.facebook.com'],
        authorizePath: '/v23.0/dialog/oauth',
        handlers: { ...usual, ...handlers },
      }),
    );

  it('verifies no address', async () => {
    expect((await (await start()).newBrowser().signIn('facebook')).json()).toMatchObject({
      created: true,
      user: { displayName: 'Ann', email: null },
    });
  });

  it('gets requests with a proof of the app’s secret', async () => {
    let proof: string | null = null;
    const rig = await start({
      '/v23.0/me': ({ url }) => {
        proof = url.searchParams.get('appsecret_proof');
        return { body: { id: '1001' } };
      },
    });
    await rig.newBrowser().signIn('facebook');
    expect(proof).toBe(createHmac('sha256', client.clientSecret).update('the-token').digest('hex'));
  });

  const nested = (code: number, message: string) => ({
    status: 400,
    body: { error: { message, type: 'OAuthException', code } },
  });
  it.each([
    [nested(1, 'Error validating client secret.'), 'provider-misconfigured', 'failed'],
    [nested(101, 'Error validating application.'), 'provider-misconfigured', 'failed'],
    [nested(191, 'URL blocked'), 'provider-misconfigured', 'ok'],
    [nested(100, 'Invalid verification code format.'), 'oauth-exchange-failed', 'ok'],
  ])(
    'reports errors in its own format: %j is %s, and the client check in the administrator’s test is %s',
    async (answer, code, client) => {
      const rig = await start({ '/v23.0/oauth/access_token': () => answer });
      expect(codeOf(await rig.newBrowser().signIn('facebook'))).toBe(code);
      const admin = rig.newBrowser();
      await admin.signUp('admin@example.org');
      const { checks } = (await admin.send('POST', '/api/admin/providers/facebook/test')).json<{
        checks: { check: string; outcome: string }[];
      }>();
      expect(checks.find(({ check }) => check === 'client')?.outcome).toBe(client);
    },
  );

  it.each<[string, Handlers]>([
    [
      'of another app',
      {
        '/v23.0/debug_token': () => ({
          body: { data: { app_id: 'another', is_valid: true, user_id: '1001' } },
        }),
      },
    ],
    [
      'that is no longer valid',
      {
        '/v23.0/debug_token': () => ({
          body: { data: { app_id: client.clientId, is_valid: false, user_id: '1001' } },
        }),
      },
    ],
    ['of another user', { '/v23.0/me': () => ({ body: { id: '2002', name: 'Bob' } }) }],
  ])('rejects a token %s', async (_name, handlers) => {
    const rig = await start(handlers);
    expect(codeOf(await rig.newBrowser().signIn('facebook'))).toBe('oauth-exchange-failed');
    expect(await rig.count('users')).toBe(0);
  });
});

describe('Discord', () => {
  it.each([
    [true, 'ann@example.org'],
    [false, null],
    [undefined, null],
  ])('with verified %s verifies %s', async (verified, email) => {
    const rig = await rigWith(
      'discord',
      await oauth2Only({
        hosts: ['discord.com'],
        authorizePath: '/oauth2/authorize',
        handlers: {
          '/api/oauth2/token': () => granted,
          '/api/v10/users/@me': () => ({
            body: {
              id: '80351110224678912',
              username: 'nelly',
              global_name: null,
              email: 'ann@example.org',
              ...(verified === undefined ? {} : { verified }),
            },
          }),
        },
      }),
    );
    expect((await rig.newBrowser().signIn('discord')).json()).toMatchObject({
      user: { displayName: 'nelly', email },
    });
  });
});
