import fastify from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { day, second } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share, SharedRecording } from '#contract/shares.ts';
import { problemReply } from '#server/http/pipeline/problem-reply.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Browser } from '#tests/support/accounts-under-test.ts';
import {
  type ApiUnderTest,
  apiUnderTest,
  recordTake,
  startTake,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { goodLinkPassword, listener, share, tokenOf } from '#tests/support/sharing.ts';
import { noListeningFiles } from './listening-files.ts';
import { renderEmbeddedProblem, renderListeningProblem } from './problem-page.ts';

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-mode': 'navigate' };
const form = { ...navigation, 'content-type': 'application/x-www-form-urlencoded' };
const unknownToken = '9XjzCkS8kQwMYdqsYYtCfd';

/** What other sites and programs add to links. */
const webParameters = [
  'fbclid=IwAR0x',
  'gclid=Cj0K',
  'msclkid=1',
  'utm_source=newsletter&utm_medium=email&utm_campaign=may',
  'mc_cid=1&mc_eid=2',
  'igshid=x',
  '_hsenc=p2&_hsmi=1',
  'ref=share',
  `lang=${'x'.repeat(36)}`,
  'lang=de&lang=fr',
  '=&&&',
];

let api: ApiUnderTest;
let owner: TestUser;
let recordingId: string;

const made = (settings: Partial<NewShare> = {}): Promise<Share> =>
  share({ api, user: owner }, recordingId, settings);
const open = (browser: Browser, path: string, headers: Record<string, string> = {}) =>
  browser.send('GET', path, { headers: { ...navigation, ...headers } });
const pageOf = (shared: Share) => `/s/${tokenOf(shared)}`;
const opensOf = async ({ id }: Share): Promise<number> => {
  const { items } = (await api.as(owner, { url: '/api/shares' })).json<{ items: Share[] }>();
  return items.find((item) => item.id === id)?.openCount ?? -1;
};

beforeEach(async () => {
  api = await apiUnderTest(await freshDatabase());
  owner = await api.signIn();
  ({ recordingId } = await recordTake(api, owner, 20));
});

describe('X1: a link with more text than a page shows', () => {
  const everything = { title: true, owner: true, date: true, markers: true, notes: true, gaps: true };
  const notesOf = (body: string) => [...body.matchAll(/>note-(\d+)-/g)].map(([, number]) => Number(number));
  const nextOf = (body: string) => /data-part="more"><a class="quiet" href="([^"]+)"/.exec(body)?.[1];

  /** 60 notes of about 11 kB of HTML each, and a marker that is named. */
  async function annotate(): Promise<void> {
    const add = (payload: object) =>
      api.as(owner, { method: 'POST', url: `/api/recordings/${recordingId}/labels`, payload });
    await add({ markers: [{ id: newId(), atMs: 100, label: 'first moment' }] });
    for (let start = 0; start < 60; start += 15)
      await add({
        notes: Array.from({ length: 15 }, (_value, index) => ({
          id: newId(),
          fromMs: (start + index) * 300,
          text: `note-${start + index}-${'<&">'.repeat(600)}`,
        })),
      });
  }

  it('shows it in parts that follow each other, which count as one visit', async () => {
    await annotate();
    const shared = await made({ shows: everything });
    const [parts, sizes]: [number[][], number[]] = [[], []];
    for (let path: string | undefined = pageOf(shared); path !== undefined && parts.length < 10;) {
      const { statusCode, body } = await open(listener(api), path);
      expect(statusCode).toBe(200);
      parts.push(notesOf(body));
      sizes.push(body.length);
      expect(body.includes('first moment')).toBe(parts.length === 1);
      path = nextOf(body)?.replaceAll('&amp;', '&');
    }
    expect(parts.flat()).toEqual(Array.from({ length: 60 }, (_value, index) => index));
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(400_000);
    await expect.poll(() => opensOf(shared)).toBe(1);
  });

  it('opens a further part only for its own link, and tells no time of the whole recording', async () => {
    await annotate();
    const [shared, other] = [await made({ shows: everything }), await made({ shows: everything })];
    const next = nextOf((await open(listener(api), pageOf(shared))).body) ?? '';
    const after = new URLSearchParams(next.split('?')[1]?.replaceAll('&amp;', '&')).get('after') ?? '';
    expect(Buffer.from(after, 'base64url').toString()).not.toMatch(/notes|\d{4}/);
    const first = notesOf((await open(listener(api), `${pageOf(other)}?after=${after}`)).body)[0];
    const broken = notesOf((await open(listener(api), `${pageOf(shared)}?after=x${after}`)).body)[0];
    expect([first, broken]).toEqual([0, 0]);
  });

  it('is complete as JSON', async () => {
    await annotate();
    const shared = await made({ shows: everything });
    const read = async (query: string) =>
      (await open(listener(api), `${pageOf(shared)}/recording${query}`)).json<SharedRecording>();
    const [all, without] = [await read(''), await read('?without=labels')];
    expect([all.notes.length, all.markers.length, without.notes, without.markers]).toEqual([60, 1, [], []]);
    expect(without).toEqual({ ...all, notes: [], markers: [] });
  });
});

