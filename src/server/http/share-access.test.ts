import { randomBytes } from 'node:crypto';
import { createSecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Problem } from '#contract/errors.ts';
import { createKeyedAnswers } from '#server/features/maintenance/keyed-answers.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { endlessBytes, expectCut, startReading } from '#tests/support/endless-response.ts';
import { sessionPrincipal } from '#tests/support/factories.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { createApp } from './app.ts';
import { shareOf } from './callers.ts';
import { OpenRequests } from './open-requests.ts';
import type { Identify, ShareRequest } from './principal.ts';
import { route } from './route.ts';
import { shareCookieName } from './session-cookie.ts';
import type { ShareIdentification } from './share-grant.ts';

const publicUrl = 'http://localhost:3000';
const params = { token: z.string() };
const base = { summary: 'For tests.', params, errors: [] } as const;
const listen = {
  ...base,
  method: 'GET',
  path: '/s/:token/facts',
  access: 'share',
  reply: z.object({ shareId: z.string(), recordingId: z.string() }),
  statuses: [200],
} as const satisfies Endpoint;
const page = {
  ...base,
  method: 'GET',
  path: '/s/:token',
  access: 'share-locked',
  reply: z.object({ lacks: z.string().nullable() }),
  statuses: [200],
} as const satisfies Endpoint;
const unlock = {
  ...base,
  method: 'POST',
  path: '/s/:token/unlock',
  access: 'share-locked',
  statuses: [204],
} as const;
const comment = {
  ...base,
  method: 'POST',
  path: '/s/:token/comments',
  access: 'share',
  isKeyed: true,
  reply: z.object({ count: z.number() }),
  statuses: [201],
} as const satisfies Endpoint;
const audio = {
  ...base,
  method: 'GET',
  path: '/s/:token/audio',
  access: 'share',
  replyKind: 'bytes',
  statuses: [200],
} as const satisfies Endpoint;
const events = { ...audio, path: '/s/:token/events', replyKind: 'event-stream' } as const;

const open = (shareId = 'share', visit: string | null = null): ShareIdentification => ({
  kind: 'open',
  share: { shareId, recordingId: `recording of ${shareId}`, visit, revision: 1, sessionId: null },
});

/** An app whose shares are identified by this function. */
async function appOf(share?: (request: ShareRequest) => Promise<ShareIdentification>) {
  let count = 0;
  const openRequests = new OpenRequests();
  const identify: Identify = {
    session: async ({ cookieToken }) =>
      cookieToken === null ? null : cookieToken === 'old' ? 'expired' : sessionPrincipal(cookieToken),
    uploadCapability: async () => null,
    ...(share ? { share } : {}),
  };
  const app = createApp({
    openRequests,
    keyedAnswers: createKeyedAnswers({
      database: await freshDatabase(),
      clock: fakeClock(),
      secrets: createSecretBox(randomBytes(32)),
    }),
    config: { publicUrl, trustedProxyHops: 0 },
    identify,
    routes: [
      route(listen, async (context) => {
        const { shareId, recordingId } = shareOf(context);
        return { body: { shareId, recordingId } };
      }),
      route(page, async ({ principal }) => ({
        body: { lacks: principal?.kind === 'share-locked' ? principal.lacks : null },
      })),
      route(unlock, async () => ({})),
      route(comment, async () => {
        count += 1;
        return { body: { count } };
      }),
      ...[audio, events].map((endpoint) =>
        route(endpoint, async ({ reply }) => {
          void reply.type('application/octet-stream').send(endlessBytes());
          return 'sent';
        }),
      ),
    ],
  });
  onTestFinished(() => app.close());
  return { app, openRequests };
}

const codeOf = (answer: LightMyRequestResponse): string => answer.json<Problem>().code;

const rejections = [
  [{ kind: 'not-found' }, 404, 'link-not-found'],
  [{ kind: 'ended', reason: 'revoked' }, 410, 'share-ended'],
  [{ kind: 'not-for-you', shareId: 'share', userId: 'ann', request: 'possible' }, 403, 'share-not-for-you'],
  [{ kind: 'rate-limited', waitMs: 1500 }, 429, 'rate-limited'],
] as const satisfies [ShareIdentification, number, string][];
const locks = [
  [{ kind: 'password-required', shareId: 'share' }, 401, 'share-password-required', 'password'],
  [{ kind: 'not-started', shareId: 'share', retryAfterSeconds: 5 }, 409, 'share-not-started', 'start'],
] as const satisfies [ShareIdentification, number, string, string][];

