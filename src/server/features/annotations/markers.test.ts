import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { Marker } from '#contract/markers-api.ts';
import { apiUnderTest, startTake, problemOf, recordTake } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const take = await recordTake(api, user);
    return { api, user, take, url: `/api/recordings/${take.recordingId}/markers` };
  };

  test('markers are listed in time order, counted, changed and removed', async () => {
    const { api, user, take, url } = await start();
    const [late, early] = [newId(), newId()];
    await api.as(user, { method: 'POST', url, payload: { id: late, atMs: 1500, label: 'Later' } });
    await api.as(user, { method: 'POST', url, payload: { id: early, atMs: 10 } });
    await api.as(user, {
      method: 'PATCH',
      url: `${url}/${late}`,
      payload: { label: 'Much later', colour: 'violet' },
    });
    const { items } = (await api.as(user, { url })).json<{ items: Marker[] }>();
    expect(items.map(({ id, label, colour }) => ({ id, label, colour }))).toEqual([
      { id: early, label: '', colour: 'blue' },
      { id: late, label: 'Much later', colour: 'violet' },
    ]);
    expect((await api.as(user, { url: `/api/recordings/${take.recordingId}` })).json()).toMatchObject({
      markerCount: 2,
    });
    expect((await api.as(user, { method: 'DELETE', url: `${url}/${late}` })).statusCode).toBe(204);
    expect((await api.as(user, { method: 'DELETE', url: `${url}/${late}` })).statusCode).toBe(204);
    expect((await api.as(user, { method: 'PATCH', url: `${url}/${late}`, payload: {} })).statusCode).toBe(
      404,
    );
    expect(api.events.some(({ type }) => type === 'markers-changed')).toBe(true);
  });

  test('creating the same id again returns the existing marker', async () => {
    const { api, user, url } = await start();
    const id = newId();
    const first = await api.as(user, { method: 'POST', url, payload: { id, atMs: 5, label: 'One' } });
    const again = await api.as(user, { method: 'POST', url, payload: { id, atMs: 900, label: 'Two' } });
    expect([first.statusCode, again.statusCode, again.json()]).toEqual([201, 200, first.json()]);
  });

  test('a marker must be within its recording, with a second of tolerance; a growing one may be marked ahead', async () => {
    const { api, user, url } = await start();
    const growing = await startTake(api, user);
    const at = async (target: string, atMs: number) =>
      (await api.as(user, { method: 'POST', url: target, payload: { id: newId(), atMs } })).statusCode;
    expect([await at(url, 2994), await at(url, 2995)]).toEqual([201, 422]);
    const ahead = `/api/recordings/${growing.recordingId}/markers`;
    expect([await at(ahead, 3_600_000), await at(ahead, limits.maxTakeMs * 2)]).toEqual([201, 422]);
  });

  test('a capability may only add markers to its own recording, while it runs', async () => {
    const { api, user, take, url } = await start();
    const other = await startTake(api, user);
    const post = (target: string, id = newId()) =>
      api.app.inject({
        method: 'POST',
        url: target,
        headers: other.bearer,
        payload: { id, atMs: 1, label: 'said' },
      });
    const own = `/api/recordings/${other.recordingId}/markers`;
    const id = newId();
    expect((await post(own, id)).statusCode).toBe(201);
    await api.as(user, { method: 'PATCH', url: `${own}/${id}`, payload: { label: 'Secret', atMs: 2 } });
    const again = await post(own, id);
    expect([again.statusCode, again.json()]).toEqual([
      200,
      expect.objectContaining({ id, label: 'said', atMs: 1 }),
    ]);
    const foreign = await post(url);
    expect([foreign.statusCode, problemOf(foreign).code]).toEqual([403, 'forbidden']);
    expect((await api.app.inject({ url: own, headers: other.bearer })).statusCode).toBe(401);
    const late = await api.app.inject({
      method: 'POST',
      url,
      headers: take.bearer,
      payload: { id: newId(), atMs: 1 },
    });
    expect([late.statusCode, problemOf(late).code]).toEqual([409, 'already-finished']);
  });

  test("another user's markers do not exist", async () => {
    const { api, url } = await start();
    const other = await api.signIn();
    const answers = await Promise.all([
      api.as(other, { url }),
      api.as(other, { method: 'POST', url, payload: { id: newId(), atMs: 1 } }),
      api.as(other, { method: 'DELETE', url: `${url}/${newId()}` }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  });

  test('an id that is used in another recording is rejected', async () => {
    const { api, user, url } = await start();
    const other = await startTake(api, user);
    const id = newId();
    await api.as(user, { method: 'POST', url, payload: { id, atMs: 1 } });
    const answer = await api.as(user, {
      method: 'POST',
      url: `/api/recordings/${other.recordingId}/markers`,
      payload: { id, atMs: 1 },
    });
    expect([answer.statusCode, problemOf(answer).errors]).toEqual([422, [{ pointer: '/id', code: 'taken' }]]);
  });
});
