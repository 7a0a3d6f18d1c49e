import { expect, test } from 'vitest';
import { minute } from '#base/duration.ts';
import type { Recording, RecordingPage } from '#contract/recordings.ts';
import { apiUnderTest, type ApiUnderTest, type Person } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeRecording } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const begin = async () => {
    const api = await apiUnderTest(await open());
    return { api, person: await api.signIn() };
  };
  const store = async (api: ApiUnderTest, person: Person, title: string) =>
    (
      await storeRecording(api.database.queries, {
        owner_id: person.id,
        title,
        title_folded: title,
        state: 'ready',
        duration_ms: minute,
      })
    ).id;
  const put = async (
    { api, person }: { api: ApiUnderTest; person: Person },
    id: string,
    isFavourite: boolean,
  ) =>
    (
      await api.as(person, {
        method: 'PUT',
        url: `/api/recordings/${id}/favourite`,
        payload: { isFavourite },
      })
    ).statusCode;
  const star = (api: ApiUnderTest, person: Person, id: string) => put({ api, person }, id, true);
  const list = async (api: ApiUnderTest, person: Person, query: Record<string, string> = {}) =>
    (await api.as(person, { url: '/api/recordings', query })).json<RecordingPage>();
  const found = async (api: ApiUnderTest, person: Person, query: Record<string, string> = {}) =>
    (await list(api, person, { favourite: 'true', ...query })).items.map(({ title }) => title).toSorted();
  const one = async (api: ApiUnderTest, person: Person, id: string) =>
    (await api.as(person, { url: `/api/recordings/${id}` })).json<Recording>();
  const stars = async (api: ApiUnderTest) =>
    (await api.database.queries.selectFrom('favourites').select('recording_id').execute()).length;

  test('a recording is starred and unstarred, again without another effect, and its own date of change stays', async () => {
    const { api, person } = await begin();
    const id = await store(api, person, 'harbour');
    const before = await one(api, person, id);
    expect(before.isFavourite).toBe(false);
    api.clock.advance(minute);
    expect([await star(api, person, id), await star(api, person, id)]).toEqual([204, 204]);
    expect(await one(api, person, id)).toEqual({ ...before, isFavourite: true });
    expect((await list(api, person)).items).toMatchObject([{ id, isFavourite: true }]);
    expect(api.events).toContainEqual(expect.objectContaining({ type: 'library-changed' }));
    expect([await put({ api, person }, id, false), await put({ api, person }, id, false)]).toEqual([
      204, 204,
    ]);
    expect(await one(api, person, id)).toEqual(before);
  });

  test('the list is narrowed to favourites, with its total, its ids, and beside every other filter and the search', async () => {
    const { api, person } = await begin();
    const [one, two] = [await store(api, person, 'harbour one'), await store(api, person, 'harbour two')];
    await store(api, person, 'harbour three');
    await star(api, person, one);
    await star(api, person, two);
    expect(await found(api, person)).toEqual(['harbour one', 'harbour two']);
    expect((await list(api, person, { favourite: 'true', limit: '1' })).total).toBe(2);
    expect(await found(api, person, { search: 'harb' })).toEqual(['harbour one', 'harbour two']);
    expect(await found(api, person, { search: 'two' })).toEqual(['harbour two']);
    expect(await found(api, person, { search: 'three' })).toEqual([]);
    expect(await found(api, person, { source: 'import' })).toEqual([]);
    expect(
      (await api.as(person, { url: '/api/recordings/ids', query: { favourite: 'true' } }))
        .json<{ ids: string[] }>()
        .ids.toSorted(),
    ).toEqual([one, two].toSorted());
    expect((await api.as(person, { url: '/api/recordings', query: { favourite: 'no' } })).statusCode).toBe(
      422,
    );
    const view = { id: newId(), name: 'Starred', query: 'favourite=true&sort=title' };
    expect((await api.as(person, { method: 'POST', url: '/api/views', payload: view })).json()).toEqual(view);
  });

  test('the trash keeps the star, the count leaves it out, and deleting the recording removes it', async () => {
    const { api, person } = await begin();
    const [kept, gone] = [await store(api, person, 'kept'), await store(api, person, 'gone')];
    await star(api, person, kept);
    await star(api, person, gone);
    const count = async () =>
      (await api.as(person, { url: '/api/recordings/facets' })).json<{ favourites: number }>().favourites;
    expect(await count()).toBe(2);
    for (const id of [kept, gone]) await api.as(person, { method: 'DELETE', url: `/api/recordings/${id}` });
    expect([await count(), await found(api, person), await found(api, person, { trashed: 'true' })]).toEqual([
      0,
      [],
      ['gone', 'kept'],
    ]);
    await api.as(person, { method: 'POST', url: `/api/recordings/${kept}/restore` });
    expect([await count(), await found(api, person)]).toEqual([1, ['kept']]);
    await api.as(person, { method: 'POST', url: `/api/recordings/${gone}/purge` });
    expect([await stars(api), await star(api, person, gone)]).toEqual([1, 404]);
  });

  test('many are starred and unstarred at once; those of another person do not exist', async () => {
    const { api, person } = await begin();
    const other = await api.signIn();
    const [one, two, foreign] = [
      await store(api, person, 'one'),
      await store(api, person, 'two'),
      await store(api, other, 'foreign'),
    ];
    const bulk = async (ids: string[], isFavourite: boolean) =>
      (
        await api.as(person, {
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
    expect([await found(api, person), await stars(api)]).toEqual([['one', 'two'], 2]);
    expect(await bulk([one], false)).toEqual({ done: 1, missing: [] });
    expect([await found(api, person), await star(api, person, foreign), await found(api, other)]).toEqual([
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

  test('an account that is deleted takes its stars along', async () => {
    const { api, person } = await begin();
    await star(api, person, await store(api, person, 'one'));
    await api.database.queries.deleteFrom('recordings').execute();
    await api.database.queries.deleteFrom('users').where('id', '=', person.id).execute();
    expect(await stars(api)).toBe(0);
  });
});
