import { beforeEach, describe, expect, it } from 'vitest';
import { day } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import { limits } from '#contract/limits.ts';
import type { Share } from '#contract/shares.ts';
import { answerOf, rejection } from '#tests/support/accounts-under-test.ts';
import { type ApiUnderTest, apiUnderTest, type TestUser } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeRecording } from '#tests/support/factories.ts';
import {
  changeShareOf,
  goodLinkPassword,
  listener,
  openShared,
  sendShare,
  share,
  tokenOf,
} from '#tests/support/sharing.ts';

eachDatabase((_name, open) => {
  let api: ApiUnderTest;
  let owner: TestUser;
  let recordingId: string;
  const list = async (user: TestUser, id = recordingId) =>
    answerOf<{ items: Share[] }>(await api.as(user, { url: `/api/recordings/${id}/shares` })).items;
  const stored = () => api.database.queries.selectFrom('shares').selectAll().execute();

  beforeEach(async () => {
    api = await apiUnderTest(await open());
    owner = await api.signIn();
    ({ id: recordingId } = await storeRecording(api.database.queries, {
      owner_id: owner.id,
      state: 'ready',
      duration_ms: 60_000,
    }));
  });

  describe('sharing a recording', () => {
    it('makes a link that can only be listened to, and that ends after 30 days', async () => {
      const made = await share({ api, user: owner }, recordingId);
      expect(made).toMatchObject({
        audience: 'anyone',
        download: 'off',
        embed: null,
        preview: 'none',
        live: null,
        maxListens: null,
        hasPassword: false,
        fromMs: 0,
        toMs: null,
        shows: { title: true, owner: true, date: false, markers: false, notes: false, gaps: false },
        expiresAt: instantOf(api.clock.nowMs() + 30 * day),
        state: 'active',
        revision: 1,
        recordingTitle: 'Interview with Anna',
        recordedTime: { kind: 'moment' },
      });
      expect(made.url).toMatch(/^http:\/\/localhost\/s\/[1-9A-HJ-NP-Za-km-z]{22}$/);
    });

    it('allows a limit of listens only for links that have one', async () => {
      const limited = await share({ api, user: owner }, recordingId, { maxListens: 2 });
      const open = await share({ api, user: owner }, recordingId);
      const rejected = { code: 'validation', errors: [{ pointer: '/maxListens', code: 'not-allowed' }] };
      const created = await sendShare({ api, user: owner }, recordingId, { maxListens: 3 });
      expect([created.statusCode, created.json()]).toMatchObject([422, rejected]);
      const changed = await changeShareOf({ api, user: owner }, open, { maxListens: 3 });
      expect([changed.statusCode, changed.json()]).toMatchObject([422, rejected]);
      const raised = await changeShareOf({ api, user: owner }, limited, { maxListens: 3, title: 'Vows' });
      expect(raised.json()).toMatchObject({ maxListens: 3, title: 'Vows' });
      const removed = await changeShareOf({ api, user: owner }, raised.json<Share>(), { maxListens: null });
      expect(removed.json()).toMatchObject({ maxListens: null });
      const again = await changeShareOf({ api, user: owner }, removed.json<Share>(), { maxListens: 3 });
      expect(again.statusCode).toBe(422);
    });

    it('returns the existing link for a repeated id', async () => {
      const id = newId();
      const [first, second] = await Promise.all([
        sendShare({ api, user: owner }, recordingId, { id }),
        sendShare({ api, user: owner }, recordingId, { id }),
      ]);
      expect(new Set([first.statusCode, second.statusCode])).toEqual(new Set([200, 201]));
      expect(first.json<Share>().url).toBe(second.json<Share>().url);
      expect(await stored()).toHaveLength(1);
    });

    it('S9: has its password from the first moment, or does not exist', async () => {
      const made = await share({ api, user: owner }, recordingId, { password: goodLinkPassword });
      expect(made.hasPassword).toBe(true);
      expect(rejection(await openShared(listener(api), made)).code).toBe('share-password-required');
      expect((await sendShare({ api, user: owner }, recordingId, { password: 'short' })).statusCode).toBe(
        422,
      );
      expect(await stored()).toHaveLength(1);
    });

    it('S22: is only possible for its owner', async () => {
      const other = await api.signIn();
      expect(rejection(await sendShare({ api, user: other }, recordingId)).code).toBe('not-found');
      expect(rejection(await sendShare({ api, user: null }, recordingId)).code).toBe('session-required');
      expect(await stored()).toEqual([]);
    });

    it('S22: does not take the id of another user’s link, nor of a link of another recording', async () => {
      const other = await api.signIn();
      const foreign = await storeRecording(api.database.queries, { owner_id: other.id, state: 'ready' });
      const own = await storeRecording(api.database.queries, { owner_id: owner.id, state: 'ready' });
      const { id } = await share({ api, user: owner }, recordingId);
      expect(rejection(await sendShare({ api, user: other }, foreign.id, { id })).code).toBe('not-found');
      expect(rejection(await sendShare({ api, user: owner }, own.id, { id })).errors).toEqual([
        { pointer: '/id', code: 'taken' },
      ]);
    });

    it('S28: rejects control and bidirectional characters in every text', async () => {
      for (const field of ['title', 'message', 'recipientLabel'])
        for (const text of ['Anna \u202Eowner', 'a\u2066b', 'a\u0000b'])
          expect([
            field,
            rejection(await sendShare({ api, user: owner }, recordingId, { [field]: text })).code,
          ]).toEqual([field, 'validation']);
      expect((await share({ api, user: owner }, recordingId, { message: 'two\nlines' })).message).toBe(
        'two\nlines',
      );
    });

    it('rejects a part that is empty or beyond the end, and an original of a part', async () => {
      for (const part of [
        { fromMs: 10_000, toMs: 10_500 },
        { fromMs: 59_500 },
        { fromMs: 70_000, toMs: 80_000 },
        { fromMs: 5000, toMs: 2000 },
      ])
        expect(rejection(await sendShare({ api, user: owner }, recordingId, part)).code).toBe('window-empty');
      expect(
        rejection(await sendShare({ api, user: owner }, recordingId, { fromMs: 1000, download: 'original' }))
          .errors,
      ).toEqual([{ pointer: '/download', code: 'whole-only' }]);
    });

    it('rejects an end in the past, and a link for nobody', async () => {
      const past = instantOf(api.clock.nowMs() - 1);
      expect(
        rejection(await sendShare({ api, user: owner }, recordingId, { expiresAt: past })).errors,
      ).toEqual([{ pointer: '/expiresAt', code: 'past' }]);
      expect(
        rejection(await sendShare({ api, user: owner }, recordingId, { audience: 'named' })).errors,
      ).toEqual([{ pointer: '/people', code: 'required' }]);
    });

    it('is limited to a number of links of a recording; revoked ones count for a day', async () => {
      const [first] = await Promise.all(
        Array.from({ length: limits.share.perRecording }, () => share({ api, user: owner }, recordingId)),
      );
      expect(rejection(await sendShare({ api, user: owner }, recordingId)).code).toBe('too-many-shares');
      await api.as(owner, { method: 'DELETE', url: `/api/shares/${first?.id ?? ''}` });
      expect(rejection(await sendShare({ api, user: owner }, recordingId)).code).toBe('too-many-shares');
      api.clock.advance(day);
      expect((await sendShare({ api, user: owner }, recordingId)).statusCode).toBe(201);
    });

    it('S49: builds the address from the configuration, whatever the request says', async () => {
      const response = await api.as(owner, {
        method: 'POST',
        url: `/api/recordings/${recordingId}/shares`,
        headers: {
          host: 'localhost:9999',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'https',
          forwarded: 'host=evil.example',
        },
        payload: { id: newId() },
      });
      expect(answerOf<Share>(response).url).toMatch(/^http:\/\/localhost\/s\//);
    });
  });

  describe('the links of a recording', () => {
    it('S23: are all that open it, those that have ended too', async () => {
      const active = await share({ api, user: owner }, recordingId);
      api.clock.advance(1);
      const revoked = await share({ api, user: owner }, recordingId);
      await api.as(owner, { method: 'DELETE', url: `/api/shares/${revoked.id}` });
      api.clock.advance(1);
      const short = await share({ api, user: owner }, recordingId, {
        expiresAt: instantOf(api.clock.nowMs() + 1),
      });
      api.clock.advance(1);
      expect((await list(owner)).map(({ id, state }) => [id, state])).toEqual([
        [short.id, 'expired'],
        [revoked.id, 'revoked'],
        [active.id, 'active'],
      ]);
      expect((await list(owner)).length).toBe((await stored()).length);
      const all = answerOf<{ items: Share[] }>(await api.as(owner, { url: '/api/shares?state=active' }));
      expect(all.items.map(({ id }) => id)).toEqual([active.id]);
    });

    it('S25: are shown to nobody else', async () => {
      const made = await share({ api, user: owner }, recordingId);
      const other = await api.signIn();
      expect((await api.as(other, { url: `/api/recordings/${recordingId}/shares` })).statusCode).toBe(404);
      expect(answerOf<{ items: Share[] }>(await api.as(other, { url: '/api/shares' })).items).toEqual([]);
      for (const request of [
        { method: 'PATCH', url: `/api/shares/${made.id}`, payload: { revision: 1, download: 'audio' } },
        { method: 'DELETE', url: `/api/shares/${made.id}` },
        { method: 'POST', url: `/api/shares/${made.id}/address` },
        { method: 'GET', url: `/api/shares/${made.id}/days` },
      ] as const)
        expect([request.url, (await api.as(other, request)).statusCode]).toEqual([request.url, 404]);
      expect(await list(owner)).toEqual([made]);
    });
  });

  describe('changing a link', () => {
    it('takes effect at once, and only on the revision that the caller knows', async () => {
      const made = await share({ api, user: owner }, recordingId);
      const changed = answerOf<Share>(
        await changeShareOf({ api, user: owner }, made, { message: 'Hello', toMs: 30_000 }),
      );
      expect(changed).toMatchObject({ message: 'Hello', toMs: 30_000, revision: 2, url: made.url });
      expect(rejection(await changeShareOf({ api, user: owner }, made, { message: 'Late' })).code).toBe(
        'share-changed',
      );
      expect(await list(owner)).toEqual([changed]);
    });

    it('extends an expired link, and raises the number of listens', async () => {
      const made = await share({ api, user: owner }, recordingId, {
        expiresAt: instantOf(api.clock.nowMs() + day),
      });
      api.clock.advance(2 * day);
      expect(rejection(await openShared(listener(api), made)).code).toBe('share-ended');
      const expiresAt = instantOf(api.clock.nowMs() + day);
      expect(answerOf<Share>(await changeShareOf({ api, user: owner }, made, { expiresAt })).state).toBe(
        'active',
      );
      expect((await openShared(listener(api), made)).statusCode).toBe(200);
    });

    it('gives a new address, after which the old one has ended', async () => {
      const made = await share({ api, user: owner }, recordingId);
      const renewed = answerOf<Share>(
        await api.as(owner, { method: 'POST', url: `/api/shares/${made.id}/address` }),
      );
      expect(renewed.url).not.toBe(made.url);
      expect((await openShared(listener(api), renewed)).statusCode).toBe(200);
      expect((await openShared(listener(api), made)).json()).toMatchObject({
        code: 'share-ended',
        reason: 'revoked',
      });
    });

    it('is impossible after a revocation, which is final and idempotent', async () => {
      const made = await share({ api, user: owner }, recordingId);
      const revoke = () => api.as(owner, { method: 'DELETE', url: `/api/shares/${made.id}` });
      const first = answerOf<Share>(await revoke());
      expect(first.state).toBe('revoked');
      expect(answerOf<Share>(await revoke())).toEqual(first);
      expect(rejection(await changeShareOf({ api, user: owner }, first, { message: '' })).code).toBe(
        'already-revoked',
      );
      expect(
        rejection(await api.as(owner, { method: 'POST', url: `/api/shares/${made.id}/address` })).code,
      ).toBe('already-revoked');
    });

    it('revokes those of a recipient, a recording, or all', async () => {
      const another = await storeRecording(api.database.queries, { owner_id: owner.id, state: 'ready' });
      const foreign = await api.signIn();
      const theirs = await storeRecording(api.database.queries, { owner_id: foreign.id, state: 'ready' });
      await share({ api, user: foreign }, theirs.id, { recipientLabel: 'Anna' });
      await share({ api, user: owner }, recordingId, { recipientLabel: 'Anna' });
      await share({ api, user: owner }, recordingId);
      await share({ api, user: owner }, another.id);
      const revoke = async (payload: object) =>
        answerOf<{ revokedCount: number }>(
          await api.as(owner, { method: 'POST', url: '/api/shares/revoke', payload }),
        ).revokedCount;
      expect(await revoke({ recipientLabel: 'Anna' })).toBe(1);
      expect(await revoke({ recordingId: theirs.id })).toBe(0);
      expect(await revoke({ recordingId })).toBe(1);
      expect(await revoke({})).toBe(1);
      expect(await list(foreign, theirs.id)).toMatchObject([{ state: 'active' }]);
    });
  });

  describe('what administrators allow', () => {
    const policyOf = async (admin: TestUser, change: object) =>
      answerOf<{ suspendedCount: number }>(
        await api.as(admin, { method: 'PATCH', url: '/api/admin/sharing', payload: change }),
      );

    it('suspends what breaks a rule, and says how many; taking it back makes them active', async () => {
      const admin = await api.signIn('admin');
      const downloads = await share({ api, user: owner }, recordingId, { download: 'audio' });
      const plain = await share({ api, user: owner }, recordingId);
      expect(await policyOf(admin, { mayDownload: false })).toMatchObject({ suspendedCount: 1 });
      expect((await openShared(listener(api), downloads)).json()).toMatchObject({ reason: 'unavailable' });
      expect((await openShared(listener(api), plain)).statusCode).toBe(200);
      expect((await list(owner)).find(({ id }) => id === downloads.id)).toMatchObject({
        state: 'suspended',
        suspendedBy: 'policy',
      });
      expect(await policyOf(admin, { mayDownload: true })).toMatchObject({ suspendedCount: 0 });
      expect((await openShared(listener(api), downloads)).statusCode).toBe(200);
    });

    it('rejects new links that break a rule, by field', async () => {
      const admin = await api.signIn('admin');
      await policyOf(admin, { isPasswordRequired: true, longestDays: 7, defaultDays: 30, mayEmbed: false });
      const tooLong = instantOf(api.clock.nowMs() + 8 * day);
      const response = await sendShare({ api, user: owner }, recordingId, {
        embed: 'any',
        expiresAt: tooLong,
      });
      expect(rejection(response)).toMatchObject({
        code: 'sharing-forbidden',
        errors: [
          { pointer: '/expiresAt', code: 'policy' },
          { pointer: '/password', code: 'policy' },
          { pointer: '/embed', code: 'policy' },
        ],
      });
      const made = await share({ api, user: owner }, recordingId, { password: goodLinkPassword });
      expect(made.expiresAt).toBe(instantOf(api.clock.nowMs() + 7 * day));
    });

    it('lists and revokes the links of all users, without titles and addresses', async () => {
      const admin = await api.signIn('admin');
      const made = await share({ api, user: owner }, recordingId, {
        title: 'Secret',
        recipientLabel: 'Anna',
      });
      const response = await api.as(admin, { url: '/api/admin/shares' });
      expect(answerOf<{ items: object[] }>(response).items).toMatchObject([
        { id: made.id, ownerName: 'Mira' },
      ]);
      for (const hidden of ['Secret', 'Anna', 'Interview', tokenOf(made), recordingId])
        expect(response.body).not.toContain(hidden);
      const revoke = () => api.as(admin, { method: 'DELETE', url: `/api/admin/shares/${made.id}` });
      expect([(await revoke()).statusCode, (await revoke()).statusCode]).toEqual([204, 204]);
      expect(await list(owner)).toMatchObject([{ state: 'revoked' }]);
      const { rows } = {
        rows: await api.database.queries.selectFrom('audit_events').select(['action', 'subject']).execute(),
      };
      expect(rows).toEqual([{ action: 'share.revoked', subject: made.id }]);
    });

    it('has every rule that two of them change at the same time', async () => {
      const admins = [await api.signIn('admin'), await api.signIn('admin')] as const;
      for (let round = 0; round < 10; round += 1) {
        const [mayDownload, mayEmbed] = [round % 2 === 1, round % 2 === 0];
        await Promise.all([policyOf(admins[0], { mayDownload }), policyOf(admins[1], { mayEmbed })]);
        const { policy } = answerOf<{ policy: object }>(
          await api.as(admins[0], { url: '/api/admin/sharing' }),
        );
        expect(policy).toMatchObject({ mayDownload, mayEmbed });
      }
    });

    it('is for administrators alone', async () => {
      const made = await share({ api, user: owner }, recordingId);
      for (const request of [
        { method: 'GET', url: '/api/admin/sharing' },
        { method: 'PATCH', url: '/api/admin/sharing', payload: { links: 'off' } },
        { method: 'GET', url: '/api/admin/shares' },
        { method: 'DELETE', url: `/api/admin/shares/${made.id}` },
      ] as const)
        expect([request.url, rejection(await api.as(owner, request)).code]).toEqual([
          request.url,
          'forbidden',
        ]);
    });
  });
});
