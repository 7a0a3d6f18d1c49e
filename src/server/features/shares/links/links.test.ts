import { beforeEach, describe, expect, it } from 'vitest';
import { day, hour, minute } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import { api as contract } from '#contract/api.ts';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import { principalOfShare } from '#server/http/share-grant.ts';
import { answerOf, type Browser, rejection } from '#tests/support/accounts-under-test.ts';
import { type ApiUnderTest, apiUnderTest, recordTake, type TestUser } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import {
  changeShareOf,
  goodLinkPassword,
  listener,
  openShared,
  share,
  tokenOf,
} from '#tests/support/sharing.ts';
import { shareOfPrincipal } from './link-routes.ts';

/** Every endpoint of the contract that a link opens. */
const shareEndpoints = Object.entries(contract).filter(([, { access }]) => access === 'share');

const unknownToken = '9XjzCkS8kQwMYdqsYYtCfd';

eachDatabase((_name, open) => {
  let api: ApiUnderTest;
  let owner: TestUser;
  let recordingId: string;
  const made = (settings: Partial<NewShare> = {}): Promise<Share> =>
    share({ api, user: owner }, recordingId, settings);
  const unlock = (browser: Browser, shared: Share, password = goodLinkPassword) =>
    browser.post(`/s/${tokenOf(shared)}/unlock`, { password });
  const asUser = (user: TestUser, shared: Share) => api.as(user, { url: `/s/${tokenOf(shared)}/recording` });

  beforeEach(async () => {
    api = await apiUnderTest(await open());
    owner = await api.signIn();
    ({ recordingId } = await recordTake(api, owner, 20));
  });

  describe('a link', () => {
    it('opens for anyone, without cookies', async () => {
      const browser = listener(api);
      const response = await openShared(browser, await made());
      expect(response.statusCode).toBe(200);
      expect([...browser.cookies.keys()]).toEqual([]);
    });

    it('S3: lets no other page and no index learn its address, whatever it answers', async () => {
      const locked = await made({ password: goodLinkPassword });
      for (const url of [
        `/s/${tokenOf(await made())}/recording`,
        `/s/${tokenOf(locked)}/recording`,
        `/s/${unknownToken}/recording`,
        '/s/x/audio',
        '/s/',
        '/embed/x',
      ]) {
        const { headers } = await listener(api).send('GET', url);
        expect([url, headers['referrer-policy'], headers['x-robots-tag']]).toEqual([
          url,
          'no-referrer',
          'noindex, nofollow, noarchive, nosnippet',
        ]);
      }
    });

    it('S1: cannot be found by trying: unknown tokens are limited for their network, known ones are not', async () => {
      const shared = await made();
      const browser = listener(api);
      const codes: string[] = [];
      for (let tries = 0; tries < 70; tries += 1)
        codes.push(rejection(await browser.send('GET', `/s/${unknownToken}/recording`)).code);
      expect(codes.filter((code) => code === 'link-not-found')).toHaveLength(60);
      expect(codes.at(-1)).toBe('rate-limited');
      expect((await openShared(browser, shared)).statusCode).toBe(200);
      expect(
        (await listener(api, '198.51.100.8').send('GET', `/s/${unknownToken}/recording`)).statusCode,
      ).toBe(404);
      api.clock.advance(minute);
      expect((await browser.send('GET', `/s/${unknownToken}/recording`)).statusCode).toBe(404);
    });

    it('S1: that has ended counts as no guess', async () => {
      const shared = await made();
      await api.as(owner, { method: 'DELETE', url: `/api/shares/${shared.id}` });
      for (let tries = 0; tries < 70; tries += 1)
        expect((await openShared(listener(api), shared)).statusCode).toBe(410);
    });

    it('S48: answers the same for an unknown and a malformed token, and reads the same', async () => {
      const shared = await made();
      const bodyOf = async (token: string) => {
        const { instance: _, ...problem } = (await listener(api).send('GET', `/s/${token}/recording`)).json<
          Record<string, unknown>
        >();
        return problem;
      };
      const unknown = await bodyOf(unknownToken);
      for (const token of [
        'x',
        'l0OI',
        tokenOf(shared).slice(0, 21),
        `${tokenOf(shared)}x`,
        shared.id,
        recordingId,
      ])
        expect(await bodyOf(token)).toEqual(unknown);
    });

    it('S50: opens nothing by a crafted path', async () => {
      const token = tokenOf(await made());
      for (const path of [
        '/s/%2e%2e/api/recordings',
        `/s/${token}/../../api/recordings`,
        `/s/${token}/%2e%2e/%2e%2e/api/recordings`,
        `//s/${token}/recording`,
        `/s//${token}/recording`,
        `/s/${token}/recordings`,
        `/api/recordings/${recordingId}?x=/s/${token}`,
        `/api/recordings/${recordingId}/audio?token=${token}`,
      ]) {
        const { statusCode } = await listener(api).send('GET', path);
        expect([path, statusCode >= 400]).toEqual([path, true]);
      }
    });

    it('S24: gives no right anywhere else', async () => {
      const shared = await made();
      const browser = listener(api);
      await openShared(browser, shared);
      for (const [name, { method, path, access }] of Object.entries(contract)) {
        if (access !== 'session') continue;
        const url = path.replace(':recordingId', recordingId).replaceAll(/:\w+/g, newId());
        const response = await browser.send(method, url, {
          headers: { authorization: `Bearer ${tokenOf(shared)}`, cookie: `sid=${tokenOf(shared)}` },
        });
        expect([name, response.statusCode]).toEqual([name, 401]);
      }
    });

    it('S26: shows the same to a signed-in listener as to any other', async () => {
      const shared = await made();
      const signedIn = await asUser(await api.signIn(), shared);
      const anyone = await openShared(listener(api), shared);
      expect(signedIn.body).toBe(anyone.body);
    });
  });

  it('S7: a right that was granted before a new password is rejected after it', async () => {
    const shared = await made({ maxListens: 1 });
    const granted = principalOfShare(
      {
        kind: 'open',
        share: { shareId: shared.id, recordingId, visit: null, revision: shared.revision, sessionId: null },
      },
      'share',
    );
    expect(await shareOfPrincipal(api.database.queries, granted)).toMatchObject({ id: shared.id });
    await changeShareOf({ api, user: owner }, shared, { password: goodLinkPassword });
    await expect(shareOfPrincipal(api.database.queries, granted)).rejects.toMatchObject({
      code: 'share-changed',
    });
  });

  describe('a link with a password', () => {
    it('S5: opens nothing without it: every endpoint of the contract, HEAD included', async () => {
      const token = tokenOf(await made({ password: goodLinkPassword, download: 'formats' }));
      expect(shareEndpoints.length).toBeGreaterThan(6);
      for (const [name, { method, path }] of shareEndpoints)
        for (const each of method === 'GET' ? (['GET', 'HEAD'] as const) : ([method] as const)) {
          const response = await api.app.inject({
            method: each,
            url: path.replace(':token', token),
            headers: { host: 'localhost', 'sec-fetch-site': 'same-origin' },
          });
          // A stream of events has no headers to look at.
          if (each === 'HEAD' && response.statusCode === 405) continue;
          expect([name, each, response.statusCode]).toEqual([name, each, 401]);
          expect(response.headers['www-authenticate']).toBe('Share realm="earshot-share"');
        }
    });

    it('opens after its password, as JSON or as a form, with a cookie of its own for 12 hours', async () => {
      const shared = await made({ password: goodLinkPassword });
      const browser = listener(api);
      expect(rejection(await unlock(browser, shared, 'a wrong one'))).toMatchObject({
        status: 401,
        code: 'share-password-wrong',
      });
      const right = await unlock(browser, shared);
      expect(right.statusCode).toBe(204);
      expect(right.cookies).toMatchObject([
        { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 12 * 3600 },
      ]);
      expect((await openShared(browser, shared)).statusCode).toBe(200);
      const form = await api.app.inject({
        method: 'POST',
        url: `/s/${tokenOf(shared)}/unlock`,
        headers: {
          host: 'localhost',
          origin: 'http://localhost',
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: new URLSearchParams({ password: goodLinkPassword }).toString(),
      });
      expect([form.statusCode, form.headers.location]).toEqual([303, `/s/${tokenOf(shared)}`]);
      expect(form.cookies).toHaveLength(1);
      api.clock.advance(12 * hour);
      expect(rejection(await openShared(browser, shared)).code).toBe('share-password-required');
    });

    it('S6: takes five tries from a network, then one a minute; other networks are not affected', async () => {
      const shared = await made({ password: goodLinkPassword });
      const guess = async (ip: string) =>
        rejection(await unlock(listener(api, ip), shared, 'a wrong one')).code;
      for (let tries = 0; tries < 5; tries += 1)
        expect(await guess('203.0.113.9')).toBe('share-password-wrong');
      expect(await guess('203.0.113.9')).toBe('rate-limited');
      expect((await unlock(listener(api, '203.0.113.10'), shared)).statusCode).toBe(204);
      api.clock.advance(minute);
      expect(await guess('203.0.113.9')).toBe('share-password-wrong');
      expect(await guess('203.0.113.9')).toBe('rate-limited');
    });

    it('S6: is locked after a hundred wrong ones in a day, for new visits alone, until it is changed', async () => {
      const shared = await made({ password: goodLinkPassword });
      const inside = listener(api);
      await unlock(inside, shared);
      for (let tries = 0; tries < 100; tries += 1)
        await unlock(listener(api, `203.0.113.${tries}`), shared, 'a wrong one');
      const locked = await unlock(listener(api, '192.0.2.50'), shared);
      expect([locked.statusCode, locked.json()]).toMatchObject([
        429,
        { code: 'rate-limited', reason: 'locked' },
      ]);
      expect(api.events.filter(({ type }) => type === 'shares-changed').at(-1)).toMatchObject({
        userId: owner.id,
        recordingId: shared.recordingId,
      });
      expect((await openShared(inside, shared)).statusCode).toBe(200);
      const [current] = (await api.as(owner, { url: '/api/shares' })).json<{ items: Share[] }>().items;
      expect(current?.isPasswordLocked).toBe(true);
      await changeShareOf({ api, user: owner }, shared, { password: 'another good one' });
      expect((await unlock(listener(api, '192.0.2.51'), shared, 'another good one')).statusCode).toBe(204);
    });

    it('S7: ends the visits of an old password, and of none', async () => {
      const shared = await made({ password: goodLinkPassword });
      const browser = listener(api);
      await unlock(browser, shared);
      const changed = (
        await changeShareOf({ api, user: owner }, shared, { password: 'another good one' })
      ).json<Share>();
      expect(rejection(await openShared(browser, shared)).code).toBe('share-password-required');
      const opened = (await changeShareOf({ api, user: owner }, changed, { password: null })).json<Share>();
      expect((await openShared(browser, shared)).statusCode).toBe(200);
      await changeShareOf({ api, user: owner }, opened, { password: goodLinkPassword });
      expect(rejection(await openShared(browser, shared)).code).toBe('share-password-required');
    });

    it('S8: does not open another link by its visit, under any name', async () => {
      const [first, second] = [
        await made({ password: goodLinkPassword }),
        await made({ password: goodLinkPassword }),
      ];
      const browser = listener(api);
      await unlock(browser, first);
      const [name, value] = [...browser.cookies][0] ?? ['', ''];
      expect(rejection(await openShared(browser, second)).code).toBe('share-password-required');
      await unlock(browser, second);
      const other = [...browser.cookies.keys()].find((each) => each !== name) ?? '';
      browser.cookies.set(other, value);
      expect(rejection(await openShared(browser, second)).code).toBe('share-password-required');
      expect((await openShared(browser, first)).statusCode).toBe(200);
    });

    it('S30: takes the password from our own pages alone', async () => {
      const shared = await made({ password: goodLinkPassword });
      const headers: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ];
      for (const sent of headers)
        for (const path of ['unlock', 'listens']) {
          const response = await api.app.inject({
            method: 'POST',
            url: `/s/${tokenOf(shared)}/${path}`,
            headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded', ...sent },
            payload: 'password=x',
          });
          expect([sent, path, response.statusCode]).toEqual([sent, path, 403]);
        }
    });

    it('S4: is stored as a hash, as are tokens and visits', async () => {
      const shared = await made({ password: goodLinkPassword });
      const browser = listener(api);
      await unlock(browser, shared);
      const { queries } = api.database;
      const rows = JSON.stringify([
        await queries.selectFrom('shares').selectAll().execute(),
        await queries.selectFrom('share_visits').selectAll().execute(),
      ]);
      for (const secret of [goodLinkPassword, tokenOf(shared), ...browser.cookies.values()])
        expect(rows).not.toContain(secret);
      expect(rows).toContain('$argon2id$');
    });
  });

  describe('a link for users', () => {
    it('needs a session, and says so as every call does', async () => {
      const shared = await made({ audience: 'installation' });
      expect(rejection(await openShared(listener(api), shared)).code).toBe('session-required');
      const user = await api.signIn();
      expect((await asUser(user, shared)).statusCode).toBe(200);
      api.expireSession(user);
      expect(rejection(await asUser(user, shared)).code).toBe('session-expired');
    });

    it('opens for the named ones and its owner', async () => {
      const [named, other] = [await api.signIn(), await api.signIn()];
      await api.database.queries
        .updateTable('users')
        .set({ email_verified_at: api.clock.nowMs() })
        .where('id', '=', named.id)
        .execute();
      const shared = await made({
        audience: 'named',
        people: [` ${named.id.toUpperCase()}@EXAMPLE.org`, 'new@example.org'],
      });
      expect((await asUser(named, shared)).statusCode).toBe(200);
      expect((await asUser(owner, shared)).statusCode).toBe(200);
      expect(rejection(await asUser(other, shared))).toMatchObject({
        status: 403,
        code: 'share-not-for-you',
      });
      expect(shared.people).toContain('new@example.org');
    });

    it('opens for an address without an account only after that address is proven', async () => {
      const shared = await made({ audience: 'named', people: ['new@example.org'] });
      const user = await api.signIn();
      const set = (change: object) =>
        api.database.queries.updateTable('users').set(change).where('id', '=', user.id).execute();
      await set({ email: 'new@example.org', email_key: 'new@example.org' });
      expect((await asUser(user, shared)).statusCode).toBe(403);
      await set({ email_verified_at: api.clock.nowMs() });
      expect((await asUser(user, shared)).statusCode).toBe(200);
    });
  });

  it('a deleted account leaves no address of its user in the links of others', async () => {
    const emailOf = (user: TestUser) => `${user.id}@example.org`;
    const [proven, unproven, named] = [await api.signIn(), await api.signIn(), await api.signIn()];
    const people = ['proven@example.org', 'unproven@example.org', emailOf(named)];
    const shared = await made({ audience: 'named', people });
    for (const [user, email, verifiedAt] of [
      [proven, 'proven@example.org', api.clock.nowMs()],
      [unproven, 'unproven@example.org', null],
      [named, emailOf(named), api.clock.nowMs()],
    ] as const)
      await api.database.queries
        .updateTable('users')
        .set({ email, email_key: email, email_verified_at: verifiedAt })
        .where('id', '=', user.id)
        .execute();
    for (const user of [proven, unproven, named])
      expect((await api.as(user, { method: 'DELETE', url: '/auth/account' })).statusCode).toBe(204);
    const answer = await api.as(owner, { url: `/api/recordings/${recordingId}/shares` });
    const [left] = answerOf<{ items: Share[] }>(answer).items;
    // A user who signed up with an unverified address cannot remove its owner.
    expect([left?.id, left?.people]).toEqual([shared.id, ['unproven@example.org']]);
  });

  describe('a link that has ended', () => {
    const statusOf = async (shared: Share) => {
      const response = await openShared(listener(api), shared);
      return [
        response.statusCode,
        response.statusCode === 410 ? response.json<{ reason: string }>().reason : null,
      ];
    };

    it('S18: answers 410 at every endpoint after its revocation', async () => {
      const shared = await made({ download: 'formats' });
      await api.as(owner, { method: 'DELETE', url: `/api/shares/${shared.id}` });
      for (const [name, { method, path }] of [
        ...shareEndpoints,
        ...Object.entries(contract).filter(([, { access }]) => access === 'share-locked'),
      ]) {
        const response = await listener(api).send(method, path.replace(':token', tokenOf(shared)));
        if (response.statusCode === 404) continue;
        expect([name, response.statusCode, response.json<{ reason: string }>().reason]).toEqual([
          name,
          410,
          'revoked',
        ]);
      }
    });

    const restores = ([isUndo, isBulk]: readonly [isUndo: boolean, isBulk: boolean]) =>
      isBulk
        ? api.as(owner, {
            method: 'POST',
            url: '/api/recordings/bulk',
            payload: { ids: [recordingId], action: { kind: 'restore', ...(isUndo && { isUndo }) } },
          })
        : api.as(owner, {
            method: 'POST',
            url: `/api/recordings/${recordingId}/restore${isUndo ? '?isUndo=true' : ''}`,
          });

    it.each([
      [true, false],
      [true, true],
    ] as const)('S21: is as before after an undo of the trash (undo %s, bulk %s)', async (...how) => {
      const shared = await made();
      await api.as(owner, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
      expect(await statusOf(shared)).toEqual([410, 'unavailable']);
      expect((await restores(how)).statusCode).toBe(200);
      expect(await statusOf(shared)).toEqual([200, null]);
    });

    it.each([
      [false, false],
      [false, true],
    ] as const)(
      'S21: stays off after a restore, until it is turned on (undo %s, bulk %s)',
      async (...how) => {
        const shared = await made();
        await api.as(owner, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
        expect((await restores(how)).statusCode).toBe(200);
        expect(await statusOf(shared)).toEqual([410, 'unavailable']);
        // Another stay in the trash does not turn it on, even if it is undone.
        await api.as(owner, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
        await restores([true, how[1]]);
        expect(await statusOf(shared)).toEqual([410, 'unavailable']);
        const { items } = answerOf<{ items: Share[] }>(
          await api.as(owner, { url: `/api/recordings/${recordingId}/shares` }),
        );
        const [off] = items;
        if (off === undefined) throw new Error('no link');
        expect(off).toMatchObject({ state: 'suspended', suspendedBy: 'restore' });
        const changed = await changeShareOf({ api, user: owner }, off, { isOn: true });
        expect(changed.statusCode).toBe(200);
        expect(await statusOf(shared)).toEqual([200, null]);
        expect((await openShared(listener(api), await made())).statusCode).toBe(200);
      },
    );

    it('S21: a restore of a recording outside the trash leaves its links on', async () => {
      const shared = await made();
      await restores([false, false]);
      await restores([false, true]);
      expect(await statusOf(shared)).toEqual([200, null]);
    });

    it('S21: is gone with its recording, and says so for 30 days', async () => {
      const shared = await made();
      await api.as(owner, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
      await api.as(owner, { method: 'POST', url: `/api/recordings/${recordingId}/purge` });
      expect(await api.database.queries.selectFrom('shares').selectAll().execute()).toEqual([]);
      expect(await statusOf(shared)).toEqual([410, 'unavailable']);
      api.clock.advance(30 * day);
      expect(await statusOf(shared)).toEqual([404, null]);
    });

    it('S21: is suspended while its owner is disabled', async () => {
      const shared = await made();
      const set = (disabledAt: number | null) =>
        api.database.queries
          .updateTable('users')
          .set({ disabled_at: disabledAt })
          .where('id', '=', owner.id)
          .execute();
      await set(api.clock.nowMs());
      expect(await statusOf(shared)).toEqual([410, 'unavailable']);
      await set(null);
      expect(await statusOf(shared)).toEqual([200, null]);
    });

    it('S21: is revoked with the account of its owner', async () => {
      const shared = await made();
      expect((await api.as(owner, { method: 'DELETE', url: '/auth/account' })).statusCode).toBe(204);
      expect(await statusOf(shared)).toEqual([410, 'revoked']);
    });

    it('has expired by comparison, however far away the end was', async () => {
      const shared = await made({ expiresAt: instantOf(api.clock.nowMs() + 300 * day) });
      api.clock.advance(300 * day - 1);
      expect(await statusOf(shared)).toEqual([200, null]);
      api.clock.advance(1);
      expect(await statusOf(shared)).toEqual([410, 'expired']);
    });
  });

  describe('listens', () => {
    const listen = (browser: Browser, shared: Share, headers: Record<string, string> = {}) =>
      browser.send('POST', `/s/${tokenOf(shared)}/listens`, { headers });
    const counts = async (shared: Share) => {
      const { items } = (await api.as(owner, { url: '/api/shares' })).json<{ items: Share[] }>();
      return items.find(({ id }) => id === shared.id)?.listenCount;
    };

    it('are counted by day, without a cookie where their number has no limit', async () => {
      const shared = await made();
      const browser = listener(api);
      expect((await listen(browser, shared)).statusCode).toBe(204);
      await listen(browser, shared);
      await browser.send('POST', `/s/${tokenOf(shared)}/listens?whole=true`);
      expect([...browser.cookies.keys()]).toEqual([]);
      expect(await counts(shared)).toBe(2);
      const days = await api.as(owner, { url: `/api/shares/${shared.id}/days` });
      expect(days.json()).toEqual({
        items: [{ day: '2026-11-21', openCount: 0, listenCount: 2, wholeListenCount: 1 }],
      });
    });

    it('use a link up, but one that was started can be finished', async () => {
      const shared = await made({ maxListens: 2 });
      const [first, second, third] = [listener(api), listener(api), listener(api)];
      const audio = (browser: Browser) => browser.send('GET', `/s/${tokenOf(shared)}/audio`);
      expect(rejection(await audio(first)).code).toBe('share-listen-required');
      for (const browser of [first, first, second])
        expect((await listen(browser, shared)).statusCode).toBe(204);
      expect(rejection(await listen(third, shared)).code).toBe('share-ended');
      expect((await openShared(third, shared)).json()).toMatchObject({ reason: 'used-up' });
      expect((await audio(first)).statusCode).toBe(200);
      expect(await counts(shared)).toBe(2);
    });

    it('S35: are not used up by robots, which fetch the page and the sound, or by prefetches', async () => {
      const shared = await made({ maxListens: 1 });
      for (const userAgent of [
        'facebookexternalhit/1.1',
        'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
        'Mozilla/5.0 (compatible; Googlebot/2.1)',
      ])
        for (const path of ['', '/audio', '/recording'])
          await listener(api).send('GET', `/s/${tokenOf(shared)}${path}`, {
            headers: { 'user-agent': userAgent },
          });
      await listen(listener(api), shared, { 'sec-purpose': 'prefetch;prerender' });
      expect(await counts(shared)).toBe(0);
      expect((await listen(listener(api), shared)).statusCode).toBe(204);
    });

    it.each([
      'Mozilla/5.0 (Linux; Android 14) Chrome/131.0 Mobile Safari/537.36 [Pinterest/Android]',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/15E148 Telegram-iOS/11.2',
      'Mozilla/5.0 (X11; Linux x86_64) Chrome/124.0 Electron/30.0 Slack/4.39 Safari/537.36',
      'Mozilla/5.0 (Linux; Android 13; CUBOT/P80) Chrome/131.0 Mobile Safari/537.36',
    ])('start in a browser that looks like a robot: %s', async (userAgent) => {
      const shared = await made({ maxListens: 1 });
      const browser = listener(api);
      expect((await listen(browser, shared, { 'user-agent': userAgent })).statusCode).toBe(204);
      expect((await browser.send('GET', `/s/${tokenOf(shared)}/audio`)).statusCode).toBe(200);
      expect(await counts(shared)).toBe(1);
    });

    it('S7: have no body, which a listener could send after the owner set a password', async () => {
      const shared = await made({ maxListens: 1 });
      const response = await listener(api).post(`/s/${tokenOf(shared)}/listens`, {});
      expect([rejection(response).code, response.cookies]).toEqual(['unsupported-media-type', []]);
      expect(await counts(shared)).toBe(0);
    });

    it('return from a form to the page', async () => {
      const shared = await made();
      const response = await listen(listener(api), shared, { 'sec-fetch-mode': 'navigate' });
      expect([response.statusCode, response.headers.location]).toEqual([303, `/s/${tokenOf(shared)}`]);
    });
  });
});
