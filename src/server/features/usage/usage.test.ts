import { expect, test } from 'vitest';
import { append, apiUnderTest, startTake, recordTake } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeRecording } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  test('usage is reported by year and by size, with the trash counted, and without other users’ recordings', async () => {
    const api = await apiUnderTest(await open(), undefined, { quotaBytes: 5000 });
    const [user, other] = [await api.signIn(), await api.signIn()];
    const { queries } = api.database;
    const of = { owner_id: user.id, state: 'ready' as const, duration_ms: 1000 };
    const early = await storeRecording(queries, {
      ...of,
      started_at: Date.UTC(1961, 4, 25),
      stored_bytes: 4000,
      title: 'Speech',
    });
    await storeRecording(queries, { ...of, started_at: Date.UTC(1970, 0, 1) - 1, stored_bytes: 10 });
    const late = await storeRecording(queries, {
      ...of,
      started_at: Date.UTC(2026, 11, 31, 23, 59),
      stored_bytes: 2000,
    });
    const deletedAtMs = Date.UTC(2026, 10, 1);
    await storeRecording(queries, {
      ...of,
      started_at: Date.UTC(2026, 0, 1),
      stored_bytes: 500,
      deleted_at: deletedAtMs,
    });
    await storeRecording(queries, {
      ...of,
      owner_id: other.id,
      started_at: Date.UTC(2026, 0, 1),
      stored_bytes: 9999,
    });
    const report = (await api.as(user, { url: '/api/storage' })).json<{ largest: { id: string }[] }>();
    expect(report).toMatchObject({
      usedBytes: 6510,
      quotaBytes: 5000,
      isOverQuota: true,
      count: 4,
      years: [
        { year: 2026, bytes: 2500, count: 2, durationMs: 2000 },
        { year: 1969, bytes: 10, count: 1, durationMs: 1000 },
        { year: 1961, bytes: 4000, count: 1, durationMs: 1000 },
      ],
      trash: { bytes: 500, count: 1, nextPurgeAt: '2026-12-01T00:00:00.000Z' },
    });
    expect(report.largest.slice(0, 2).map(({ id }) => id)).toEqual([early.id, late.id]);
    expect(report.largest).toHaveLength(3);
  });

  test('a user without recordings uses nothing', async () => {
    const api = await apiUnderTest(await open());
    expect((await api.as(await api.signIn(), { url: '/api/storage' })).json()).toEqual({
      usedBytes: 0,
      quotaBytes: null,
      isOverQuota: false,
      count: 0,
      years: [],
      largest: [],
      unfinished: { bytes: 0, count: 0, oldest: [] },
      trash: { bytes: 0, count: 0, nextPurgeAt: null },
    });
  });

  test('unfinished recordings are totalled and listed oldest first, growing or interrupted, without the trash', async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const growing = await startTake(api, user);
    await append(api, growing, { uploadId: growing.audioId, offset: 0, bytes: Buffer.alloc(700) });
    const { id: interrupted } = await storeRecording(api.database.queries, {
      owner_id: user.id,
      state: 'abandoned',
      stored_bytes: 300,
      started_at: Date.UTC(2020, 0, 1),
      title: 'Interrupted',
    });
    const trashed = await startTake(api, user);
    await append(api, trashed, { uploadId: trashed.audioId, offset: 0, bytes: Buffer.alloc(50) });
    await api.as(user, { method: 'DELETE', url: `/api/recordings/${trashed.recordingId}` });
    await recordTake(api, user);
    const report = (await api.as(user, { url: '/api/storage' })).json<{ usedBytes: number }>();
    expect(report).toMatchObject({
      unfinished: {
        bytes: 1000,
        count: 2,
        oldest: [
          { id: interrupted, title: 'Interrupted', isInterrupted: true, bytes: 300 },
          { id: growing.recordingId, isInterrupted: false, bytes: 700 },
        ],
      },
    });
    expect(report.usedBytes).toBeGreaterThan(1050);
  });

  test('at most ten unfinished recordings are listed', async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    for (let number = 0; number < 30; number += 1)
      await storeRecording(api.database.queries, {
        owner_id: user.id,
        state: 'abandoned',
        stored_bytes: 10,
      });
    const { unfinished } = (await api.as(user, { url: '/api/storage' })).json<{
      unfinished: { bytes: number; count: number; oldest: unknown[] };
    }>();
    expect([unfinished.bytes, unfinished.count, unfinished.oldest.length]).toEqual([300, 30, 10]);
  });

  test('a user’s own quota replaces the default quota', async () => {
    const api = await apiUnderTest(await open(), undefined, { quotaBytes: 5000 });
    const user = await api.signIn();
    await api.database.queries.insertInto('quotas').values({ user_id: user.id, quota_bytes: 0 }).execute();
    expect((await api.as(user, { url: '/api/storage' })).json()).toMatchObject({
      quotaBytes: 0,
      isOverQuota: false,
    });
  });
});
