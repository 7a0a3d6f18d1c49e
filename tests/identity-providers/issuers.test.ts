import { constants, createPrivateKey, sign, type SignKeyObjectInput } from 'node:crypto';
import { Events, OAuth2Server, type MutableResponse, type MutableToken } from 'oauth2-mock-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { problemSchema } from '#contract/errors.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { appUnderTest, type AppUnderTest, type Browser } from './app-under-test.ts';

type Claims = Record<string, unknown>;
type Algorithm = keyof typeof algorithms;

/** How one issuer differs from a plain one. */
interface Variant {
  /** Claims of the ID token; those that are undefined are left out. */
  claims?: Claims;
  /** Times of the ID token, in seconds from now. */
  times?: Partial<Record<'iat' | 'nbf' | 'exp', number>>;
  algorithm?: Algorithm;
  /** Properties of the response of the token endpoint. */
  token?: Claims;
  /** The response of UserInfo to a user with this subject. */
  userInfo?: (subject: unknown) => Response | Promise<Response>;
}

const client = 'earshot';

const inSeconds = (times: Variant['times'] = {}): Claims =>
  Object.fromEntries(
    Object.entries(times).map(([name, after]) => [name, Math.floor(Date.now() / 1000) + after]),
  );

/** How each algorithm signs (RFC 7518 §3.1, RFC 8037 §3.1). */
const algorithms = {
  RS256: { digest: 'sha256' },
  RS512: { digest: 'sha512' },
  PS256: {
    digest: 'sha256',
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  },
  ES256: { digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  ES384: { digest: 'sha384', options: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { digest: null },
} satisfies Record<string, { digest: string | null; options?: Omit<SignKeyObjectInput, 'key'> }>;
const algorithmNames = Object.keys(algorithms) as Algorithm[];

const server = new OAuth2Server();
const keyIds = new Map<Algorithm, string>();
let variant: Variant = {};
let subject: unknown;
let issuer = '';
let rig: AppUnderTest;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWS of the claims (RFC 7515 §7.1). */
function signed(claims: Claims, algorithm: Algorithm): string {
  const kid = keyIds.get(algorithm) ?? '';
  const jwk = server.issuer.keys.toJSON(true).find((key) => key.kid === kid) ?? {};
  const content = `${part({ alg: algorithm, typ: 'JWT', kid })}.${part(claims)}`;
  const { digest, options = {} }: { digest: string | null; options?: Omit<SignKeyObjectInput, 'key'> } =
    algorithms[algorithm];
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return `${content}.${sign(digest, Buffer.from(content), { key, ...options }).toString('base64url')}`;
}

beforeAll(async () => {
  for (const algorithm of algorithmNames)
    keyIds.set(algorithm, (await server.issuer.keys.generate(algorithm)).kid ?? '');
  await server.start(0, '127.0.0.1');
  issuer = `http://127.0.0.1:${server.address().port}`;
  server.issuer.url = issuer;
  server.service.on(Events.BeforeWellKnownOpenIdConfiguration, ({ body }: MutableResponse) => {
    Object.assign(body, {
      id_token_signing_alg_values_supported: algorithmNames,
      userinfo_signing_alg_values_supported: algorithmNames,
    });
  });
  let claims: Claims = {};
  server.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) => {
    if (payload['aud'] === undefined) return;
    const plain = { name: 'Ann', email: 'ann@example.org', email_verified: true };
    claims = { ...payload, ...plain, ...variant.claims, ...inSeconds(variant.times) };
    subject = claims['sub'];
  });
  server.service.on(Events.BeforeResponse, (response: MutableResponse) => {
    const idToken = signed(claims, variant.algorithm ?? 'RS256');
    Object.assign(response.body, { id_token: idToken }, variant.token);
  });
});
afterAll(() => server.stop());
beforeEach(async () => {
  const answer = (url: string, init?: RequestInit): Promise<Response> =>
    url.endsWith('/userinfo') && variant.userInfo
      ? Promise.resolve(variant.userInfo(subject))
      : fetch(url, init);
  rig = appUnderTest(await freshDatabase(), {
    fetch: answer,
    providers: [
      {
        kind: 'oidc',
        id: 'any',
        name: 'Any',
        issuer,
        clientId: client,
        clientSecret: 'a secret of this client',
        trustEmail: true,
      },
    ],
  });
});