describe('the listening page', () => {
  it('shows what the link shows, under a policy that lets nothing else run', async () => {
    const shared = await made({ title: 'Vows', message: 'For you', toMs: 12_500 });
    const { statusCode, headers, body } = await open(listener(api), pageOf(shared));
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src [^;]*; style-src [^;]*; [^*]*frame-ancestors 'none'$/,
    );
    expect(headers['content-security-policy']).not.toMatch(/unsafe|nonce/);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive, nosnippet',
      'permissions-policy': expect.stringContaining('microphone=()'),
    });
    expect(body).toContain('>Vows</h1>');
    expect(body).toContain('00:12');
    expect(body).not.toContain(recordingId);
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('S3: lets its own forms send their origin, and other sites learn nothing', async () => {
    for (const [settings, policy] of [
      [{}, 'no-referrer'],
      [{ maxListens: 3 }, 'same-origin'],
      [{ password: goodLinkPassword }, 'same-origin'],
    ] as const) {
      const { headers, body } = await open(listener(api), pageOf(await made(settings)));
      expect(headers['referrer-policy']).toBe(policy);
      expect(body).toContain(`<meta name="referrer" content="${policy}">`);
      expect([policy, body.includes('<form class="start"') || body.includes('<form class="notice"')]).toEqual(
        [policy, policy === 'same-origin'],
      );
    }
  });

  it('is in the language of the address, else of the cookie, else of the browser', async () => {
    const path = pageOf(await made());
    const browser = listener(api);
    const languageOf = async (url: string, headers: Record<string, string> = {}) =>
      /<html lang="([^"]+)" dir="([^"]+)">/
        .exec((await open(browser, url, headers)).body)
        ?.slice(1)
        .join(' ');
    expect(await languageOf(path, { 'accept-language': 'de-AT, en;q=0.5' })).toBe('de ltr');
    browser.cookies.set('lang', 'fr');
    expect(await languageOf(path, { 'accept-language': 'de' })).toBe('fr ltr');
    expect(await languageOf(`${path}?lang=ar`)).toBe('ar rtl');
  });

  it.each(webParameters)('opens with %s behind its address, embedded too', async (parameter) => {
    const shared = await made({ embed: 'any' });
    for (const path of [pageOf(shared), `/embed/${tokenOf(shared)}`]) {
      const { statusCode, headers } = await open(listener(api), `${path}?${parameter}`);
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    }
    const locked = await made({ password: goodLinkPassword });
    const { statusCode } = await api.app.inject({
      method: 'POST',
      url: `${pageOf(locked)}/unlock?${parameter}`,
      headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', ...form },
      payload: new URLSearchParams({ password: goodLinkPassword }).toString(),
    });
    expect(statusCode).toBe(303);
  });

  it('opens with a capital at the beginning of its address', async () => {
    const shared = await made();
    const { statusCode, headers } = await open(listener(api), `/S/${tokenOf(shared)}?lang=de`);
    expect([statusCode, headers.location]).toEqual([308, `${pageOf(shared)}?lang=de`]);
    expect(headers['x-robots-tag']).toContain('noindex');
  });

  it('S35: counts an open by a browser, and none by HEAD, a prefetch or a preview', async () => {
    const shared = await made();
    const path = pageOf(shared);
    await api.app.inject({ method: 'HEAD', url: path, headers: { host: 'localhost', ...navigation } });
    await open(listener(api), path, { 'sec-purpose': 'prefetch;prerender' });
    await open(listener(api), path, { 'user-agent': 'WhatsApp/2.23' });
    expect(await opensOf(shared)).toBe(0);
    await open(listener(api), path);
    expect(await opensOf(shared)).toBe(1);
  });

  it('S26: is the same for a signed-in listener', async () => {
    const path = pageOf(await made());
    const signedIn = await api.as(await api.signIn(), { url: path, headers: navigation });
    const anyone = await open(listener(api), path);
    expect(signedIn.body).toBe(anyone.body);
  });

  it.for([
    ['GET', '', renderListeningProblem],
    ['POST', '/unlock', renderListeningProblem],
    ['POST', '/listens', renderListeningProblem],
    ['POST', '/access', renderListeningProblem],
    ['GET', '', renderEmbeddedProblem],
  ] as const)('is opened again if the link is changed during %s %s', async ([method, path, renderer]) => {
    const render = renderer({ files: noListeningFiles, publicUrl: 'http://localhost' });
    const app = fastify();
    app.setErrorHandler(problemReply(render));
    app.all('/s/*', () => Promise.reject(new ProblemError('share-changed')));
    const url = `/s/${unknownToken}${path}?lang=de`;
    const send = async (headers: Record<string, string>) => {
      const response = await app.inject({ method, url, headers });
      return [response.statusCode, response.headers.location];
    };
    expect(await send(navigation)).toEqual([303, `/s/${unknownToken}?lang=de`]);
    expect(await send({ accept: 'application/json' })).toEqual([409, undefined]);
  });

  it('waits for a live recording that has no sound yet', async () => {
    ({ recordingId } = await startTake(api, owner));
    const shared = await made({ live: { delayMs: 0, isHeldAfterStop: false } });
    const { statusCode, body } = await open(listener(api), pageOf(shared));
    expect([statusCode, body.includes('data-state="not-started"')]).toEqual([200, true]);
  });
});

