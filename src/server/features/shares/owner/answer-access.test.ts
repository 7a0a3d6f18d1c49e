import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, expect, it } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import { answerOf, rejection } from '#tests/support/accounts-under-test.ts';
import { type ApiUnderTest, apiUnderTest, recordTake, type TestUser } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeUser } from '#tests/support/factories.ts';
import { changeShareOf, share, tokenOf } from '#tests/support/sharing.ts';

const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' };
const form = { ...navigation, 'content-type': 'application/x-www-form-urlencoded' };

eachDatabase((_name, open) => {
  let api: ApiUnderTest;
  let owner: TestUser;
  let outsider: TestUser;
  let shared: Share;

  const make = async (settings: Partial<NewShare> = {}): Promise<Share> => {
    const { recordingId } = await recordTake(api, owner, 20);
    return share({ api, user: owner }, recordingId, settings);
  };
  const pageFor = (user: TestUser) => api.as(user, { url: `/s/${tokenOf(shared)}`, headers: navigation });
  const ask = (user: TestUser | null, headers: Record<string, string> = form) =>
    api.as(user, { method: 'POST', url: `/s/${tokenOf(shared)}/access?lang=de`, headers });
  const answer = (user: TestUser, isAllowed: boolean, asker = outsider): Promise<LightMyRequestResponse> =>
    api.as(user, {
      method: 'PUT',
      url: `/api/shares/${shared.id}/access/${asker.id}`,
      payload: { isAllowed },
    });
  const shown = async (): Promise<Share | undefined> =>
    answerOf<{ items: Share[] }>(await api.as(owner, { url: '/api/shares' })).items.find(
      ({ id }) => id === shared.id,
    );
  const notified = () => api.events.filter(({ type }) => type === 'shares-changed');
  const requests = async (): Promise<string[]> =>
    ((await shown())?.accessRequests ?? []).map(({ userId }) => userId);
  const reasonFor = async (user: TestUser): Promise<unknown> =>
    (await api.as(user, { url: `/s/${tokenOf(shared)}/recording` })).json<{ reason?: string }>().reason;

  beforeEach(async () => {
    api = await apiUnderTest(await open());
    [owner, outsider] = [await api.signIn(), await api.signIn()];
    shared = await make({ audience: 'named', people: ['ana@example.org'] });
    api.events.length = 0;
  });

  it('a user for whom a link is not asks its owner for access, once', async () => {
    const page = await pageFor(outsider);
    expect([page.statusCode, page.headers['referrer-policy']]).toEqual([403, 'same-origin']);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(page.body).toContain(`<form method="post" action="/s/${tokenOf(shared)}/access?lang=en">`);

    const reply = await ask(outsider);
    expect([reply.statusCode, reply.headers.location]).toEqual([303, `/s/${tokenOf(shared)}?lang=de`]);
    expect(notified()).toEqual([
      { userId: owner.id, type: 'shares-changed', recordingId: shared.recordingId },
    ]);
    const [request] = (await shown())?.accessRequests ?? [];
    expect(request).toMatchObject({ userId: outsider.id, email: `${outsider.id}@example.org` });
    expect((await shown())?.revision).toBe(shared.revision);
    const after = await pageFor(outsider);
    expect(after.body).toContain('You asked for access');
    expect(after.body).not.toContain('<form');

    await ask(outsider);
    expect(await requests()).toEqual([outsider.id]);
    expect(notified()).toHaveLength(1);
  });

  it('allowing it opens the link for the user, and for no one else', async () => {
    const other = await api.signIn();
    await ask(outsider);
    await ask(other);
    const changed = answerOf<Share>(await answer(owner, true));
    expect(changed).toMatchObject({
      people: expect.arrayContaining(['ana@example.org', `${outsider.id}@example.org`]),
      revision: shared.revision + 1,
    });
    expect(changed.accessRequests.map(({ userId }) => userId)).toEqual([other.id]);
    expect((await pageFor(outsider)).statusCode).toBe(200);
    expect((await pageFor(other)).statusCode).toBe(403);
    // A form that is open already leads to the recording.
    expect((await ask(outsider)).statusCode).toBe(303);
    expect(rejection(await answer(owner, true)).code).toBe('not-found');
  });

  it('says whether the address of a user who asks is proven', async () => {
    await ask(outsider);
    const provenOf = async () => (await shown())?.accessRequests.map(({ isEmailProven }) => isEmailProven);
    const verified = (at: number | null) =>
      api.database.queries
        .updateTable('users')
        .set({ email_verified_at: at })
        .where('id', '=', outsider.id)
        .execute();
    await verified(null);
    expect(await provenOf()).toEqual([false]);
    await verified(1);
    expect(await provenOf()).toEqual([true]);
  });

  it('allowing it takes no one else’s place, whose address the user has now', async () => {
    await ask(outsider);
    await answer(owner, true);
    const email = `${outsider.id}@example.org`;
    const next = await api.signIn();
    const rename = (user: TestUser, address: string) =>
      api.database.queries
        .updateTable('users')
        .set({ email: address, email_key: address })
        .where('id', '=', user.id)
        .execute();
    await rename(outsider, 'moved@example.org');
    await rename(next, email);
    await ask(next);
    expect(rejection(await answer(owner, true, next))).toMatchObject({ code: 'validation' });
    expect((await pageFor(outsider)).statusCode).toBe(200);
    expect((await pageFor(next)).statusCode).toBe(403);
    expect(await requests()).toEqual([next.id]);
  });

  it('a declined request is not shown any more, and cannot be repeated', async () => {
    await ask(outsider);
    expect(answerOf<Share>(await answer(owner, false)).accessRequests).toEqual([]);
    await ask(outsider);
    expect([await requests(), notified().length]).toEqual([[], 1]);
    expect(await reasonFor(outsider)).toBe('asked');
    expect(rejection(await answer(owner, true)).code).toBe('not-found');
  });

  const prove = (user: TestUser) =>
    api.database.queries
      .updateTable('users')
      .set({ email_verified_at: 1 })
      .where('id', '=', user.id)
      .execute();

  it('X5: a link for an address that someone took without proof stays closed until its owner allows it', async () => {
    const [squatted, people] = [outsider, [`${outsider.id}@example.org`, 'ana@example.org']];
    shared = await make({ audience: 'named', people });
    expect([(await pageFor(squatted)).statusCode, await reasonFor(squatted)]).toEqual([403, 'possible']);
    await ask(squatted);
    await answer(owner, true);
    expect((await pageFor(squatted)).statusCode).toBe(200);
    // A later change of the settings, which send all addresses again, keeps what the owner allowed.
    const allowed = await shown();
    expect(allowed?.people).toEqual(people.toSorted());
    await changeShareOf({ api, user: owner }, allowed ?? shared, { people });
    expect((await pageFor(squatted)).statusCode).toBe(200);
    // Removed and named again, the address is as unproven as before.
    for (const given of [['ana@example.org'], people])
      await changeShareOf({ api, user: owner }, (await shown()) ?? shared, { people: given });
    expect((await pageFor(squatted)).statusCode).toBe(403);
  });

  it('X5: naming an address that a user has proven opens the link at once', async () => {
    await prove(outsider);
    shared = await make({ audience: 'named', people: [`${outsider.id}@example.org`] });
    expect((await pageFor(outsider)).statusCode).toBe(200);
  });

  it('naming the user in the settings answers the request if the address is proven', async () => {
    await prove(outsider);
    await ask(outsider);
    const people = [`${outsider.id}@example.org`];
    await changeShareOf({ api, user: owner }, shared, { people });
    expect(await requests()).toEqual([]);
    expect((await pageFor(outsider)).statusCode).toBe(200);
  });

  it('is answered by the owner of the link alone, and only if the user asked', async () => {
    expect(rejection(await answer(owner, true)).code).toBe('not-found');
    await ask(outsider);
    for (const user of [outsider, await api.signIn('admin')])
      expect(rejection(await answer(user, true)).code).toBe('not-found');
    await api.as(owner, { method: 'DELETE', url: `/api/shares/${shared.id}` });
    expect(rejection(await answer(owner, true)).code).toBe('already-revoked');
  });

  it('needs a session, comes from our own page, and stores nothing where the link opens anyway', async () => {
    expect(rejection(await ask(null, { 'sec-fetch-site': 'same-origin' })).code).toBe('session-required');
    expect(
      rejection(await ask(outsider, { ...form, accept: '*/*', 'sec-fetch-site': 'cross-site' })).code,
    ).toBe('cross-site');
    shared = await make();
    expect((await ask(outsider)).statusCode).toBe(303);
    expect(await api.database.queries.selectFrom('share_access_requests').selectAll().execute()).toEqual([]);
  });

  it('is limited for each link, also if users ask at once', async () => {
    const { queries } = api.database;
    for (let count = 1; count < limits.share.accessRequests; count += 1) {
      const { id } = await storeUser(queries);
      await queries
        .insertInto('share_access_requests')
        .values({ share_id: shared.id, user_id: id, created_at: api.clock.nowMs(), declined_at: null })
        .execute();
    }
    const others = [outsider, await api.signIn(), await api.signIn()];
    await Promise.all(others.map((user) => ask(user)));
    expect(await requests()).toHaveLength(limits.share.accessRequests);
    const left = await api.signIn();
    expect((await pageFor(left)).body).toContain('ask the person who sent you the link');
    expect((await pageFor(left)).body).not.toContain('<form');
    expect((await ask(left)).statusCode).toBe(403);
    expect(await requests()).toHaveLength(limits.share.accessRequests);
  });

  it('is impossible for a user without an email address, by which the link could name them', async () => {
    await api.database.queries
      .updateTable('users')
      .set({ email: null, email_key: null })
      .where('id', '=', outsider.id)
      .execute();
    expect(await reasonFor(outsider)).toBe('impossible');
    expect((await ask(outsider)).statusCode).toBe(403);
  });
});
