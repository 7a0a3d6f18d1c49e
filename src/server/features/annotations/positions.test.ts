import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { apiUnderTest, problemOf, recordTake } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { withoutLimits } from '#tests/support/without-limits.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const take = await recordTake(api, user);
    const url = `/api/recordings/${take.recordingId}/position`;
    const at = (agoMs: number) => new Date(api.clock.nowMs() - agoMs).toISOString();
    const put = (payload: Record<string, unknown>) => api.as(user, { method: 'PUT', url, payload });
    return { api, user, take, url, at, put };
  };

  test('the position at which a user stopped is returned, and null before any playback', async () => {
    const { api, user, url, at, put } = await start();
    expect((await api.as(user, { url })).json()).toEqual({ position: null });
    const position = { positionMs: 1200, heardAt: at(60_000), playerId: newId() };
    const written = await put(position);
    expect([written.statusCode, written.json()]).toEqual([200, { position }]);
    expect((await api.as(user, { url })).json()).toEqual({ position });
  });

  test('the position with the latest playback wins, in whatever order two devices send theirs', async () => {
    const { api, user, url, at, put } = await start();
    const [phone, laptop] = [newId(), newId()];
    const later = { positionMs: 900, heardAt: at(1000), playerId: phone };
    await put(later);
    expect((await put({ positionMs: 100, heardAt: at(5000), playerId: laptop })).json()).toEqual({
      position: later,
    });
    expect((await api.as(user, { url })).json()).toEqual({ position: later });
    expect((await put({ positionMs: 0, heardAt: at(10), playerId: laptop })).json()).toMatchObject({
      position: { positionMs: 0, playerId: laptop },
    });
  });

  test('a time from a fast clock counts as now, so that it cannot win for ever', async () => {
    const { at, put, api } = await start();
    await put({ positionMs: 700, heardAt: at(-3_600_000), playerId: newId() });
    api.clock.advance(1000);
    expect((await put({ positionMs: 300, heardAt: at(0), playerId: newId() })).json()).toMatchObject({
      position: { positionMs: 300 },
    });
  });

  test.each([
    ['heard_at', '253402300799999'],
    ['heard_at', '4611686018427387904'],
    ['position_ms', '4611686018427387904'],
    ['position_ms', '-1'],
  ])('a stored position whose %s is %s is replaced by a new one', async (column, value) => {
    const { api, put, at } = await start();
    await put({ positionMs: 700, heardAt: at(0), playerId: newId() });
    await withoutLimits(api.database);
    await sql`update playback_positions set ${sql.ref(column)} = ${sql.raw(value)}`.execute(
      api.database.queries,
    );
    expect((await put({ positionMs: 300, heardAt: at(60_000), playerId: newId() })).json()).toMatchObject({
      position: { positionMs: 300 },
    });
  });

  test('an unreadable position is ignored, and one from the future counts as now', async () => {
    const { api, user, url, put, at } = await start();
    await put({ positionMs: 700, heardAt: at(0), playerId: newId() });
    await sql`update playback_positions set heard_at = 253402300799999`.execute(api.database.queries);
    expect((await api.as(user, { url })).json()).toMatchObject({
      position: { positionMs: 700, heardAt: at(0) },
    });
    await withoutLimits(api.database);
    await sql`update playback_positions set position_ms = -1`.execute(api.database.queries);
    expect((await api.as(user, { url })).json()).toEqual({ position: null });
  });

  test('every open page is notified with the id of the player that wrote the position', async () => {
    const { api, take, at, put } = await start();
    const playerId = newId();
    await put({ positionMs: 700, heardAt: at(0), playerId });
    expect(api.events).toContainEqual(
      expect.objectContaining({ type: 'position-changed', recordingId: take.recordingId, playerId }),
    );
  });

  test("another user's recording has no position, and none can be written", async () => {
    const { api, url, at } = await start();
    const other = await api.signIn();
    const payload = { positionMs: 1, heardAt: at(0), playerId: newId() };
    const answers = await Promise.all([
      api.as(other, { url }),
      api.as(other, { method: 'PUT', url, payload }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
  });

  test('a position beyond the end is rejected with its field', async () => {
    const { at, put } = await start();
    const answer = await put({ positionMs: 60_000, heardAt: at(0), playerId: newId() });
    expect([answer.statusCode, problemOf(answer).errors]).toMatchObject([
      422,
      [{ pointer: '/positionMs', code: 'too-large' }],
    ]);
    expect((await put({ positionMs: -1, heardAt: 'yesterday', playerId: 'me' })).statusCode).toBe(422);
  });
});