describe('a link with a password', () => {
  it('asks for it on a page without a word about the recording, and opens without a script', async () => {
    const shared = await made({ title: 'Vows', password: goodLinkPassword });
    const path = pageOf(shared);
    const browser = listener(api);
    const locked = await open(browser, path);
    expect(locked.statusCode).toBe(200);
    expect(locked.body).toContain(`action="${path}/unlock?lang=en"`);
    expect(locked.body).not.toContain('Vows');
    expect(await opensOf(shared)).toBe(0);

    const send = (password: string) =>
      api.app.inject({
        method: 'POST',
        url: `${path}/unlock?lang=de`,
        cookies: Object.fromEntries(browser.cookies),
        headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', ...form },
        payload: new URLSearchParams({ password }).toString(),
      });
    const wrong = await send('a wrong one');
    expect(wrong.statusCode).toBe(401);
    expect(wrong.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(wrong.body).toContain('aria-invalid="true"');
    expect(wrong.body).toContain('<html lang="de"');

    const right = await send(goodLinkPassword);
    expect([right.statusCode, right.headers.location]).toEqual([303, `${path}?lang=de`]);
    for (const { name, value } of right.cookies) browser.cookies.set(name, value);
    expect((await open(browser, path)).body).toContain('>Vows</h1>');
  });

  it('says so after too many tries', async () => {
    const path = pageOf(await made({ password: goodLinkPassword }));
    const tries = async () =>
      listener(api).send('POST', `${path}/unlock`, {
        headers: { ...navigation, 'content-type': 'application/json' },
        body: { password: 'a wrong one' },
      });
    for (let count = 0; count < 5; count += 1) await tries();
    const { statusCode, body } = await tries();
    expect([statusCode, body.includes('Too many tries.')]).toEqual([429, true]);
  });
});

describe('a link with a limited number of listens', () => {
  it('plays without a script after a press of the form', async () => {
    const path = pageOf(await made({ maxListens: 1 }));
    const browser = listener(api);
    expect((await open(browser, path)).body).toContain(`action="${path}/listens?lang=en"`);
    const started = await browser.send('POST', `${path}/listens?lang=fr`, { headers: form });
    expect([started.statusCode, started.headers.location]).toEqual([303, `${path}?lang=fr`]);
    expect((await browser.send('GET', `${path}/audio`)).statusCode).toBe(200);
    const { statusCode, body } = await open(listener(api), path);
    expect([statusCode, body.includes('as often as this link allowed')]).toEqual([410, true]);
  });
});

describe('the audio', () => {
  it('S11: ends where a player asks, and never beyond the shared part', async () => {
    const path = pageOf(await made({ toMs: 8000 }));
    const sizeOf = async (query: string) =>
      (await listener(api).send('GET', `${path}/audio${query}`)).rawPayload.length;
    const whole = await sizeOf('');
    expect(await sizeOf('?until=4000')).toBeLessThan(whole);
    expect(await sizeOf('?until=9000000')).toBe(whole);
  });

  it('opens as a document of its own, under a policy that runs nothing', async () => {
    const { headers } = await listener(api).send('GET', `${pageOf(await made())}/audio`);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; media-src 'self';/);
  });
});