/** Whose test sign-in says before each sign-in what it will do. */
async function administrator(): Promise<Browser> {
  const browser = rig.newBrowser();
  await browser.signUp('admin@example.org');
  return browser;
}

/** UserInfo that responds with JSON, by default about the right user. */
const userInfo =
  (claims: Claims, status = 200): NonNullable<Variant['userInfo']> =>
  (sub) =>
    Response.json({ sub, ...claims }, { status });
/** An ID token that leaves name and address to UserInfo. */
const bare = { name: undefined, email: undefined, email_verified: undefined };
const known = { displayName: 'Ann', email: 'ann@example.org', needsName: false };
const nameless = { displayName: 'Any user', email: null, needsName: true };

type Accepted = [name: string, variant: Variant, user: typeof known | typeof nameless];

describe('signs in a user', () => {
  const rows: Accepted[] = [
    ...algorithmNames.map((algorithm): Accepted => [
      `with a token signed by ${algorithm}`,
      { algorithm },
      known,
    ]),
    ['whose only audience is a list of this client', { claims: { aud: [client] } }, known],
    [
      'with an audience more, as Zitadel sends it',
      { claims: { aud: [client, '383108'], azp: client } },
      known,
    ],
    ['with this client as the second audience', { claims: { aud: ['383108', client], azp: client } }, known],
    [
      'with the audience "account", as Keycloak sends it',
      { claims: { aud: [client, 'account'], azp: client } },
      known,
    ],
    [
      'with thirty audiences more',
      { claims: { aud: [client, ...Array.from({ length: 30 }, (_, index) => `api-${index}`)], azp: client } },
      known,
    ],
    ['with this client as the party of a single audience', { claims: { azp: client } }, known],
    ['by an issuer whose clock is 30 s ahead', { times: { iat: 30, nbf: 30 } }, known],
    ['with a token that expired 30 s ago', { times: { exp: -30 } }, known],
    ['with an expiry in ten years', { times: { exp: 315_360_000 } }, known],
    ['with a fraction of a second in its times', { times: { iat: -0.5 } }, known],
    ['without a not-before time', { claims: { nbf: undefined } }, known],
    ['whose subject has 255 characters', { claims: { sub: 'x'.repeat(255) } }, known],
    ['whose subject has spaces and other scripts', { claims: { sub: 'Änn |クマ 7' } }, known],
    ['whose subject is digits', { claims: { sub: '12345678901234567890' } }, known],
    [
      'with 400 groups',
      { claims: { groups: Array.from({ length: 400 }, (_, index) => `/group/${index}`) } },
      known,
    ],
    ['with a token of 90 kB', { claims: { picture: 'x'.repeat(90_000) } }, known],
    [
      'whose address is verified by a text',
      { claims: { email_verified: 'true' } },
      { ...known, email: null },
    ],
    [
      'whose address is said to be unverified',
      { claims: { email_verified: false } },
      { ...known, email: null },
    ],
    [
      'whose address is not said to be verified',
      { claims: { email_verified: undefined } },
      { ...known, email: null },
    ],
    [
      'whose name has two parts',
      { claims: { name: undefined, given_name: 'Ann', family_name: 'Lee' } },
      { ...known, displayName: 'Ann Lee' },
    ],
    [
      'who has a nickname only',
      { claims: { name: undefined, nickname: 'Annie' } },
      { ...known, displayName: 'Annie' },
    ],
    [
      'whose name is a number',
      { claims: { name: 7, nickname: 'Annie' } },
      { ...known, displayName: 'Annie' },
    ],
    ['whose name is null', { claims: { name: null, nickname: 'Annie' } }, { ...known, displayName: 'Annie' }],
    ['whose address is a list', { claims: { email: ['ann@example.org'] } }, { ...known, email: null }],
    ['with a token type in capitals', { token: { token_type: 'BEARER' } }, known],
    ['with a lifetime as text', { token: { expires_in: '3600' } }, known],
    ['with an unknown lifetime', { token: { expires_in: undefined } }, known],
    [
      'with a refresh token and more properties',
      { token: { refresh_token: 'r', not_before_policy: 0 } },
      known,
    ],
    [
      'whom UserInfo describes',
      { claims: bare, userInfo: userInfo({ name: 'Ann', email: 'ann@example.org', email_verified: true }) },
      known,
    ],
    [
      'whose name UserInfo knows',
      { claims: { name: undefined }, userInfo: userInfo({ name: 'Ann' }) },
      known,
    ],
    [
      'whose unverified address UserInfo calls verified',
      {
        claims: { name: undefined, email_verified: undefined },
        userInfo: userInfo({ name: 'Ann', email: 'ann@example.org', email_verified: true }),
      },
      { ...known, email: null },
    ],
    [
      'with a signed UserInfo',
      {
        claims: bare,
        userInfo: (sub) =>
          new Response(
            signed({ sub, name: 'Ann', email: 'ann@example.org', email_verified: true }, 'RS256'),
            { headers: { 'content-type': 'application/jwt' } },
          ),
      },
      known,
    ],
    ...([400, 401, 403, 404, 429, 500, 503] as const).map((status): Accepted => [
      `although UserInfo answers ${status}`,
      { claims: bare, userInfo: userInfo({}, status) },
      nameless,
    ]),
    [
      'although UserInfo is a page',
      {
        claims: bare,
        userInfo: () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
      },
      nameless,
    ],
    [
      'although UserInfo is empty',
      { claims: bare, userInfo: () => new Response(null, { status: 200 }) },
      nameless,
    ],
    ['although UserInfo is a list', { claims: bare, userInfo: () => Response.json([]) }, nameless],
    [
      'although UserInfo names no subject',
      { claims: bare, userInfo: userInfo({ sub: undefined, name: 'Ann' }) },
      nameless,
    ],
    [
      'although UserInfo names a number as the subject',
      { claims: { ...bare, sub: '7' }, userInfo: userInfo({ sub: 7, name: 'Ann' }) },
      nameless,
    ],
    [
      'although UserInfo redirects',
      {
        claims: bare,
        userInfo: () => new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } }),
      },
      nameless,
    ],
    [
      'although UserInfo can’t be reached',
      {
        claims: bare,
        userInfo: () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
      },
      nameless,
    ],
    [
      'although UserInfo takes too long',
      { claims: bare, userInfo: () => Promise.reject(new DOMException('timeout', 'TimeoutError')) },
      nameless,
    ],
    [
      'although UserInfo is signed by nobody',
      {
        claims: bare,
        userInfo: (sub) =>
          new Response(`${part({ alg: 'none' })}.${part({ sub, name: 'Ann' })}.`, {
            headers: { 'content-type': 'application/jwt' },
          }),
      },
      nameless,
    ],
  ];
  it.each(rows)('%s', async (_name, given, user) => {
    variant = given;
    const { displayName, email, needsName } = user;
    const { outcome } = await (await administrator()).testSignIn('any');
    expect(outcome).toEqual({ result: 'creates', account: { displayName, email }, needsName });
    expect((await rig.newBrowser().signIn('any')).json()).toMatchObject({
      created: true,
      needsName,
      user: { displayName, email },
    });
  });
});

