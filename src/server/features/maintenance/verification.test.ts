import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { day } from '#base/duration.ts';
import type { RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import { runJob } from '#tests/support/run-job.ts';
import { apiUnderTest, recordTake, type ApiUnderTest } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { createVerification, type Verified } from './create-verification.ts';
import { createVerificationStore } from './verification-store.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const take = await recordTake(api, user);
    const seen: Verified[] = [];
    const changed: string[] = [];
    const verification = createVerification({
      database: api.database,
      blobs: api.blobs,
      clock: api.clock,
      bytesPerSecond: 1e12,
      announce: {
        recordingChanged: (_ownerId, id) => {
          changed.push(id);
        },
      },
      onVerified: (verified) => {
        seen.push(verified);
      },
    });
    const nightly = async (signal = new AbortController().signal) => {
      for (const job of verification.jobs) await runJob(job, { signal, enqueuedAtMs: api.clock.nowMs() });
    };
    const details = async () =>
      (await api.as(user, { url: `/api/recordings/${take.recordingId}` })).json<RecordingDetails>();
    return {
      api,
      user,
      take,
      seen,
      changed,
      verification,
      nightly,
      details,
      key: `recordings/${take.recordingId}/audio-0000`,
    };
  };
  const flip = async (api: ApiUnderTest, key: string, at: number): Promise<Buffer> => {
    const intact = Buffer.from(await api.blobs.read(key, { startByte: 0, endByteExclusive: 1e6 }));
    const hurt = Buffer.from(intact);
    hurt[at] = (hurt[at] ?? 0) ^ 1;
    await api.blobs.put(key, hurt);
    return intact;
  };

  test('M3: streams are verified in the order of an index: never verified ones first, then the oldest', async () => {
    const { api, take } = await start();
    const { queries, dialect } = api.database;
    const [audio, peaks] = (
      await queries
        .selectFrom('uploads')
        .select('id')
        .where('recording_id', '=', take.recordingId)
        .orderBy('stream')
        .execute()
    ).map(({ id }) => id);
    const verifiedAt = (id: string | undefined, atMs: number | null) =>
      queries.updateTable('uploads').set({ verified_at: atMs }).where('id', '=', String(id)).execute();
    const store = createVerificationStore(api.database);
    const found = async (limit: number) => (await store.oldestVerified(100, limit)).map(({ id }) => id);
    await verifiedAt(audio, 50);
    await verifiedAt(peaks, null);
    expect([await found(1), await found(9)]).toEqual([[peaks], [peaks, audio]]);
    await verifiedAt(peaks, 40);
    expect(await found(9)).toEqual([peaks, audio]);
    await verifiedAt(peaks, 100);
    expect(await found(9)).toEqual([audio]);
    if (dialect !== 'sqlite') return;
    for (const range of ['uploads.verified_at is null', 'uploads.verified_at < 100']) {
      const { rows } = await sql<{
        detail: string;
      }>`explain query plan select uploads.id, recordings.owner_id from uploads inner join recordings on recordings.id = uploads.recording_id where sealed_at is not null and uploads.sha256 is not null and ${sql.raw(range)} order by uploads.verified_at, uploads.id limit 1000`.execute(
        queries,
      );
      const plan = rows.map(({ detail }) => detail).join('; ');
      expect(plan).toContain('uploads_verified');
      expect(plan).not.toContain('TEMP B-TREE');
    }
  });

  test('intact streams are recorded as verified, once a night', async () => {
    const { seen, nightly, details } = await start();
    await nightly();
    await nightly();
    expect(seen.map(({ verdict }) => verdict)).toEqual(['intact', 'intact']);
    expect(await details()).toMatchObject({
      damagedAt: null,
      segments: [{ damagedAt: null, verifiedAt: expect.any(String) }],
    });
  });

  test('one changed bit is found, shown on segment, recording and list, and counted', async () => {
    const { api, user, take, seen, changed, verification, nightly, details, key } = await start();
    await flip(api, key, 100);
    await nightly();
    expect(seen.map(({ verdict }) => verdict).toSorted()).toEqual(['changed', 'intact']);
    expect(await details()).toMatchObject({
      damagedAt: expect.any(String),
      segments: [{ damagedAt: expect.any(String) }],
    });
    expect(
      (await api.as(user, { url: '/api/recordings' })).json<RecordingPage>().items[0]?.damagedAt,
    ).not.toBeNull();
    expect([await verification.damagedCount(), changed]).toEqual([1, [take.recordingId]]);
  });

  test('a missing file is damage, and the rest of the recording is still served', async () => {
    const { api, user, take, nightly, details, key } = await start();
    await api.blobs.remove(key);
    await nightly();
    expect(await details()).toMatchObject({ damagedAt: expect.any(String) });
    expect((await api.as(user, { url: `/api/recordings/${take.recordingId}/audio` })).statusCode).toBe(200);
  });

  test('a file restored from a backup clears the damage', async () => {
    const { api, verification, nightly, details, key } = await start();
    const intact = await flip(api, key, 5);
    await nightly();
    await api.blobs.put(key, intact);
    api.clock.advance(day);
    await nightly();
    expect(await details()).toMatchObject({ damagedAt: null, segments: [{ damagedAt: null }] });
    expect(await verification.damagedCount()).toBe(0);
  });

  test('an interrupted pass leaves the rest for the next, and a clock set back does not restart it', async () => {
    const { api, seen, nightly } = await start();
    await expect(nightly(AbortSignal.abort())).rejects.toThrow(/aborted/);
    expect(seen).toEqual([]);
    api.clock.advance(-3 * day);
    await nightly();
    expect(seen).toHaveLength(2);
  });

  test('an immediate verification covers everything, also recently verified streams', async () => {
    const { take, seen, verification, nightly } = await start();
    await nightly();
    for await (const { verdict } of verification.verifyNow({
      recordingId: take.recordingId,
      signal: new AbortController().signal,
    }))
      expect(verdict).toBe('intact');
    expect(seen).toHaveLength(4);
  });
});
