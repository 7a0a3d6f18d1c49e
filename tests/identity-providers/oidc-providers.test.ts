import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { problemSchema } from '#contract/errors.ts';
import type { ProviderSettings } from '#server/features/accounts/providers/provider-settings.ts';
import { appUnderTest, publicUrl, type AppUnderTest } from './app-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { issuerNamed, type NamedIssuer } from './outside-world.ts';

const client = { clientId: 'app-1', clientSecret: 'the app secret' };
const codeOf = (response: { json(): unknown }): string => problemSchema.parse(response.json()).code;
const verifiedAs =
  (email: string, more: object = {}) =>
  (claims: Record<string, unknown>): void => {
    Object.assign(claims, { email, email_verified: true, name: 'Ann', ...more });
  };

async function rigWith(settings: ProviderSettings, issuer: NamedIssuer): Promise<AppUnderTest> {
  return appUnderTest(await freshDatabase(), {
    providers: [settings],
    fetch: (url, init) => issuer.network(url, init),
    network: issuer.network,
  });
}

describe('Google', () => {
  const start = () => issuerNamed({ issuer: 'https://accounts.google.com', host: 'accounts.google.com' });

  it.each([
    ['ann@gmail.com', {}, 'ann@gmail.com'],
    ['ann@example.org', { hd: 'example.org' }, 'ann@example.org'],
    ['ann@example.org', {}, null],
    ['ann@gmail.com', { email_verified: false }, null],
    ['ann@gmail.com', { email_verified: 'true' }, null],
    ['ann@gmail.com.example.org', {}, null],
  ])('with %s and %j verifies %s', async (email, more, proven) => {
    const issuer = await start();
    issuer.claims(verifiedAs(email, more));
    const rig = await rigWith({ kind: 'google', ...client }, issuer);
    expect((await rig.newBrowser().signIn('google')).json()).toMatchObject({
      user: { displayName: 'Ann', email: proven },
    });
  });
});

describe('Microsoft', () => {
  const [ownTenant, otherTenant] = [
    '11111111-1111-4111-8111-111111111111',
    '22222222-2222-4222-8222-222222222222',
  ];
  const issuerOf = (tenant: string): string => `https://login.microsoftonline.com/${tenant}/v2.0`;
  const start = (tenant = '{tenantid}') =>
    issuerNamed({ issuer: issuerOf(tenant), host: 'login.microsoftonline.com' });
  const settings = { kind: 'microsoft', ...client, tenant: 'common', trustEdov: false } as const;
  const entra =
    (tenant: string, oid: string, more: object = {}) =>
    (claims: Record<string, unknown>): void => {
      Object.assign(claims, {
        iss: issuerOf(tenant),
        tid: tenant,
        oid,
        sub: `pairwise-${oid}`,
        email: 'victim@example.org',
        email_verified: true,
        name: 'Ann',
        ...more,
      });
    };

  it('identifies users by tenant and object id', async () => {
    const issuer = await start();
    issuer.claims(entra(ownTenant, 'object-1'));
    const rig = await rigWith(settings, issuer);
    expect((await rig.newBrowser().signIn('microsoft')).json()).toMatchObject({
      created: true,
      user: { email: null },
    });
    expect(
      await rig.database.queries
        .selectFrom('identities')
        .select(['issuer', 'subject'])
        .executeTakeFirstOrThrow(),
    ).toMatchObject({ issuer: issuerOf(ownTenant), subject: 'object-1' });
  });

  it('abuse case 19: the victim’s address in another tenant is another user', async () => {
    const issuer = await start();
    let claims = entra(ownTenant, 'object-1');
    issuer.claims((token) => {
      claims(token);
    });
    const rig = await rigWith(settings, issuer);
    const victim = (await rig.newBrowser().signIn('microsoft')).json<{ user: { id: string } }>().user.id;
    claims = entra(otherTenant, 'object-1');
    const attacker = (await rig.newBrowser().signIn('microsoft')).json<{
      user: { id: string; email: string | null };
    }>().user;
    expect([attacker.id === victim, attacker.email]).toEqual([false, null]);
  });

  it.each([
    ['names one tenant and another issuer', { tid: otherTenant }],
    ['names no tenant', { tid: undefined }],
    ['names something else than a tenant', { tid: '../common' }],
    ['names no object', { oid: undefined }],
  ])('rejects a token that %s', async (_name, more) => {
    const issuer = await start();
    issuer.claims(entra(ownTenant, 'object-1', more));
    const rig = await rigWith(settings, issuer);
    expect(codeOf(await rig.newBrowser().signIn('microsoft'))).toBe('oauth-exchange-failed');
    expect(await rig.count('users')).toBe(0);
  });

  it.each([
    [true, true, 'victim@example.org'],
    [true, false, null],
    [false, true, null],
  ])('with trust %s and xms_edov %s verifies %s', async (trustEdov, edov, proven) => {
    const issuer = await start();
    issuer.claims(entra(ownTenant, 'object-1', { xms_edov: edov }));
    const rig = await rigWith({ ...settings, trustEdov }, issuer);
    expect((await rig.newBrowser().signIn('microsoft')).json()).toMatchObject({ user: { email: proven } });
  });

  it('restricted to one tenant, rejects users of others', async () => {
    const issuer = await start(ownTenant);
    let claims = entra(ownTenant, 'object-1');
    issuer.claims((token) => {
      claims(token);
    });
    const rig = await rigWith({ ...settings, tenant: ownTenant }, issuer);
    expect((await rig.newBrowser().signIn('microsoft')).statusCode).toBe(200);
    claims = entra(otherTenant, 'object-2');
    expect(codeOf(await rig.newBrowser().signIn('microsoft'))).toBe('oauth-exchange-failed');
  });
});

