import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { apiUnderTest, startTake, problemOf, recordTake } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const { recordingId } = await recordTake(api, user);
    const url = `/api/recordings/${recordingId}`;
    const add = (payload: object) => api.as(user, { method: 'POST', url: `${url}/labels`, payload });
    const remove = (payload: object) =>
      api.as(user, { method: 'POST', url: `${url}/labels/remove`, payload });
    const items = async (kind: 'markers' | 'notes') =>
      (await api.as(user, { url: `${url}/${kind}` })).json<{ items: { id: string }[] }>().items;
    const found = async (search: string) =>
      (await api.as(user, { url: `/api/recordings?search=${search}` })).json<{ total: number }>().total;
    return { api, user, url, add, remove, items, found };
  };

  test('many markers and notes are added in one request, found by their words, and deleted in one request', async () => {
    const { api, add, remove, items, found } = await start();
    const markers = Array.from({ length: limits.labelsTogether }, (_, index) => ({
      id: newId(),
      atMs: index,
      label: `Stelle${index}`,
      colour: 'green',
    }));
    const notes = [
      { id: newId(), fromMs: 10, toMs: 20, text: 'Leuchtturm' },
      { id: newId(), fromMs: 30, text: 'Hafen' },
    ];
    expect((await add({ markers, notes })).json()).toEqual({ added: limits.labelsTogether + 2 });
    expect([(await items('markers')).length, await items('notes')]).toEqual([
      limits.labelsTogether,
      [
        expect.objectContaining({ toMs: 20, text: 'Leuchtturm', revision: 1 }),
        expect.objectContaining({ toMs: null, text: 'Hafen' }),
      ],
    ]);
    expect([await found('Stelle777'), await found('leuchtturm')]).toEqual([1, 1]);
    expect(api.events.filter(({ type }) => type === 'markers-changed').length).toBe(1);
    const ids = { markerIds: markers.map(({ id }) => id), noteIds: notes.map(({ id }) => id) };
    expect([(await remove(ids)).statusCode, (await remove(ids)).statusCode]).toEqual([204, 204]);
    expect([
      await items('markers'),
      await items('notes'),
      await found('Stelle777'),
      await found('leuchtturm'),
    ]).toEqual([[], [], 0, 0]);
  });

  test('the same request again adds and changes nothing', async () => {
    const { add, items } = await start();
    const id = newId();
    await add({
      markers: [
        { id, atMs: 5, label: 'One' },
        { id, atMs: 6, label: 'Twice' },
      ],
    });
    const before = await items('markers');
    expect((await add({ markers: [{ id, atMs: 7, label: 'Two' }] })).json()).toEqual({ added: 0 });
    expect([before.length, await items('markers')]).toEqual([1, before]);
  });

  test('if one label is invalid none is added, and the error names it', async () => {
    const { api, user, add, items } = await start();
    const other = await startTake(api, user);
    const taken = newId();
    await api.as(user, {
      method: 'POST',
      url: `/api/recordings/${other.recordingId}/markers`,
      payload: { id: taken, atMs: 1 },
    });
    const good = () => ({ id: newId(), atMs: 1 });
    const answers = [
      await add({ markers: [good(), { id: newId(), atMs: 3_000_000 }] }),
      await add({ markers: [good()], notes: [{ id: newId(), fromMs: 9, toMs: 9, text: 'a' }] }),
      await add({ markers: [good(), { id: taken, atMs: 1 }] }),
      await add({ markers: Array.from({ length: limits.labelsTogether + 1 }, good) }),
      await add({ markers: [good(), { id: 'x', atMs: 1 }] }),
    ];
    expect(
      answers.map((answer) => [
        answer.statusCode,
        problemOf(answer).errors?.map(({ pointer, code }) => `${pointer} ${code}`),
      ]),
    ).toEqual([
      [422, ['/markers/1/atMs too-large']],
      [422, ['/notes/0/toMs too-small']],
      [422, ['/markers/1/id taken']],
      [422, ['/markers too-long']],
      [422, ['/markers/1/id uuid']],
    ]);
    expect(await items('markers')).toEqual([]);
  });

  test("another user's recording does not exist", async () => {
    const { api, url, items } = await start();
    const other = await api.signIn();
    const answers = [
      await api.as(other, {
        method: 'POST',
        url: `${url}/labels`,
        payload: { markers: [{ id: newId(), atMs: 1 }] },
      }),
      await api.as(other, { method: 'POST', url: `${url}/labels/remove`, payload: {} }),
    ];
    expect([...answers.map(({ statusCode }) => statusCode), await items('markers')]).toEqual([404, 404, []]);
  });
});
