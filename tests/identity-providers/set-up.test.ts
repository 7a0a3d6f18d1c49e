import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { problemSchema } from '#contract/errors.ts';
import type { OidcSettings } from '#server/features/accounts/providers/provider-settings.ts';
import { startLocalIssuer, type LocalIssuer } from '#scripts/demo/local-issuer.ts';
import { appUnderTest, publicUrl, type AppUnderTest } from './app-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { maliciousIssuer } from './malicious-issuer.ts';

const clientSecret = 'a secret that only the two of us know';
const answerOf = (response: LightMyRequestResponse): [number, string | null] => [
  response.statusCode,
  response.statusCode === 200 ? null : problemSchema.parse(response.json()).code,
];
const signedIn: [number, null] = [200, null];
const misconfigured: [number, string] = [502, 'provider-misconfigured'];

type Method = NonNullable<OidcSettings['clientAuth']>;

async function realIssuer(options: { path?: string; method?: Method } = {}): Promise<LocalIssuer> {
  const { method, ...rest } = options;
  const issuer = await startLocalIssuer({
    port: 0,
    ...rest,
    people: [{ sub: 'ann', claims: { name: 'Ann', email: 'ann@example.org', email_verified: true } }],
    choosePage: () => '<form method="post"><input name="user"></form>',
    client: {
      clientId: 'earshot',
      clientSecret,
      redirectUris: [`${publicUrl}/auth/home/callback`],
      ...(method ? { method } : {}),
    },
  });
  onTestFinished(() => issuer.stop());
  return issuer;
}

const settingsFor = (issuer: string, more: Partial<OidcSettings> = {}): OidcSettings => ({
  kind: 'oidc',
  id: 'home',
  name: 'Home',
  issuer,
  clientId: 'earshot',
  clientSecret,
  trustEmail: true,
  ...more,
});

const formOf = (body: RequestInit['body']): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' || body instanceof URLSearchParams ? body : '');

/** A network that records requests to token endpoints. */
function counted(
  answer: (url: string, init: RequestInit | undefined) => Promise<Response> = (url, init) => fetch(url, init),
) {
  const seen: RequestInit[] = [];
  return {
    seen,
    fetch: (url: string, init?: RequestInit): Promise<Response> => {
      if (init?.method === 'POST') seen.push(init);
      return answer(url, init);
    },
  };
}

describe('an issuer whose trailing slash differs from the configured one', () => {
  it.each([
    ['/application/o/earshot/', ''],
    ['/application/o/earshot', '/'],
    ['/', ''],
    ['', '/'],
    ['/realms/a%20b/', ''],
  ])('%j, configured with %j instead, signs in', async (path, ending) => {
    const { issuer } = await realIssuer({ path });
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor(issuer.replace(/\/$/, '') + ending)],
    });
    const browser = rig.newBrowser();
    expect(answerOf(await browser.signIn('home'))).toEqual(signedIn);
    expect(await browser.identities()).toMatchObject([{ isUsable: true }]);
  });

  it('is still the same issuer for its users when the operator changes the slash', async () => {
    const { issuer } = await realIssuer({ path: '/o/earshot/' });
    const database = await freshDatabase();
    for (const written of [issuer, issuer.replace(/\/$/, '')]) {
      const browser = appUnderTest(database, { providers: [settingsFor(written)] }).newBrowser();
      expect(answerOf(await browser.signIn('home'))).toEqual(signedIn);
      expect(await browser.identities()).toMatchObject([{ isUsable: true }]);
    }
    expect(await appUnderTest(database).count('users')).toBe(1);
  });

  it.each<[string, (evil: Awaited<ReturnType<typeof maliciousIssuer>>) => void]>([
    [
      'with the slash in its discovery document alone',
      (evil) => {
        evil.discovery(({ body }) => {
          if (typeof body === 'object') body['issuer'] = `${evil.settings.issuer}/o/`;
        });
      },
    ],
    [
      'with another host',
      (evil) => {
        evil.discovery(({ body }) => {
          if (typeof body === 'object')
            body['issuer'] = `${evil.settings.issuer.replace('127.0.0.1', 'localhost')}/`;
        });
      },
    ],
    [
      'with another scheme',
      (evil) => {
        evil.discovery(({ body }) => {
          if (typeof body === 'object')
            body['issuer'] = `${evil.settings.issuer.replace('http:', 'https:')}/`;
        });
      },
    ],
  ])('is rejected %s', async (_name, lie) => {
    const evil = await maliciousIssuer();
    lie(evil);
    const rig = appUnderTest(await freshDatabase(), { providers: [evil.settings] });
    expect(answerOf(await rig.newBrowser().post('/auth/evil', {}))).toEqual(misconfigured);
  });

  it('is compared exactly afterwards: a response with the configured spelling is rejected', async () => {
    const { issuer } = await realIssuer({ path: '/o/earshot/' });
    const rig = appUnderTest(await freshDatabase(), { providers: [settingsFor(issuer.replace(/\/$/, ''))] });
    const browser = rig.newBrowser();
    const answer = await browser.visit(await browser.start('home'));
    expect(answer.iss).toBe(issuer);
    expect(answerOf(await browser.post('/auth/home', { ...answer, iss: issuer.replace(/\/$/, '') }))).toEqual(
      [400, 'oauth-state-mismatch'],
    );
  });
});

