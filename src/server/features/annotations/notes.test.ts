import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { Note } from '#contract/notes-api.ts';
import { apiUnderTest, startTake, problemOf, recordTake } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const take = await recordTake(api, user);
    const url = `/api/recordings/${take.recordingId}/notes`;
    const post = (payload: object) => api.as(user, { method: 'POST', url, payload });
    const patch = (id: string, payload: object) =>
      api.as(user, { method: 'PATCH', url: `${url}/${id}`, payload });
    const list = async () => (await api.as(user, { url })).json<{ items: Note[] }>().items;
    return { api, user, take, url, post, patch, list };
  };

  test('notes are listed in time order, changed, and deleted twice without an error', async () => {
    const { api, user, url, post, patch, list } = await start();
    const [late, early] = [newId(), newId()];
    await post({ id: late, fromMs: 900, toMs: 1500, text: 'Later\n\n- one\n- **two**' });
    await post({ id: early, fromMs: 10, text: 'ملاحظة' });
    expect(
      (await list()).map(({ id, fromMs, toMs, text, revision }) => ({ id, fromMs, toMs, text, revision })),
    ).toEqual([
      { id: early, fromMs: 10, toMs: null, text: 'ملاحظة', revision: 1 },
      { id: late, fromMs: 900, toMs: 1500, text: 'Later\n\n- one\n- **two**', revision: 1 },
    ]);
    expect((await patch(late, { revision: 1, fromMs: 5, toMs: null })).json()).toMatchObject({
      fromMs: 5,
      toMs: null,
      text: 'Later\n\n- one\n- **two**',
      revision: 2,
    });
    expect((await list()).map(({ id }) => id)).toEqual([late, early]);
    const remove = async () => (await api.as(user, { method: 'DELETE', url: `${url}/${late}` })).statusCode;
    expect([await remove(), await remove()]).toEqual([204, 204]);
    expect(problemOf(await patch(late, { revision: 2, text: 'gone' })).code).toBe('not-found');
    expect(api.events.some(({ type }) => type === 'notes-changed')).toBe(true);
  });

  test('many long notes are all listed, in order, also those at the same moment', async () => {
    const { api, user, url, list } = await start();
    const notes = Array.from({ length: 60 }, (_value, index) => ({
      id: newId(),
      fromMs: Math.floor(index / 25),
      text: `${index} ${'<&">'.repeat(index % 3 === 0 ? 2500 : 1)}`,
    }));
    for (let start = 0; start < notes.length; start += 15)
      await api.as(user, {
        method: 'POST',
        url: url.replace('/notes', '/labels'),
        payload: { notes: notes.slice(start, start + 15) },
      });
    const inOrder = notes.toSorted((a, b) => a.fromMs - b.fromMs || (a.id < b.id ? -1 : 1));
    expect((await list()).map(({ id, text }) => [id, text.length])).toEqual(
      inOrder.map(({ id, text }) => [id, text.length]),
    );
  });

  test('a recording is found by the current words of its notes', async () => {
    const { api, user, url, post, patch } = await start();
    const found = async (search: string) =>
      (await api.as(user, { url: `/api/recordings?search=${search}` })).json<{ items: unknown[] }>().items
        .length;
    const id = newId();
    await post({ id, fromMs: 1, text: 'The **lighthouse** keeper' });
    expect([await found('lightho'), await found('harbour')]).toEqual([1, 0]);
    await patch(id, { revision: 1, text: 'The harbour' });
    expect([await found('lightho'), await found('harbour')]).toEqual([0, 1]);
    await api.as(user, { method: 'DELETE', url: `${url}/${id}` });
    expect(await found('harbour')).toBe(0);
  });

  test('creating the same id again returns the existing note', async () => {
    const { post } = await start();
    const id = newId();
    const first = await post({ id, fromMs: 5, text: 'One' });
    const again = await post({ id, fromMs: 900, text: 'Two' });
    expect([first.statusCode, again.statusCode, again.json()]).toEqual([201, 200, first.json()]);
  });

  test('an upload capability may only add notes to its own recording, while it runs', async () => {
    const { api, user, take, url } = await start();
    const running = await startTake(api, user);
    const post = (target: string, id = newId()) =>
      api.app.inject({
        method: 'POST',
        url: target,
        headers: running.bearer,
        payload: { id, fromMs: 1, text: 'said' },
      });
    const own = `/api/recordings/${running.recordingId}/notes`;
    const id = newId();
    expect((await post(own, id)).statusCode).toBe(201);
    await api.as(user, {
      method: 'PATCH',
      url: `${own}/${id}`,
      payload: { revision: 1, text: 'Secret', fromMs: 2 },
    });
    const again = await post(own, id);
    expect([again.statusCode, again.json()]).toEqual([
      200,
      expect.objectContaining({ id, text: 'said', fromMs: 1 }),
    ]);
    expect(
      (await api.as(user, { url: own })).json<{ items: Note[] }>().items.map(({ text }) => text),
    ).toEqual(['Secret']);
    const foreign = await post(url);
    expect([foreign.statusCode, problemOf(foreign).code]).toEqual([403, 'forbidden']);
    const calls = [
      { url: own },
      { method: 'PATCH', url: `${own}/${id}`, payload: { revision: 2, text: 'x' } },
      { method: 'DELETE', url: `${own}/${id}` },
    ] as const;
    for (const call of calls)
      expect((await api.app.inject({ ...call, headers: running.bearer })).statusCode).toBe(401);
    const late = await api.app.inject({
      method: 'POST',
      url,
      headers: take.bearer,
      payload: { id: newId(), fromMs: 1, text: 'late' },
    });
    expect([late.statusCode, problemOf(late).code]).toEqual([409, 'already-finished']);
  });

  test('the second of two changes of the same revision is rejected and changes nothing', async () => {
    const { post, patch, list } = await start();
    const id = newId();
    await post({ id, fromMs: 5, text: 'Base' });
    const answers = await Promise.all([
      patch(id, { revision: 1, text: 'Mine' }),
      patch(id, { revision: 1, text: 'Yours' }),
    ]);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
    const rejected = answers.find(({ statusCode }) => statusCode === 409);
    const retained = answers.find(({ statusCode }) => statusCode === 200);
    expect(rejected && problemOf(rejected).code).toBe('note-changed');
    expect(await list()).toEqual([retained?.json()]);
  });

  test.each([
    ['an empty text', { text: ' \n ' }, '/text', 'too-short'],
    ['a text that is too long', { text: 'é'.repeat(limits.noteLength + 1) }, '/text', 'too-long'],
    ['control characters', { text: 'a\u0007b' }, '/text', 'control-characters'],
    ['an end before its beginning', { fromMs: 100, toMs: 100 }, '/toMs', 'too-small'],
    ['a place behind the end', { fromMs: 60_000 }, '/fromMs', 'too-large'],
    ['an end behind the end', { toMs: 60_000 }, '/toMs', 'too-large'],
  ])('%s is rejected', async (_what, fields, ...rejection) => {
    const { post } = await start();
    const answer = await post({ id: newId(), fromMs: 1, text: 'Text', ...fields });
    expect([
      answer.statusCode,
      problemOf(answer).errors?.map((error) => [error.pointer, error.code]),
    ]).toEqual([422, [rejection]]);
  });

  test('tabs and line breaks of every kind are stored as text', async () => {
    const { post } = await start();
    expect((await post({ id: newId(), fromMs: 1, text: 'a\tb\r\nc\rd\ne' })).json()).toMatchObject({
      text: 'a\tb\nc\nd\ne',
    });
  });

  test("another user's notes do not exist, and an id used elsewhere is rejected", async () => {
    const { api, url, user, post } = await start();
    const id = newId();
    await post({ id, fromMs: 1, text: 'Mine' });
    const other = await api.signIn();
    const requests = [
      { url },
      { method: 'POST', url, payload: { id: newId(), fromMs: 1, text: 'x' } },
      { method: 'PATCH', url: `${url}/${id}`, payload: { revision: 1, text: 'x' } },
      { method: 'DELETE', url: `${url}/${id}` },
    ] as const;
    for (const request of requests) expect((await api.as(other, request)).statusCode).toBe(404);
    const elsewhere = await startTake(api, user);
    const answer = await api.as(user, {
      method: 'POST',
      url: `/api/recordings/${elsewhere.recordingId}/notes`,
      payload: { id, fromMs: 1, text: 'x' },
    });
    expect([answer.statusCode, problemOf(answer).errors]).toEqual([422, [{ pointer: '/id', code: 'taken' }]]);
    expect((await api.as(user, { url })).json<{ items: Note[] }>().items).toHaveLength(1);
  });
});