describe('LinkedIn', () => {
  it('works without PKCE, nonce and token type', async () => {
    const issuer = await issuerNamed({
      issuer: 'https://www.linkedin.com/oauth',
      host: 'www.linkedin.com',
      paths: { '/oauth/v2/accessToken': '/token' },
      discovery: { token_endpoint: 'https://www.linkedin.com/oauth/v2/accessToken' },
    });
    issuer.claims((claims) => {
      verifiedAs('ann@example.org')(claims);
      delete claims['nonce'];
    });
    issuer.token((body) => {
      delete body['token_type'];
    });
    const rig = await rigWith({ kind: 'linkedin', ...client }, issuer);
    const browser = rig.newBrowser();
    const url = new URL(await browser.start('linkedin'));
    expect([url.searchParams.has('nonce'), url.searchParams.has('code_challenge')]).toEqual([false, false]);
    expect((await browser.post('/auth/linkedin', await browser.visit(url.href))).json()).toMatchObject({
      user: { displayName: 'Ann', email: 'ann@example.org' },
    });
    expect(issuer.tokenRequests.at(-1)?.has('code_verifier')).toBe(false);
  });
});

describe('Apple', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const settings = {
    kind: 'apple',
    clientId: 'org.example.web',
    teamId: 'TEAM',
    keyId: 'KEY',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    appId: 'org.example.app',
  } as const;
  const start = async (): Promise<{ issuer: NamedIssuer; rig: AppUnderTest }> => {
    const issuer = await issuerNamed({
      issuer: 'https://appleid.apple.com',
      host: 'appleid.apple.com',
      paths: { '/auth/keys': '/jwks' },
    });
    issuer.claims((claims) => {
      Object.assign(claims, {
        sub: '000123.abc',
        email: 'x7@privaterelay.appleid.com',
        email_verified: 'true',
        is_private_email: 'true',
      });
    });
    return { issuer, rig: await rigWith(settings, issuer) };
  };

  it('requests a form post, signs its own client secret, and uses the name sent beside the code', async () => {
    const { issuer, rig } = await start();
    const browser = rig.newBrowser();
    const url = new URL(await browser.start('apple'));
    expect(url.searchParams.get('response_mode')).toBe('form_post');
    const answer = await browser.visit(url.href);
    const done = await browser.post('/auth/apple', {
      ...answer,
      user: JSON.stringify({ name: { firstName: 'Ann', lastName: 'Lovelace' }, email: 'victim@example.org' }),
    });
    expect(done.json()).toMatchObject({
      user: { displayName: 'Ann Lovelace', email: 'x7@privaterelay.appleid.com' },
    });
    const [head = '', body = '', signature = ''] = (
      issuer.tokenRequests.at(-1)?.get('client_secret') ?? ''
    ).split('.');
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(body, 'base64url').toString());
    expect(claims).toMatchObject({ iss: 'TEAM', sub: 'org.example.web', aud: 'https://appleid.apple.com' });
    expect(
      verify(
        'sha256',
        Buffer.from(`${head}.${body}`),
        {
          key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
          dsaEncoding: 'ieee-p1363',
        },
        Buffer.from(signature, 'base64url'),
      ),
    ).toBe(true);
  });

  it.each(['', '{', '[]', '{"name":"Ann"}', '{"name":{"firstName":""}}'])(
    'accepts %s as the name',
    async (user) => {
      const { rig } = await start();
      const browser = rig.newBrowser();
      expect(
        (await browser.post('/auth/apple', { ...(await browser.visit(await browser.start('apple'))), user }))
          .statusCode,
      ).toBe(200);
    },
  );

  it('responds with a cross-site form post, which carries no cookie and creates no session', async () => {
    const { rig } = await start();
    const response = await rig.app.inject({
      method: 'POST',
      url: '/auth/apple/callback',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://appleid.apple.com',
        'sec-fetch-site': 'cross-site',
      },
      payload: new URLSearchParams({
        code: 'c',
        state: 's',
        user: '{"name":{"firstName":"</script>"}}',
      }).toString(),
    });
    expect([response.statusCode, response.cookies]).toEqual([200, []]);
    expect(response.body).not.toContain('"</script>');
    expect(response.headers['referrer-policy']).toBe('no-referrer');
  });

  describe('server-to-server notifications', () => {
    const jti = () => `notice-${Math.random()}`;
    const notice = (type: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
      aud: 'org.example.app',
      jti: jti(),
      events: JSON.stringify({ type, sub: '000123.abc', event_time: 1 }),
      ...more,
    });
    const send = async (rig: AppUnderTest, payload: string): Promise<number> =>
      (await rig.app.inject({ method: 'POST', url: '/auth/apple/notices', payload: { payload } })).statusCode;
    const signedIn = async () => {
      const parts = await start();
      const browser = parts.rig.newBrowser();
      await browser.signIn('apple');
      return { ...parts, browser };
    };

    it('of withdrawn consent end the sessions by Apple; the link stays', async () => {
      const { issuer, rig, browser } = await signedIn();
      expect(await send(rig, await issuer.sign(notice('consent-revoked')))).toBe(200);
      expect(await browser.whoAmI()).toBeNull();
      expect(rig.ended).toHaveLength(1);
      expect((await rig.newBrowser().signIn('apple')).json()).toMatchObject({ created: false });
    });

    it.each(['account-delete', 'account-deleted'])(
      'of a deleted account (%s) unlink it from its user',
      async (type) => {
        const { issuer, rig, browser } = await signedIn();
        expect(await send(rig, await issuer.sign(notice(type)))).toBe(200);
        expect(await browser.whoAmI()).toBeNull();
        expect([await rig.count('identities'), await rig.count('users')]).toEqual([0, 1]);
      },
    );

    it('about unknown accounts or about mail change nothing', async () => {
      const { issuer, rig, browser } = await signedIn();
      expect(await send(rig, await issuer.sign(notice('email-disabled')))).toBe(200);
      expect(
        await send(
          rig,
          await issuer.sign(
            notice('consent-revoked', { events: { type: 'consent-revoked', sub: 'somebody-else' } }),
          ),
        ),
      ).toBe(200);
      expect(await browser.whoAmI()).not.toBeNull();
    });

    it('abuse case 38: forged, misaddressed, expired or repeated ones change nothing', async () => {
      const { issuer, rig, browser } = await signedIn();
      const other = await issuerNamed({ issuer: 'https://appleid.apple.com', host: 'elsewhere.example' });
      const good = await issuer.sign(notice('email-enabled', { jti: 'once' }));
      const [head = '', , signature = ''] = good.split('.');
      const bad = [
        await other.sign(notice('consent-revoked')),
        `${head}.${Buffer.from(JSON.stringify(notice('consent-revoked', { iss: 'https://appleid.apple.com', exp: 9_999_999_999 }))).toString('base64url')}.${signature}`,
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1] ?? ''}.`,
        await issuer.sign(notice('consent-revoked', { aud: 'com.somebody.else' })),
        await issuer.sign(notice('consent-revoked', { aud: '' })),
        await issuer.sign(notice('consent-revoked', { iss: 'https://evil.example' })),
        await issuer.sign(notice('consent-revoked', { exp: 1 })),
        await issuer.sign(notice('consent-revoked', { events: 'no JSON' })),
        'x',
        'a.b.c',
      ];
      for (const payload of bad)
        expect([payload.slice(0, 20), await send(rig, payload)]).toEqual([payload.slice(0, 20), 400]);
      expect([await send(rig, good), await send(rig, good)]).toEqual([200, 400]);
      const replayed = await issuer.sign(notice('consent-revoked', { jti: 'once' }));
      expect(await send(rig, replayed)).toBe(400);
      expect(await browser.whoAmI()).not.toBeNull();
    });

    it('are accepted for Apple only', async () => {
      const issuer = await issuerNamed({
        issuer: 'https://accounts.google.com',
        host: 'accounts.google.com',
      });
      const rig = await rigWith({ kind: 'google', ...client }, issuer);
      expect(
        (await rig.app.inject({ method: 'POST', url: '/auth/google/notices', payload: { payload: 'x' } }))
          .statusCode,
      ).toBe(404);
    });
  });
});

describe('the callback page', () => {
  const page = async (query: string, language = 'en') => {
    const issuer = await issuerNamed({ issuer: 'https://accounts.google.com', host: 'accounts.google.com' });
    const rig = await rigWith({ kind: 'google', ...client }, issuer);
    return rig.app.inject({
      url: `/auth/google/callback${query}`,
      headers: { 'accept-language': language, cookie: 'sid=x' },
    });
  };
  const embedded = (body: string): unknown =>
    JSON.parse(/<script type="application\/json" id="answer">(.*)<\/script>/.exec(body)?.[1] ?? '');

  it('passes on the provider’s response, and nothing else', async () => {
    const response = await page('?code=c%22&state=s&iss=i&scope=x&error_description=%3Cb%3E');
    expect(embedded(response.body)).toMatchObject({
      answer: { type: 'provider-answer', provider: 'google', body: { code: 'c"', state: 's', iss: 'i' } },
      path: '/sign-in',
    });
    expect(response.body).not.toContain('<b>');
  });

  it('cannot be made to run injected scripts', async () => {
    const response = await page(
      `?code=${encodeURIComponent('</script><script>alert(1)</script><!--')}&state=s`,
    );
    expect(response.body).not.toContain('alert(1)</script>');
    const nonce =
      /script-src 'nonce-([^']+)'/.exec(String(response.headers['content-security-policy']))?.[1] ?? '';
    expect(response.body.match(/<script nonce="([^"]+)"/)?.[1]).toBe(nonce);
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('is not cached, sends no referrer and sets no cookie', async () => {
    const { headers, cookies } = await page('?code=c&state=s');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(cookies).toEqual([]);
  });

  it.each([
    ['de-AT', 'lang="de" dir="ltr"'],
    ['ar', 'lang="ar" dir="rtl"'],
    ['fr', 'lang="fr" dir="ltr"'],
    ['tlh', 'lang="en" dir="ltr"'],
  ])('is in the browser’s language: %s gives %s', async (language, expected) => {
    expect((await page('?code=c&state=s', language)).body).toContain(expected);
  });

  it('exists for configured providers only', async () => {
    const rig = appUnderTest(await freshDatabase());
    expect((await rig.app.inject('/auth/google/callback?code=c')).statusCode).toBe(404);
    expect(publicUrl).toContain('localhost');
  });
});