describe('the method of sending the client secret', () => {
  it.each<Method>(['client_secret_basic', 'client_secret_post'])(
    '%s is detected at the first sign-in and remembered',
    async (method) => {
      const { issuer } = await realIssuer({ method });
      const network = counted();
      const rig = appUnderTest(await freshDatabase(), {
        providers: [settingsFor(issuer)],
        fetch: network.fetch,
      });
      expect(answerOf(await rig.newBrowser().signIn('home'))).toEqual(signedIn);
      const first = network.seen.length;
      expect(answerOf(await rig.newBrowser().signIn('home'))).toEqual(signedIn);
      expect(network.seen).toHaveLength(first + 1);
    },
  );

  it('is basic where the issuer lists none, as the standard says', async () => {
    const { issuer } = await realIssuer({ method: 'client_secret_basic' });
    const network = counted(async (url, init) => {
      const response = await fetch(url, init);
      if (!url.endsWith('/openid-configuration')) return response;
      const { token_endpoint_auth_methods_supported: _, ...metadata } = (await response.json()) as Record<
        string,
        unknown
      >;
      return Response.json(metadata);
    });
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor(issuer)],
      fetch: network.fetch,
    });
    expect(answerOf(await rig.newBrowser().signIn('home'))).toEqual(signedIn);
    expect(network.seen).toHaveLength(1);
  });

  it('is never used twice in one request', async () => {
    const { issuer } = await realIssuer({ method: 'client_secret_basic' });
    const network = counted();
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor(issuer)],
      fetch: network.fetch,
    });
    await rig.newBrowser().signIn('home');
    const methods = network.seen.map(({ headers, body }) => [
      new Headers(headers).has('authorization'),
      formOf(body).has('client_secret'),
    ]);
    expect(methods).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  it('is the operator’s if configured, right or wrong', async () => {
    const { issuer } = await realIssuer({ method: 'client_secret_basic' });
    const outcomes = await Promise.all(
      (['client_secret_basic', 'client_secret_post'] as const).map(async (clientAuth) => {
        const network = counted();
        const rig = appUnderTest(await freshDatabase(), {
          providers: [settingsFor(issuer, { clientAuth })],
          fetch: network.fetch,
        });
        return [answerOf(await rig.newBrowser().signIn('home')), network.seen.length];
      }),
    );
    expect(outcomes).toEqual([
      [signedIn, 1],
      [misconfigured, 1],
    ]);
  });

  it('is also learned from an issuer that invalidates the code on rejection: the next sign-in works', async () => {
    const { issuer } = await realIssuer({ method: 'client_secret_basic' });
    const spent = new Set<string>();
    const network = counted(async (url, init) => {
      const code = init?.method === 'POST' ? formOf(init.body).get('code') : null;
      if (code !== null && spent.has(code)) return Response.json({ error: 'invalid_grant' }, { status: 400 });
      const response = await fetch(url, init);
      if (code !== null && response.status === 401) spent.add(code);
      return response;
    });
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor(issuer)],
      fetch: network.fetch,
    });
    expect(answerOf(await rig.newBrowser().signIn('home'))).toEqual([502, 'oauth-exchange-failed']);
    expect(answerOf(await rig.newBrowser().signIn('home'))).toEqual(signedIn);
  });
});