describe('a link that does not open', () => {
  it.each([
    ['revoked', 'This link has ended', 'has closed this link'],
    ['expired', 'This link has ended', 'has expired'],
    ['unavailable', 'This link isn’t available right now', 'isn’t available at the moment'],
  ])('says why: %s', async (reason, title, text) => {
    const shared = await made({ expiresAt: instantOf(api.clock.nowMs() + day) });
    if (reason === 'revoked') await api.as(owner, { method: 'DELETE', url: `/api/shares/${shared.id}` });
    if (reason === 'expired') api.clock.advance(day + second);
    if (reason === 'unavailable')
      await api.as(owner, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
    const { statusCode, headers, body } = await open(listener(api), pageOf(shared));
    expect([statusCode, body.includes(`>${title}</h1>`), body.includes(text)]).toEqual([410, true, true]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('is not found, with the same words for an unknown and a malformed address', async () => {
    const pages = await Promise.all(
      [unknownToken, 'l0OI'].map(async (token) => {
        const { statusCode, body } = await open(listener(api), `/s/${token}`);
        return [statusCode, body.replaceAll(token, '')];
      }),
    );
    expect(pages[0]?.[0]).toBe(404);
    expect(pages[0]?.[1]).toContain('We can’t find this link');
    expect(pages[1]).toEqual(pages[0]);
  });

  it('S27: writes no crafted address into its page', async () => {
    const { body } = await open(listener(api), `/s/${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(body).not.toContain('<script');
  });

  it('answers scripts with problem+json', async () => {
    const { headers } = await listener(api).send('GET', `/s/${unknownToken}`, { headers: { accept: '*/*' } });
    expect(headers['content-type']).toContain('application/problem+json');
  });

  it('leads users of a link for accounts to the sign-in and back', async () => {
    const path = pageOf(await made({ audience: 'installation' }));
    const { statusCode, headers, body } = await open(listener(api), path);
    expect(statusCode).toBe(401);
    expect(headers['www-authenticate']).toBeDefined();
    expect(body).toContain(`href="http://localhost/sign-in?to=${encodeURIComponent(path)}"`);
    expect((await api.as(await api.signIn(), { url: path, headers: navigation })).statusCode).toBe(200);
  });

  it('tells another user whom to ask for access', async () => {
    const path = pageOf(await made({ audience: 'named', people: ['ana@example.org'] }));
    const { statusCode, body } = await api.as(await api.signIn(), { url: path, headers: navigation });
    expect([statusCode, body.includes('This link is for someone else')]).toEqual([403, true]);
    expect(body).not.toContain('ana@example.org');
  });
});

describe('the embedded player', () => {
  it('S32: opens in the pages that the link names, without a cookie and without anything that writes', async () => {
    const shared = await made({ embed: ['https://blog.example', 'https://news.example'] });
    const { statusCode, headers, body } = await open(listener(api), `/embed/${tokenOf(shared)}`);
    expect(statusCode).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain('frame-ancestors https://blog.example https://news.example');
    expect(policy).toContain("form-action 'none'");
    expect(headers['permissions-policy']).toContain('microphone=()');
    expect(headers['set-cookie']).toBeUndefined();
    expect(body).not.toMatch(/<form|<input/);
  });

  it('opens in every page where the link says so', async () => {
    const { headers } = await open(listener(api), `/embed/${tokenOf(await made({ embed: 'any' }))}`);
    expect(headers['content-security-policy']).toMatch(/frame-ancestors \*$/);
  });

  it('is not found for a link that may not be embedded', async () => {
    for (const settings of [{}, { embed: 'any', password: goodLinkPassword }] as const) {
      const { statusCode, body } = await open(listener(api), `/embed/${tokenOf(await made(settings))}`);
      expect([401, 404]).toContain(statusCode);
      expect(body).not.toContain('<audio');
    }
  });

  it('says in its frame that the link has ended', async () => {
    const shared = await made({ embed: ['https://blog.example'] });
    await api.as(owner, { method: 'DELETE', url: `/api/shares/${shared.id}` });
    const { statusCode, headers, body } = await open(listener(api), `/embed/${tokenOf(shared)}`);
    expect(statusCode).toBe(410);
    expect(headers['content-security-policy']).toMatch(/frame-ancestors \*$/);
    expect(body).toContain('This link has ended');
  });
});
