import { expect, test } from 'vitest';
import { minute } from '#base/duration.ts';
import type { Recording, RecordingPage } from '#contract/recordings.ts';
import { apiUnderTest, type ApiUnderTest, type TestUser } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeRecording } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    return { api, user: await api.signIn() };
  };
  const store = async (api: ApiUnderTest, user: TestUser, title: string) =>
    (
      await storeRecording(api.database.queries, {
        owner_id: user.id,
        title,
        title_folded: title,
        state: 'ready',
        duration_ms: minute,
      })
    ).id;
  const put = async (
    { api, user }: { api: ApiUnderTest; user: TestUser },
    id: string,
    isFavourite: boolean,
  ) =>
    (
      await api.as(user, {
        method: 'PUT',
        url: `/api/recordings/${id}/favourite`,
        payload: { isFavourite },
      })
    ).statusCode;
  const star = (api: ApiUnderTest, user: TestUser, id: string) => put({ api, user }, id, true);
  const list = async (api: ApiUnderTest, user: TestUser, query: Record<string, string> = {}) =>
    (await api.as(user, { url: '/api/recordings', query })).json<RecordingPage>();
  const found = async (api: ApiUnderTest, user: TestUser, query: Record<string, string> = {}) =>
    (await list(api, user, { favourite: 'true', ...query })).items.map(({ title }) => title).toSorted();
  const one = async (api: ApiUnderTest, user: TestUser, id: string) =>
    (await api.as(user, { url: `/api/recordings/${id}` })).json<Recording>();
  const stars = async (api: ApiUnderTest) =>
    (await api.database.queries.selectFrom('favourites').select('recording_id').execute()).length;

  test('a recording is starred and unstarred idempotently, without changing its modification date', async () => {
    const { api, user } = await start();
    const id = await store(api, user, 'harbour');
    const before = await one(api, user, id);
    expect(before.isFavourite).toBe(false);
    api.clock.advance(minute);
    expect([await star(api, user, id), await star(api, user, id)]).toEqual([204, 204]);
    expect(await one(api, user, id)).toEqual({ ...before, isFavourite: true });
    expect((await list(api, user)).items).toMatchObject([{ id, isFavourite: true }]);
    expect(api.events).toContainEqual(expect.objectContaining({ type: 'library-changed' }));
    expect([await put({ api, user }, id, false), await put({ api, user }, id, false)]).toEqual([204, 204]);
    expect(await one(api, user, id)).toEqual(before);
  });

  test('the list can be filtered by favourites, with total and ids, and combined with other filters and search', async () => {
    const { api, user } = await start();
    const [one, two] = [await store(api, user, 'harbour one'), await store(api, user, 'harbour two')];
    await store(api, user, 'harbour three');
    await star(api, user, one);
    await star(api, user, two);
    expect(await found(api, user)).toEqual(['harbour one', 'harbour two']);
    expect((await list(api, user, { favourite: 'true', limit: '1' })).total).toBe(2);
    expect(await found(api, user, { search: 'harb' })).toEqual(['harbour one', 'harbour two']);
    expect(await found(api, user, { search: 'two' })).toEqual(['harbour two']);
    expect(await found(api, user, { search: 'three' })).toEqual([]);
    expect(await found(api, user, { source: 'import' })).toEqual([]);
    expect(
      (await api.as(user, { url: '/api/recordings/ids', query: { favourite: 'true' } }))
        .json<{ ids: string[] }>()
        .ids.toSorted(),
    ).toEqual([one, two].toSorted());
    expect((await api.as(user, { url: '/api/recordings', query: { favourite: 'no' } })).statusCode).toBe(422);
    const view = { id: newId(), name: 'Starred', query: 'favourite=true&sort=title' };
    expect((await api.as(user, { method: 'POST', url: '/api/views', payload: view })).json()).toEqual(view);
  });

  test('the trash keeps the star, the count excludes it, and purging the recording deletes it', async () => {
    const { api, user } = await start();
    const [retained, gone] = [await store(api, user, 'kept'), await store(api, user, 'gone')];
    await star(api, user, retained);
    await star(api, user, gone);
    const count = async () =>
      (await api.as(user, { url: '/api/recordings/facets' })).json<{ favourites: number }>().favourites;
    expect(await count()).toBe(2);
    for (const id of [retained, gone]) await api.as(user, { method: 'DELETE', url: `/api/recordings/${id}` });
    expect([await count(), await found(api, user), await found(api, user, { trashed: 'true' })]).toEqual([
      0,
      [],
      ['gone', 'kept'],
    ]);
    await api.as(user, { method: 'POST', url: `/api/recordings/${retained}/restore` });
    expect([await count(), await found(api, user)]).toEqual([1, ['kept']]);
    await api.as(user, { method: 'POST', url: `/api/recordings/${gone}/purge` });
    expect([await stars(api), await star(api, user, gone)]).toEqual([1, 404]);
  });

  test("many recordings are starred and unstarred at once; other users' recordings do not exist", async () => {
    const { api, user } = await start();
    const other = await api.signIn();
    const [one, two, foreign] = [
      await store(api, user, 'one'),
      await store(api, user, 'two'),
      await store(api, other, 'foreign'),
    ];
    const bulk = async (ids: string[], isFavourite: boolean) =>
      (
        await api.as(user, {
          method: 'POST',
          url: '/api/recordings/bulk',
          payload: { ids, action: { kind: 'favourite', isFavourite } },
        })
      ).json<object>();
    const before = await api.database.queries
      .selectFrom('recordings')
      .select(['id', 'updated_at'])
      .orderBy('id')
      .execute();
    expect(await bulk([one, two, foreign], true)).toEqual({ done: 2, missing: [foreign] });
    expect([await found(api, user), await stars(api)]).toEqual([['one', 'two'], 2]);
    expect(await bulk([one], false)).toEqual({ done: 1, missing: [] });
    expect([await found(api, user), await star(api, user, foreign), await found(api, other)]).toEqual([
      ['two'],
      404,
      [],
    ]);
    expect(
      await api.database.queries
        .selectFrom('recordings')
        .select(['id', 'updated_at'])
        .orderBy('id')
        .execute(),
    ).toEqual(before);
  });

  test('deleting an account deletes its stars', async () => {
    const { api, user } = await start();
    await star(api, user, await store(api, user, 'one'));
    await api.database.queries.deleteFrom('recordings').execute();
    await api.database.queries.deleteFrom('users').where('id', '=', user.id).execute();
    expect(await stars(api)).toBe(0);
  });
});
