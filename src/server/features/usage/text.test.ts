import { expect, test } from 'vitest';
import { serverLimits } from '#contract/server-limits.ts';
import { apiUnderTest, problemOf } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeRecording } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const start = async (options: { quotaBytes?: number } = {}) => {
    const api = await apiUnderTest(await open(), undefined, options);
    const user = await api.signIn();
    const { id } = await storeRecording(api.database.queries, { owner_id: user.id, stored_bytes: 1000 });
    const url = `/api/recordings/${id}`;
    const note = (text: string) =>
      api.as(user, {
        method: 'POST',
        url: `${url}/notes`,
        payload: { id: newId(), fromMs: 0, toMs: null, text },
      });
    const marker = (label: string) =>
      api.as(user, { method: 'POST', url: `${url}/markers`, payload: { id: newId(), atMs: 0, label } });
    const labels = (text: string) =>
      api.as(user, {
        method: 'POST',
        url: `${url}/labels`,
        payload: { markers: [], notes: [{ id: newId(), fromMs: 0, toMs: null, text }] },
      });
    const usedBytes = async (): Promise<number> =>
      (await api.as(user, { url: '/api/storage' })).json<{ usedBytes: number }>().usedBytes;
    return { api, user, id, url, note, marker, labels, usedBytes };
  };
  const codes = (answers: Parameters<typeof problemOf>[0][]) =>
    answers.map((answer) => (answer.statusCode < 300 ? answer.statusCode : problemOf(answer).code));

  test("notes and marker labels count towards a user's storage, in UTF-8, until they are deleted", async () => {
    const { api, user, url, note, marker, usedBytes } = await start();
    await note('größer');
    const marked = (await marker('日本')).json<{ id: string }>().id;
    expect(await usedBytes()).toBe(1000 + 8 + 6);
    await api.as(user, { method: 'PATCH', url: `${url}/markers/${marked}`, payload: { label: 'x' } });
    expect(await usedBytes()).toBe(1000 + 8 + 1);
    await api.as(user, { method: 'DELETE', url: `${url}/markers/${marked}` });
    expect(await usedBytes()).toBe(1000 + 8);
    await api.as(user, { method: 'DELETE', url });
    await api.as(user, { method: 'POST', url: `${url}/purge` });
    expect(await usedBytes()).toBe(0);
  });

  test('the text of a recording is limited; existing text can be shortened and deleted', async () => {
    const { api, user, id, url, note, marker, labels } = await start();
    const full = newId();
    await api.database.queries
      .insertInto('notes')
      .values({
        id: full,
        recording_id: id,
        from_ms: 0,
        to_ms: null,
        text: 'x'.repeat(serverLimits.textBytesPerRecording),
        revision: 1,
        created_by: user.id,
        created_at: 0,
        updated_at: 0,
      })
      .execute();
    expect(codes([await note('more'), await marker('more'), await labels('more')])).toEqual([
      'too-much-text',
      'too-much-text',
      'too-much-text',
    ]);
    expect((await marker('')).statusCode).toBe(201);
    expect(
      (
        await api.as(user, {
          method: 'PATCH',
          url: `${url}/notes/${full}`,
          payload: { revision: 1, text: 'short' },
        })
      ).statusCode,
    ).toBe(200);
    expect(codes([await note('more'), await marker('more'), await labels('more')])).toEqual([201, 201, 200]);
  });

  test('the text of a user in all recordings is limited', async () => {
    const { api, user, note } = await start();
    await note('first');
    await api.database.queries
      .updateTable('text_usage')
      .set({ text_bytes: serverLimits.textBytesPerUser })
      .where('user_id', '=', user.id)
      .execute();
    expect(codes([await note('second')])).toEqual(['too-much-text']);
  });

  test('beyond the quota notes are rejected, but a take can still be marked', async () => {
    const { note, marker, labels } = await start({ quotaBytes: 1010 });
    expect(
      codes([await note('ten bytes.'), await note('more'), await labels('more'), await marker('more')]),
    ).toEqual([201, 'quota-exceeded', 'quota-exceeded', 201]);
  });
});
