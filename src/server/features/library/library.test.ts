import { describe, expect, test } from 'vitest';
import { day, hour, minute } from '#base/duration.ts';
import type { SavedView, Tag } from '#contract/library-api.ts';
import { limits } from '#contract/limits.ts';
import type { Recording, RecordingPage } from '#contract/recordings.ts';
import {
  apiUnderTest,
  problemOf,
  recordTake,
  type ApiUnderTest,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeRecording } from '#tests/support/factories.ts';

const bornMs = Date.UTC(2026, 0, 10, 12);
const sorts = {
  newest: (a: Recording, b: Recording) => b.startedAt.localeCompare(a.startedAt) || b.id.localeCompare(a.id),
  oldest: (a: Recording, b: Recording) => a.startedAt.localeCompare(b.startedAt) || a.id.localeCompare(b.id),
  longest: (a: Recording, b: Recording) => b.durationMs - a.durationMs || b.id.localeCompare(a.id),
  shortest: (a: Recording, b: Recording) => a.durationMs - b.durationMs || a.id.localeCompare(b.id),
  largest: (a: Recording, b: Recording) => b.sizeBytes - a.sizeBytes || b.id.localeCompare(a.id),
  title: (a: Recording, b: Recording) =>
    a.title === b.title ? a.id.localeCompare(b.id) : a.title < b.title ? -1 : 1,
  'recently-changed': (a: Recording, b: Recording) =>
    b.updatedAt.localeCompare(a.updatedAt) || b.id.localeCompare(a.id),
};

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    return { api, user: await api.signIn() };
  };
  const list = async (api: ApiUnderTest, user: TestUser, query: Record<string, string> = {}) =>
    (await api.as(user, { url: '/api/recordings', query })).json<RecordingPage>();
  const titles = async (api: ApiUnderTest, user: TestUser, query: Record<string, string>) =>
    (await list(api, user, query)).items.map(({ title }) => title).toSorted();
  const store = (
    api: ApiUnderTest,
    user: TestUser,
    given: Partial<Parameters<typeof storeRecording>[1]> = {},
  ) =>
    storeRecording(api.database.queries, {
      owner_id: user.id,
      started_at: bornMs,
      state: 'ready',
      duration_ms: minute,
      ...given,
    });
  const makeTag = async (api: ApiUnderTest, user: TestUser, name: string): Promise<string> => {
    const id = newId();
    expect((await api.as(user, { method: 'POST', url: '/api/tags', payload: { id, name } })).statusCode).toBe(
      201,
    );
    return id;
  };
  const bulk = async (...[api, user, ids, action]: [ApiUnderTest, TestUser, string[], object]) =>
    (await api.as(user, { method: 'POST', url: '/api/recordings/bulk', payload: { ids, action } })).json<{
      done: number;
      missing: string[];
    }>();

  describe('the list', () => {
    test.each(Object.entries(sorts))(
      'returns every recording once, page by page, sorted by %s, with the total on the first page',
      async (sort, compare) => {
        const { api, user } = await start();
        for (let index = 0; index < 23; index += 1) {
          await store(api, user, {
            title: `t${index % 5}`,
            title_folded: `t${index % 5}`,
            started_at: bornMs + (index % 4) * hour,
            duration_ms: (index % 3) * minute,
            size_bytes: (index % 6) * 100,
            updated_at: bornMs + (index % 7) * day,
          });
        }
        await store(api, await api.signIn());
        const seen: Recording[] = [];
        const counts: (number | null)[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const page: RecordingPage = await list(api, user, {
            sort,
            limit: '5',
            ...(cursor === '' ? {} : { cursor }),
          });
          seen.push(...page.items);
          counts.push(page.total);
          cursor = page.nextCursor;
        }
        expect(seen).toHaveLength(23);
        expect(seen.map(({ id }) => id)).toEqual(seen.toSorted(compare).map(({ id }) => id));
        expect(new Set(seen.map(({ id }) => id)).size).toBe(23);
        expect(counts).toEqual([23, null, null, null, null]);
      },
    );

    test('a cursor of another order is rejected', async () => {
      const { api, user } = await start();
      for (let index = 0; index < 2; index += 1) await store(api, user);
      const { nextCursor } = await list(api, user, { limit: '1' });
      const answer = await api.as(user, {
        url: '/api/recordings',
        query: { sort: 'title', cursor: nextCursor ?? '' },
      });
      expect([answer.statusCode, problemOf(answer).errors]).toEqual([
        422,
        [{ pointer: '/query/cursor', code: 'cursor' }],
      ]);
    });

    test('is filtered by day, length, state, source, language and tags, alone and combined', async () => {
      const { api, user } = await start();
      const [red, old] = [await makeTag(api, user, 'Red'), await makeTag(api, user, 'Old')];
      const one = await store(api, user, { title: 'one', language: 'de-AT', duration_ms: 10 * minute });
      const two = await store(api, user, {
        title: 'two',
        language: 'de',
        started_at: bornMs + day,
        state: 'failed',
      });
      await store(api, user, {
        title: 'three',
        language: 'den',
        started_at: bornMs + 2 * day,
        source: 'import',
        state: 'receiving',
      });
      await store(api, user, { title: 'four', started_at: bornMs - day });
      await bulk(api, user, [one.id, two.id], { kind: 'tag', add: [red], remove: [] });
      await bulk(api, user, [one.id], { kind: 'tag', add: [old], remove: [] });
      const cases: [Record<string, string>, string[]][] = [
        [{ language: 'DE' }, ['one', 'two']],
        [{ language: 'de-at' }, ['one']],
        [{ language: 'und' }, ['four']],
        [{ source: 'import' }, ['three']],
        [{ state: 'failed,receiving' }, ['three', 'two']],
        [{ minMs: '60001' }, ['one']],
        [{ maxMs: '60000', language: 'de' }, ['two']],
        [{ from: '2026-01-11' }, ['three', 'two']],
        [{ to: '2026-01-10' }, ['four', 'one']],
        [{ from: '2026-01-10', to: '2026-01-10' }, ['one']],
        [{ from: '2026-01-10T12:00:00.001Z' }, ['three', 'two']],
        [{ tag: red }, ['one', 'two']],
        [{ tag: `${red},${old}` }, ['one']],
        [{ tag: newId() }, []],
      ];
      for (const [query, expected] of cases)
        expect([query, await titles(api, user, query)]).toEqual([query, expected]);
      const repeated = await api.as(user, { url: '/api/recordings?state=failed&state=receiving' });
      expect(repeated.json<RecordingPage>().total).toBe(2);
    });

    test("days follow the user's time zone, also when the clocks change", async () => {
      const { api, user } = await start();
      for (const [title, at] of [
        ['before', '2026-03-28T22:59:59.999Z'],
        ['first', '2026-03-28T23:00:00.000Z'],
        ['last', '2026-03-29T21:59:59.999Z'],
        ['after', '2026-03-29T22:00:00.000Z'],
      ] as const) {
        await store(api, user, { title, started_at: Date.parse(at) });
      }
      expect(
        await titles(api, user, { from: '2026-03-29', to: '2026-03-29', timeZone: 'Europe/Berlin' }),
      ).toEqual(['first', 'last']);
      expect(
        await titles(api, user, { from: '0001-01-01', to: '9999-12-31', timeZone: 'Pacific/Kiritimati' }),
      ).toHaveLength(4);
    });

    test.each([
      { state: 'odd' },
      { tag: 'x' },
      { from: 'yesterday' },
      { timeZone: 'Mars/Base' },
      { sort: 'random' },
      { minMs: '-1' },
      { source: 'tape' },
      { colour: 'red' },
    ])('rejects an invalid filter: %j', async (query) => {
      const { api, user } = await start();
      expect(
        (await api.as(user, { url: '/api/recordings', query: query as Record<string, string> })).statusCode,
      ).toBe(422);
      expect(
        (await api.as(user, { url: '/api/recordings/ids', query: query as Record<string, string> }))
          .statusCode,
      ).toBe(422);
    });

    test('all ids of a filter are returned at once, without other users’ recordings', async () => {
      const { api, user } = await start();
      const own = [
        await store(api, user, { title: 'Walk' }),
        await store(api, user, { title: 'Walk', started_at: bornMs + day }),
        await store(api, user, { title: 'Talk' }),
      ];
      await store(api, await api.signIn(), { title: 'Walk' });
      const ids = (await api.as(user, { url: '/api/recordings/ids', query: { search: 'walk' } })).json<{
        ids: string[];
      }>().ids;
      expect(ids).toEqual([own[1]?.id, own[0]?.id]);
    });

    test('a word with thousands of matches is searched differently, with the same result', async () => {
      const { api, user } = await start();
      const first = await store(api, user, { title: 'Recording zero', started_at: bornMs });
      const {
        recording_id: _id,
        words,
        version,
      } = await api.database.queries
        .selectFrom('recording_words')
        .selectAll()
        .where('recording_id', '=', first.id)
        .executeTakeFirstOrThrow();
      const rows = Array.from({ length: 3200 }, (_, index) => ({
        ...first,
        id: newId(),
        started_at: bornMs + (index + 1) * minute,
        language: index % 10 === 0 ? 'fi' : null,
        deleted_at: index % 4 === 0 ? bornMs : null,
      }));
      for (let from = 0; from < rows.length; from += 400) {
        const some = rows.slice(from, from + 400);
        await api.database.queries.insertInto('recordings').values(some).execute();
        await api.database.queries
          .insertInto('recording_words')
          .values(
            some.map(({ id }) => ({ recording_id: id, words: words.replace(' zero ', ' other '), version })),
          )
          .execute();
      }
      const retained = rows.filter(({ deleted_at: at }) => at === null);
      const page = await list(api, user, { search: 'recor', limit: '200' });
      expect([page.total, page.items.map(({ id }) => id)]).toEqual([
        retained.length + 1,
        retained
          .toReversed()
          .slice(0, 200)
          .map(({ id }) => id),
      ]);
      expect((await list(api, user, { search: 'recording', language: 'fi' })).total).toBe(
        retained.filter(({ language }) => language === 'fi').length,
      );
      expect((await list(api, user, { search: 'recording', trashed: 'true' })).total).toBe(
        rows.length - retained.length,
      );
      expect((await list(api, user, { search: 'recording zero' })).items.map(({ id }) => id)).toEqual([
        first.id,
      ]);
      expect((await list(api, await api.signIn(), { search: 'recording' })).total).toBe(0);
      expect(
        (await api.as(user, { url: '/api/recordings/ids', query: { search: 'recording' } })).json<{
          ids: string[];
        }>().ids,
      ).toHaveLength(retained.length + 1);
    });
  });

  describe('search results', () => {
    test('are updated with every change of titles, people, tags and markers', async () => {
      const { api, user } = await start();
      const { recordingId } = await recordTake(api, user);
      const url = `/api/recordings/${recordingId}`;
      const isFound = async (search: string) => (await list(api, user, { search })).total === 1;
      await api.as(user, {
        method: 'PATCH',
        url,
        payload: { title: 'Harbour', people: ['Željko', 'Željko'] },
      });
      expect([await isFound('harb'), await isFound('zeljko'), await isFound('gespräch')]).toEqual([
        true,
        true,
        false,
      ]);
      const markerId = newId();
      await api.as(user, {
        method: 'POST',
        url: `${url}/markers`,
        payload: { id: markerId, atMs: 5, label: 'The storm' },
      });
      expect(await isFound('storm')).toBe(true);
      await api.as(user, {
        method: 'PATCH',
        url: `${url}/markers/${markerId}`,
        payload: { label: 'The calm' },
      });
      expect([await isFound('storm'), await isFound('calm harbour')]).toEqual([false, true]);
      await api.as(user, { method: 'DELETE', url: `${url}/markers/${markerId}` });
      expect(await isFound('calm')).toBe(false);
      const tagId = await makeTag(api, user, 'Family');
      const tagged = await api.as(user, { method: 'PATCH', url, payload: { tagIds: [tagId] } });
      expect(tagged.json()).toMatchObject({ people: ['Željko'], tagIds: [tagId] });
      expect(await isFound('family')).toBe(true);
      await api.as(user, { method: 'PATCH', url: `/api/tags/${tagId}`, payload: { name: 'Kin' } });
      await api.runJobs();
      expect([await isFound('family'), await isFound('kin')]).toEqual([false, true]);
      await api.as(user, { method: 'DELETE', url: `/api/tags/${tagId}` });
      await api.runJobs();
      expect([await isFound('kin'), (await list(api, user)).items[0]?.tagIds]).toEqual([false, []]);
      await api.as(user, { method: 'DELETE', url });
      expect([
        await isFound('harbour'),
        (await list(api, user, { search: 'harbour', trashed: 'true' })).total,
      ]).toEqual([false, 1]);
      await api.as(user, { method: 'POST', url: `${url}/purge` });
      expect(
        await api.database.queries.selectFrom('recording_words').select('recording_id').execute(),
      ).toEqual([]);
      expect((await list(api, user, { search: 'harbour', trashed: 'true' })).total).toBe(0);
    });

    test('include recordings with very many texts after the index job, and texts from before search words', async () => {
      const { api, user } = await start();
      const { id } = await store(api, user, { title: 'Quarry' });
      const { queries } = api.database;
      const noteRow = (text: string) => ({
        id: newId(),
        recording_id: id,
        from_ms: 0,
        to_ms: null,
        text,
        revision: 1,
        created_by: user.id,
        created_at: bornMs,
        updated_at: bornMs,
      });
      const old = noteRow(`Limestone ${'x '.repeat(9000)}`);
      await queries
        .insertInto('notes')
        .values([old, noteRow('y '.repeat(9000))])
        .execute();
      const marked = {
        method: 'POST',
        url: `/api/recordings/${id}/markers`,
        payload: { id: newId(), atMs: 0, label: 'Estuary' },
      } as const;
      expect((await api.as(user, marked)).statusCode).toBe(201);
      const totals = () =>
        Promise.all(
          ['estuary', 'limestone', 'quarry'].map(async (search) => (await list(api, user, { search })).total),
        );
      expect(await totals()).toEqual([0, 0, 1]);
      await api.startLibrary();
      await api.runJobs();
      expect(await totals()).toEqual([1, 1, 1]);
      expect(
        (
          await queries
            .selectFrom('notes')
            .select('words_version')
            .where('id', '=', old.id)
            .executeTakeFirstOrThrow()
        ).words_version,
      ).toBeGreaterThan(0);
      expect(await queries.selectFrom('stale_words').selectAll().execute()).toEqual([]);
      await api.as(user, { method: 'DELETE', url: `${marked.url}/${marked.payload.id}` });
      await api.startLibrary();
      await api.runJobs();
      expect(await totals()).toEqual([0, 1, 1]);
    });

    test('are completed at the start for rows without search words or with outdated ones', async () => {
      const { api, user } = await start();
      const [bare, old] = [
        await store(api, user, { title: 'Quarry' }),
        await store(api, user, { title: 'Quarry' }),
      ];
      await api.database.queries.deleteFrom('recording_words').where('recording_id', '=', bare.id).execute();
      await api.database.queries
        .updateTable('recording_words')
        .set({ words: ' gone ', version: 0 })
        .where('recording_id', '=', old.id)
        .execute();
      expect((await list(api, user, { search: 'quarry' })).total).toBe(0);
      await api.startLibrary();
      await api.runJobs();
      expect((await list(api, user, { search: 'quarry' })).total).toBe(2);
    });
  });

  describe('tags', () => {
    test('are created once per id, listed by name, changed and deleted', async () => {
      const { api, user } = await start();
      const id = newId();
      const payload = { id, name: 'Zürich', colour: 'violet' };
      const answers = [
        await api.as(user, { method: 'POST', url: '/api/tags', payload }),
        await api.as(user, { method: 'POST', url: '/api/tags', payload: { ...payload, name: 'Other' } }),
      ];
      expect(answers.map((answer) => [answer.statusCode, answer.json<Tag>().name])).toEqual([
        [201, 'Zürich'],
        [200, 'Zürich'],
      ]);
      await makeTag(api, user, 'Aachen');
      expect(
        (await api.as(user, { url: '/api/tags' })).json<{ items: Tag[] }>().items.map(({ name }) => name),
      ).toEqual(['Aachen', 'Zürich']);
      const taken = await api.as(user, {
        method: 'POST',
        url: '/api/tags',
        payload: { id: newId(), name: 'ZURICH' },
      });
      expect([taken.statusCode, problemOf(taken).errors]).toEqual([
        422,
        [{ pointer: '/name', code: 'taken' }],
      ]);
      expect(
        (await api.as(user, { method: 'PATCH', url: `/api/tags/${id}`, payload: { name: 'aachen' } }))
          .statusCode,
      ).toBe(422);
      expect(
        (
          await api.as(user, { method: 'PATCH', url: `/api/tags/${id}`, payload: { colour: 'amber' } })
        ).json(),
      ).toEqual({ id, name: 'Zürich', colour: 'amber' });
      expect([
        (await api.as(user, { method: 'DELETE', url: `/api/tags/${id}` })).statusCode,
        (await api.as(user, { method: 'DELETE', url: `/api/tags/${id}` })).statusCode,
      ]).toEqual([204, 204]);
      expect(api.events).toContainEqual({ type: 'library-changed', userId: user.id });
    });

    test("another user's tags and views do not exist, and cannot be added to a recording", async () => {
      const { api, user } = await start();
      const other = await api.signIn();
      const tagId = await makeTag(api, other, 'Theirs');
      const viewId = newId();
      await api.as(other, {
        method: 'POST',
        url: '/api/views',
        payload: { id: viewId, name: 'Theirs', query: '' },
      });
      const own = await store(api, user);
      const answers = [
        await api.as(user, { method: 'PATCH', url: `/api/tags/${tagId}`, payload: { name: 'Mine' } }),
        await api.as(user, { method: 'DELETE', url: `/api/tags/${tagId}` }),
        await api.as(user, { method: 'PATCH', url: `/api/views/${viewId}`, payload: { name: 'Mine' } }),
        await api.as(user, { method: 'DELETE', url: `/api/views/${viewId}` }),
        await api.as(user, { method: 'POST', url: '/api/tags', payload: { id: tagId, name: 'Mine' } }),
        await api.as(user, {
          method: 'POST',
          url: '/api/views',
          payload: { id: viewId, name: 'Mine', query: '' },
        }),
        await api.as(user, {
          method: 'PATCH',
          url: `/api/recordings/${own.id}`,
          payload: { tagIds: [tagId] },
        }),
        await api.as(user, {
          method: 'POST',
          url: '/api/recordings/bulk',
          payload: { ids: [own.id], action: { kind: 'tag', add: [tagId], remove: [] } },
        }),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 422, 422, 422, 422]);
      expect([
        (await api.as(user, { url: '/api/tags' })).json(),
        (await api.as(user, { url: '/api/views' })).json(),
      ]).toEqual([{ items: [] }, { items: [] }]);
      expect((await api.as(null, { url: '/api/tags' })).statusCode).toBe(401);
    });
  });

  test('saved views only store queries that the list supports', async () => {
    const { api, user } = await start();
    const id = newId();
    const save = (payload: object) => api.as(user, { method: 'POST', url: '/api/views', payload });
    const made = await save({
      id,
      name: 'Long ones',
      query: `minMs=600000&state=ready&state=failed&sort=longest&search=${encodeURIComponent('祖母')}`,
    });
    expect([made.statusCode, (await save({ id, name: 'Again', query: '' })).json<SavedView>().name]).toEqual([
      201,
      'Long ones',
    ]);
    for (const query of [
      'cursor=x',
      'page=2',
      'state=odd',
      'from=tomorrow',
      'timeZone=Mars/Base',
      'minMs=long',
    ])
      expect([query, (await save({ id: newId(), name: 'Odd', query })).statusCode]).toEqual([query, 422]);
    expect(
      (
        await api.as(user, {
          method: 'PATCH',
          url: `/api/views/${id}`,
          payload: { name: 'Longest', query: 'sort=longest' },
        })
      ).json(),
    ).toEqual({ id, name: 'Longest', query: 'sort=longest' });
    expect((await api.as(user, { url: '/api/views' })).json()).toEqual({
      items: [{ id, name: 'Longest', query: 'sort=longest' }],
    });
    expect([
      (await api.as(user, { method: 'DELETE', url: `/api/views/${id}` })).statusCode,
      (await api.as(user, { url: '/api/views' })).json(),
    ]).toEqual([204, { items: [] }]);
  });

  test('facets count recordings outside the trash', async () => {
    const { api, user } = await start();
    expect((await api.as(user, { url: '/api/recordings/facets' })).json()).toEqual({
      languages: [],
      sources: [],
      states: [],
      tags: [],
      favourites: 0,
      earliest: null,
      latest: null,
    });
    const tagId = await makeTag(api, user, 'Blue');
    const some = [
      await store(api, user, { language: 'sw' }),
      await store(api, user, { language: 'sw', source: 'import', started_at: bornMs + day }),
      await store(api, user),
      await store(api, user, { started_at: 0, deleted_at: bornMs }),
    ];
    await bulk(
      api,
      user,
      some.map(({ id }) => id),
      { kind: 'tag', add: [tagId], remove: [] },
    );
    await store(api, await api.signIn(), { language: 'fr' });
    expect((await api.as(user, { url: '/api/recordings/facets' })).json()).toEqual({
      languages: [
        { language: 'sw', count: 2 },
        { language: null, count: 1 },
      ],
      sources: [
        { source: 'microphone', count: 2 },
        { source: 'import', count: 1 },
      ],
      states: [{ state: 'ready', count: 3 }],
      tags: [{ tagId, count: 3 }],
      favourites: 0,
      earliest: '2026-01-10T12:00:00.000Z',
      latest: '2026-01-11T12:00:00.000Z',
    });
  });

  describe('many recordings at once', () => {
    test('are trashed, restored and purged idempotently, and announced once', async () => {
      const { api, user } = await start();
      const own = [await store(api, user), await store(api, user), await store(api, user)].map(
        ({ id }) => id,
      );
      const foreign = (await store(api, await api.signIn())).id;
      const retained = own[2] ?? '';
      api.events.length = 0;
      expect(await bulk(api, user, [...own, foreign, retained], { kind: 'trash' })).toEqual({
        done: 3,
        missing: [foreign],
      });
      expect(api.events).toEqual([{ type: 'library-changed', userId: user.id }]);
      const trashedAt = (await list(api, user, { trashed: 'true' })).items.map(({ deletedAt }) => deletedAt);
      api.clock.advance(hour);
      expect(await bulk(api, user, own, { kind: 'trash' })).toEqual({ done: 3, missing: [] });
      expect((await list(api, user, { trashed: 'true' })).items.map(({ deletedAt }) => deletedAt)).toEqual(
        trashedAt,
      );
      expect(await bulk(api, user, [retained], { kind: 'restore' })).toEqual({ done: 1, missing: [] });
      expect(await bulk(api, user, [...own, foreign], { kind: 'purge' })).toEqual({
        done: 2,
        missing: [retained, foreign],
      });
      expect([(await list(api, user)).total, (await list(api, user, { trashed: 'true' })).total]).toEqual([
        1, 0,
      ]);
      expect(
        await api.database.queries.selectFrom('recordings').select('id').where('id', '=', foreign).execute(),
      ).toHaveLength(1);
    });

    test('are tagged and untagged, and found by the tag', async () => {
      const { api, user } = await start();
      const ids = [await store(api, user), await store(api, user)].map(({ id }) => id);
      const [first, second] = [await makeTag(api, user, 'Alpha'), await makeTag(api, user, 'Beta')];
      await bulk(api, user, ids, { kind: 'tag', add: [first, first], remove: [] });
      await bulk(api, user, ids, { kind: 'tag', add: [first, second], remove: [] });
      expect((await list(api, user, { search: 'alpha beta' })).items.map(({ tagIds }) => tagIds)).toEqual([
        [first, second],
        [first, second],
      ]);
      await bulk(api, user, ids.slice(0, 1), { kind: 'tag', add: [], remove: [first] });
      expect([
        (await list(api, user, { tag: first })).total,
        (await list(api, user, { search: 'alpha' })).total,
      ]).toEqual([1, 1]);
    });

    test('at most ten thousand and at least one are accepted', async () => {
      const { api, user } = await start();
      const ask = async (ids: string[]) =>
        (
          await api.as(user, {
            method: 'POST',
            url: '/api/recordings/bulk',
            payload: { ids, action: { kind: 'trash' } },
          })
        ).statusCode;
      const many = Array.from({ length: limits.bulkRecordings }, () => newId());
      expect([await ask(many), await ask([...many, newId()]), await ask([])]).toEqual([200, 422, 422]);
    });
  });
});