describe('a permanent error is reported as a configuration error', () => {
  it.each<[string, Partial<OidcSettings>]>([
    ['a wrong secret', { clientSecret: 'not the secret that was agreed on' }],
    ['an issuer that is another', { issuer: 'http://127.0.0.1:1/elsewhere' }],
  ])('%s', async (name, more) => {
    const { issuer } = await realIssuer();
    const given = more.issuer === undefined ? more : { issuer: issuer.replace('127.0.0.1', 'localhost') };
    const rig = appUnderTest(await freshDatabase(), { providers: [settingsFor(issuer, given)] });
    const browser = rig.newBrowser();
    const started = await browser.post('/auth/home', {});
    const ended = started.statusCode === 200 ? await browser.signIn('home') : started;
    expect([name, answerOf(ended)]).toEqual([name, misconfigured]);
  });

  it.each([
    ['access_denied', [400, 'oauth-denied']],
    ['user_cancelled_login', [400, 'oauth-denied']],
    ['login_required', [400, 'oauth-denied']],
    ['temporarily_unavailable', [503, 'provider-unavailable']],
    ['server_error', [503, 'provider-unavailable']],
    ['unauthorized_client', misconfigured],
    ['invalid_scope', misconfigured],
    ['unsupported_response_type', misconfigured],
    ['redirect_uri_mismatch', misconfigured],
    ['invalid_request', misconfigured],
  ])('from a response with %s: %j', async (error, expected) => {
    const { issuer } = await realIssuer();
    const rig = appUnderTest(await freshDatabase(), { providers: [settingsFor(issuer)] });
    const browser = rig.newBrowser();
    const state = new URL(await browser.start('home')).searchParams.get('state');
    expect(
      answerOf(
        await browser.post('/auth/home', {
          error,
          error_description: 'words for the log',
          state,
          iss: issuer,
        }),
      ),
    ).toEqual(expected);
  });

  const failed = (code: string) => Object.assign(new Error(`${code} of id.example`), { code });
  it.each([
    ['ENOTFOUND', misconfigured],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', misconfigured],
    ['SELF_SIGNED_CERT_IN_CHAIN', misconfigured],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', misconfigured],
    ['CERT_HAS_EXPIRED', misconfigured],
    ['ERR_TLS_CERT_ALTNAME_INVALID', misconfigured],
    ['ERR_SSL_WRONG_VERSION_NUMBER', misconfigured],
    ['EAI_AGAIN', [503, 'provider-unavailable']],
    ['ECONNREFUSED', [503, 'provider-unavailable']],
    ['ECONNRESET', [503, 'provider-unavailable']],
    ['EHOSTUNREACH', [503, 'provider-unavailable']],
  ])('from the network error %s: %j', async (code, expected) => {
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor('https://id.example')],
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause: failed(code) })),
    });
    expect(answerOf(await rig.newBrowser().post('/auth/home', {}))).toEqual(expected);
  });

  it('and sign-in works once the provider is repaired, without a restart', async () => {
    const { issuer } = await realIssuer();
    let isBroken = true;
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor(issuer)],
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        return isBroken && url.endsWith('/openid-configuration')
          ? Response.json({ ...((await response.json()) as object), response_types_supported: ['id_token'] })
          : response;
      },
    });
    expect(answerOf(await rig.newBrowser().post('/auth/home', {}))).toEqual(misconfigured);
    isBroken = false;
    expect(answerOf(await rig.newBrowser().signIn('home'))).toEqual(signedIn);
  });
});