describe('the token of a share', () => {
  test('gives its bearer the recording that the share names', async () => {
    const { app } = await appOf(async ({ token }) => open(token));
    const answer = await app.inject('/s/abc/facts');
    expect(answer.json()).toEqual({ shareId: 'abc', recordingId: 'recording of abc' });
    expect([answer.headers['x-robots-tag'], answer.headers['referrer-policy']]).toEqual([
      'noindex, nofollow, noarchive, nosnippet',
      'no-referrer',
    ]);
  });

  test.for([...rejections, ...locks])(
    'opens nothing: %j answers %d %s, also to HEAD',
    async ([found, status, code]) => {
      const { app } = await appOf(async () => found);
      const answer = await app.inject('/s/abc/facts');
      expect([answer.statusCode, codeOf(answer), answer.headers['x-robots-tag']]).toEqual([
        status,
        code,
        expect.stringContaining('noindex'),
      ]);
      expect((await app.inject({ method: 'HEAD', url: '/s/abc/audio' })).statusCode).toBe(status);
    },
  );

  test('gets the reason of the end, the challenge for the password, and the time to wait', async () => {
    const answers: Record<string, ShareIdentification> = {
      ended: { kind: 'ended', reason: 'used-up' },
      locked: { kind: 'password-required', shareId: 'share' },
      early: { kind: 'not-started', shareId: 'share', retryAfterSeconds: 5 },
      fast: { kind: 'rate-limited', waitMs: 1500 },
    };
    const { app } = await appOf(async ({ token }) => answers[token] ?? open());
    expect((await app.inject('/s/ended/facts')).json()).toMatchObject({ reason: 'used-up' });
    expect((await app.inject('/s/locked/facts')).headers['www-authenticate']).toBe(
      'Share realm="earshot-share"',
    );
    expect((await app.inject('/s/early/facts')).headers['retry-after']).toBe('5');
    expect((await app.inject('/s/fast/facts')).headers['retry-after']).toBe('2');
  });

  test.for(locks)('opens the page that may be locked: %j', async ([found, , , lacks]) => {
    const { app } = await appOf(async () => found);
    expect((await app.inject('/s/abc')).json()).toEqual({ lacks });
  });

  test.for(rejections)(
    'does not open the page that may be locked if it is not valid: %j',
    async ([found, status]) => {
      const { app } = await appOf(async () => found);
      expect((await app.inject('/s/abc')).statusCode).toBe(status);
    },
  );

  test('is unknown where nothing is shared', async () => {
    const { app } = await appOf();
    expect(codeOf(await app.inject('/s/abc/facts'))).toBe('link-not-found');
  });
});

test('a share for users with an account requires their session as other calls do, and no other share reads it', async () => {
  const { app } = await appOf(async ({ token, session }) => {
    if (token === 'for-users') await session();
    return open();
  });
  const at = (token: string, headers: Record<string, string>) =>
    app.inject({ url: `/s/${token}/facts`, headers });
  const without = await at('for-users', {});
  expect([codeOf(without), without.headers['www-authenticate']]).toEqual([
    'session-required',
    'Session realm="earshot"',
  ]);
  expect(codeOf(await at('for-users', { cookie: 'sid-3000=old' }))).toBe('session-expired');
  expect(codeOf(await at('for-users', { cookie: 'sid-3000=ann', 'x-expected-principal': 'bob' }))).toBe(
    'principal-changed',
  );
  expect((await at('for-users', { cookie: 'sid-3000=ann' })).statusCode).toBe(200);
  expect((await at('for-all', { cookie: 'sid-3000=old' })).statusCode).toBe(200);
});

describe('S30: writes at the address of a share', () => {
  const visit = shareCookieName('0123456789abcdef', publicUrl);

  test.for([
    ['another site sends the cookie of a visit', { 'sec-fetch-site': 'cross-site', cookie: `${visit}=x` }],
    ['another site sends no cookie', { 'sec-fetch-site': 'cross-site' }],
    ['the origin is foreign', { origin: 'https://evil.example', cookie: `${visit}=x` }],
    ['neither metadata nor origin came, but the cookie of a visit did', { cookie: `${visit}=x` }],
    ['neither metadata nor origin came, but a session cookie did', { cookie: 'sid-3000=ann' }],
  ] as const)('are rejected when %s', async ([, headers]) => {
    const { app } = await appOf(async () => open());
    for (const url of ['/s/abc/unlock', '/s/abc/comments']) {
      const answer = await app.inject({ method: 'POST', url, headers });
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'cross-site']);
    }
  });

  test.for([
    [
      'a form of our own page sends them',
      { 'sec-fetch-site': 'same-origin', cookie: `${visit}=x; sid-3000=ann` },
    ],
    ['an old browser sends our origin', { origin: publicUrl, cookie: `${visit}=x` }],
    ['a program sends no cookie', {}],
    ['the cookie is of another installation', { cookie: 'sh-01234567-4000=x' }],
  ] as const)('are accepted when %s', async ([, headers]) => {
    const { app } = await appOf(async () => open());
    expect((await app.inject({ method: 'POST', url: '/s/abc/unlock', headers })).statusCode).toBe(204);
  });
});

test('S31: an idempotency key belongs to one visit; without a visit it has no effect', async () => {
  const { app } = await appOf(async ({ token, cookie }) => open(token, cookie('visit') ?? null));
  const send = async (token: string, visit: string | null) =>
    (
      await app.inject({
        method: 'POST',
        url: `/s/${token}/comments`,
        headers: {
          'idempotency-key': 'k',
          'sec-fetch-site': 'same-origin',
          ...(visit === null ? {} : { cookie: `visit=${visit}` }),
        },
      })
    ).json<{ count: number }>().count;
  expect([await send('a', 'one'), await send('a', 'one'), await send('a', 'two')]).toEqual([1, 1, 2]);
  expect([await send('b', 'one'), await send('a', null), await send('a', null)]).toEqual([3, 4, 5]);
});

test('S18: revoking a share ends its open streams, and those of no other share', async () => {
  const { app, openRequests } = await appOf(async ({ token }) => open(token));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const start = (path: string) => startReading(`${url}${path}`);
  const ended = [await start('/s/a/audio'), await start('/s/a/events')];
  const left = await start('/s/b/audio');
  expect(openRequests.idsOf('share')).toEqual(['a', 'b']);
  openRequests.end('share', 'a');
  for (const reader of ended) await expectCut(reader);
  expect((await left.read()).done).toBe(false);
  await left.cancel();
});