describe('refuses a user', () => {
  const exchange: [number, string] = [502, 'oauth-exchange-failed'];
  const clock: [number, string] = [502, 'oauth-clock-wrong'];
  const rows: [name: string, variant: Variant, expected: [number, string]][] = [
    ['for another audience', { claims: { aud: 'somebody-else' } }, exchange],
    ['for this client in other letters', { claims: { aud: 'Earshot' } }, exchange],
    ['for audiences without this client', { claims: { aud: ['383108', 'account'], azp: client } }, exchange],
    ['for an audience more without a party', { claims: { aud: [client, 'account'] } }, exchange],
    [
      'for an audience more and another party',
      { claims: { aud: [client, 'account'], azp: 'account' } },
      exchange,
    ],
    ['for an audience more and an empty party', { claims: { aud: [client, 'account'], azp: '' } }, exchange],
    [
      'for an audience more and a list of parties',
      { claims: { aud: [client, 'account'], azp: [client] } },
      exchange,
    ],
    ['for an empty list of audiences', { claims: { aud: [] } }, exchange],
    ['for an audience that is a number', { claims: { aud: 7 } }, exchange],
    ['for no audience', { claims: { aud: undefined } }, exchange],
    ['for another issuer', { claims: { iss: 'https://accounts.example' } }, exchange],
    ['for no issuer', { claims: { iss: undefined } }, exchange],
    ['for an issuer that is a number', { claims: { iss: 7 } }, exchange],
    ['for another nonce', { claims: { nonce: 'another' } }, exchange],
    ['for no nonce', { claims: { nonce: undefined } }, exchange],
    ['for a nonce that is a number', { claims: { nonce: 7 } }, exchange],
    ['for no subject', { claims: { sub: undefined } }, exchange],
    ['for an empty subject', { claims: { sub: '' } }, exchange],
    ['for a subject of 256 characters', { claims: { sub: 'x'.repeat(256) } }, exchange],
    ['for a subject that is a number', { claims: { sub: 7 } }, exchange],
    ['for no expiry', { claims: { exp: undefined } }, exchange],
    ['for no issue time', { claims: { iat: undefined } }, exchange],
    ['for an expiry that is a text', { claims: { exp: '2099-01-01' } }, exchange],
    ['for a token that expired ten minutes ago', { times: { exp: -600 } }, clock],
    ['for a token of the future', { times: { iat: 600 } }, clock],
    ['for a token that isn’t valid yet', { times: { nbf: 600 } }, clock],
    ['for an empty ID token', { token: { id_token: '' } }, exchange],
    ['for an ID token that is no token', { token: { id_token: 'a.b.c' } }, exchange],
    ['for no access token', { token: { access_token: undefined } }, exchange],
    [
      'whom UserInfo calls another user',
      { claims: bare, userInfo: userInfo({ sub: 'the-victim' }) },
      exchange,
    ],
  ];
  it.each(rows)('%s', async (_name, given, expected) => {
    variant = given;
    const { outcome } = await (await administrator()).testSignIn('any');
    expect(outcome).toMatchObject({
      result: 'refused',
      code: expected[1],
      detail: expect.stringMatching(/./),
    });
    const response = await rig.newBrowser().signIn('any');
    expect([response.statusCode, problemSchema.parse(response.json()).code]).toEqual(expected);
    expect([await rig.count('users'), await rig.count('sessions'), await rig.count('identities')]).toEqual([
      1, 1, 0,
    ]);
  });
});

describe('a user whose name and address UserInfo told', () => {
  it('keeps both in the list of linked accounts while UserInfo is down', async () => {
    const browser = rig.newBrowser();
    const told = { preferred_username: 'ann', email: 'ann@example.org' };
    variant = { claims: { ...bare, sub: 'ann' }, userInfo: userInfo(told) };
    await browser.signIn('any');
    variant = { claims: { ...bare, sub: 'ann' }, userInfo: userInfo({}, 500) };
    expect((await browser.signIn('any')).json()).toMatchObject({ created: false });
    expect(await browser.identities()).toMatchObject([{ label: 'ann', email: 'ann@example.org' }]);
  });
});