describe('the administrator’s test', () => {
  type Checks = Record<string, { outcome: string; detail: string | null }>;
  const test = async (rig: AppUnderTest, provider = 'home'): Promise<Checks> => {
    const admin = rig.newBrowser();
    await admin.signUp('admin@example.org');
    const { checks } = (await admin.send('POST', `/api/admin/providers/${provider}/test`)).json<{
      checks: { check: string; outcome: string; detail: string | null }[];
    }>();
    return Object.fromEntries(checks.map(({ check, ...found }) => [check, found]));
  };
  const tested = async (
    settings: OidcSettings,
    change: (metadata: Record<string, unknown>) => void = () => undefined,
  ): Promise<Checks> =>
    test(
      appUnderTest(await freshDatabase(), {
        providers: [settings],
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          if (!url.endsWith('/openid-configuration')) return response;
          const metadata = (await response.json()) as Record<string, unknown>;
          change(metadata);
          return Response.json(metadata, { headers: { date: response.headers.get('date') ?? '' } });
        },
      }),
    );

  it('shows both spellings of an issuer that differs', async () => {
    const { issuer } = await realIssuer();
    const { issuer: found } = await tested(settingsFor(issuer.replace('127.0.0.1', 'localhost')));
    expect(found).toMatchObject({ outcome: 'failed' });
    expect(found?.detail).toContain(issuer.replace('127.0.0.1', 'localhost'));
    expect(found?.detail).toContain(`"${issuer}"`);
  });

  it('accepts a different trailing slash, and says so', async () => {
    const { issuer } = await realIssuer({ path: '/o/earshot/' });
    const checks = await tested(settingsFor(issuer.replace(/\/$/, '')));
    expect(checks['issuer']).toMatchObject({ outcome: 'ok', detail: expect.stringContaining(issuer) });
    expect(checks['client']?.outcome).toBe('ok');
  });

  it('learns how the secret is sent, for later sign-ins', async () => {
    const { issuer } = await realIssuer({ method: 'client_secret_basic' });
    const network = counted();
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor(issuer)],
      fetch: network.fetch,
    });
    expect((await test(rig))['client']).toMatchObject({ outcome: 'ok' });
    network.seen.length = 0;
    expect(answerOf(await rig.newBrowser().signIn('home'))).toEqual(signedIn);
    expect(network.seen).toHaveLength(1);
  });

  it('queries the issuer again instead of using cached metadata', async () => {
    const { issuer } = await realIssuer();
    let isBroken = false;
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor(issuer)],
      fetch: async (url, init) =>
        isBroken && url.endsWith('/openid-configuration')
          ? new Response(null, { status: 404 })
          : fetch(url, init),
    });
    await rig.newBrowser().start('home');
    isBroken = true;
    expect((await test(rig))['reach']).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('404'),
    });
  });

  it('detects a redirect URI that is not registered at the provider', async () => {
    const { issuer } = await realIssuer();
    expect(
      (
        await test(
          appUnderTest(await freshDatabase(), { providers: [settingsFor(issuer, { id: 'other' })] }),
          'other',
        )
      )['redirect'],
    ).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('redirect_uri') });
  });

  it('detects an unknown client', async () => {
    const { issuer } = await realIssuer();
    expect((await tested(settingsFor(issuer, { clientId: 'nobody' })))['client']).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('invalid_client'),
    });
  });

  it.each<[check: string, outcome: string, change: Record<string, unknown>]>([
    ['endpoints', 'failed', { token_endpoint: undefined }],
    ['endpoints', 'failed', { jwks_uri: 'javascript:1' }],
    ['signing', 'failed', { id_token_signing_alg_values_supported: ['HS256'] }],
    ['signing', 'unknown', { id_token_signing_alg_values_supported: undefined }],
    ['flow', 'failed', { response_types_supported: ['id_token'] }],
    ['flow', 'failed', { grant_types_supported: ['implicit'] }],
    ['flow', 'failed', { response_modes_supported: ['fragment'] }],
    ['flow', 'failed', { code_challenge_methods_supported: ['plain'] }],
    ['flow', 'failed', { require_pushed_authorization_requests: true }],
    ['flow', 'unknown', { code_challenge_methods_supported: undefined }],
    ['scopes', 'failed', { scopes_supported: ['email'] }],
    ['scopes', 'unknown', { scopes_supported: ['openid'] }],
    ['keys', 'failed', { jwks_uri: 'http://127.0.0.1:1/' }],
  ])('finds in the metadata that %s is %s with %j', async (check, outcome, change) => {
    const { issuer } = await realIssuer();
    expect(
      (
        await tested(settingsFor(issuer), (metadata) => {
          Object.assign(metadata, change);
        })
      )[check]?.outcome,
    ).toBe(outcome);
  });

  it('detects that no key of the key set is usable', async () => {
    const { issuer } = await realIssuer();
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor(issuer)],
      fetch: async (url, init) =>
        url.endsWith('/jwks')
          ? Response.json({
              keys: [
                { kty: 'oct', k: 'AAAA' },
                { kty: 'RSA', use: 'enc', n: 'AQAB', e: 'AQAB' },
                { kty: 'EC', crv: 'P-256', x: '?' },
              ],
            })
          : fetch(url, init),
    });
    expect((await test(rig))['keys']).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('3 keys'),
    });
  });

  it('detects different clocks', async () => {
    const { issuer } = await realIssuer();
    const rig = appUnderTest(await freshDatabase(), { providers: [settingsFor(issuer)] });
    rig.clock.advance(5 * 60_000);
    expect((await test(rig))['clock']).toMatchObject({
      outcome: 'failed',
      detail: expect.stringMatching(/behind this server/),
    });
  });

  it('names the problem with a certificate', async () => {
    const cause = Object.assign(new Error('self-signed certificate'), {
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const rig = appUnderTest(await freshDatabase(), {
      providers: [settingsFor('https://id.example')],
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
    });
    expect((await test(rig))['reach']).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });
});
