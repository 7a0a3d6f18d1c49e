import { describe, expect, test } from 'vitest';
import { wholePages } from '#audio/ogg/ogg-prefix.ts';
import { day, second } from '#base/duration.ts';
import type { Gap, Recording, RecordingDetails } from '#contract/recordings.ts';
import {
  append,
  apiUnderTest,
  startTake,
  complete,
  finish,
  oggOfSilence,
  openUpload,
  peaksOf,
  problemOf,
  recordTake,
  type ApiUnderTest,
  type TestUser,
  type Take,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    return { api, user: await api.signIn() };
  };
  const get = async (api: ApiUnderTest, user: TestUser, { recordingId }: Take) =>
    (await api.as(user, { url: `/api/recordings/${recordingId}` })).json<RecordingDetails>();
  const audioOf = async (api: ApiUnderTest, user: TestUser, { recordingId }: Take) =>
    (await api.as(user, { url: `/api/recordings/${recordingId}/audio` })).rawPayload;
  const nameGaps = (api: ApiUnderTest, take: Take, gaps: unknown) =>
    api.app.inject({
      method: 'PUT',
      url: `/api/recordings/${take.recordingId}/gaps`,
      headers: take.bearer,
      payload: { gaps },
    });
  const reopen = (api: ApiUnderTest, user: TestUser, take: Take) =>
    api.as(user, { method: 'POST', url: `/api/recordings/${take.recordingId}/reopen` });
  /** The take with the capability issued when it was reopened. */
  const reopened = async (api: ApiUnderTest, user: TestUser, take: Take): Promise<Take> => {
    const {
      recording,
      upload: { token },
    } = (await reopen(api, user, take)).json<{ recording: Recording; upload: { token: string } }>();
    expect(recording.state).toBe('receiving');
    return { ...take, token, bearer: { authorization: `Bearer ${token}` } };
  };
  const sendSegment = async (
    api: ApiUnderTest,
    take: Take,
    { segmentIndex, startMs, epoch = 1 }: { segmentIndex: number; startMs: number; epoch?: number },
  ) => {
    for (const [stream, bytes] of [
      ['audio', oggOfSilence(1)],
      ['peaks', peaksOf(1)],
    ] as const) {
      const uploadId = newId();
      await openUpload(api, take, { uploadId, stream, segmentIndex, startMs, epoch });
      await append(api, take, { uploadId, offset: 0, bytes, epoch });
      expect((await complete(api, take, { uploadId, bytes, epoch })).statusCode).toBe(200);
    }
  };
  const lost: Gap = { atMs: 1994, durationMs: 1006, cause: 'microphone-lost' };

  describe('gaps', () => {
    test('are reported while a take runs, replaced as a whole, and rejected once it is finished', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      expect((await nameGaps(api, take, [lost, lost])).statusCode).toBe(204);
      expect((await nameGaps(api, take, [lost])).statusCode).toBe(204);
      expect((await get(api, user, take)).gaps).toEqual([lost]);
      const done = await recordTake(api, user);
      const late = await nameGaps(api, done, [lost]);
      expect([late.statusCode, problemOf(late).code]).toEqual([409, 'already-finished']);
    });

    test('of a busy browser are stored with their cause', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      const busy = { ...lost, cause: 'browser-busy' };
      expect((await nameGaps(api, take, [busy])).statusCode).toBe(204);
      expect((await get(api, user, take)).gaps).toEqual([busy]);
    });

    test('that take no time are stored, and leave no sound out', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      const cut = { atMs: 900, durationMs: 0, cutMs: 270, cause: 'browser-busy' };
      for (const [uploadId, bytes] of [
        [take.audioId, oggOfSilence(2)],
        [take.peaksId, peaksOf(2)],
      ] as const) {
        await append(api, take, { uploadId, offset: 0, bytes });
        await complete(api, take, { uploadId, bytes });
      }
      expect((await nameGaps(api, take, [cut])).statusCode).toBe(204);
      expect((await get(api, user, take)).gaps).toEqual([cut]);
      await api.app.inject({
        method: 'POST',
        url: `/api/recordings/${take.recordingId}/finish`,
        headers: take.bearer,
        payload: { durationMs: 1994, segmentCount: 1, gaps: [cut], pauses: [] },
      });
      await api.runJobs();
      const { gaps, storedMs, durationMs } = await get(api, user, take);
      expect([gaps, storedMs]).toEqual([[cut], durationMs]);
      expect(durationMs).toBeGreaterThan(1900);
    });

    test('are rejected with the capability of another take', async () => {
      const { api, user } = await start();
      const [take, other] = [await startTake(api, user), await startTake(api, user)];
      expect((await nameGaps(api, { ...take, bearer: other.bearer }, [])).statusCode).toBe(403);
      expect((await nameGaps(api, take, [{ atMs: 0, durationMs: 1, cause: 'boredom' }])).statusCode).toBe(
        422,
      );
    });

    test('that no device reported have an unknown cause; sound and gaps add up to the duration', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      for (const [uploadId, bytes] of [
        [take.audioId, oggOfSilence(2)],
        [take.peaksId, peaksOf(2)],
      ] as const) {
        await append(api, take, { uploadId, offset: 0, bytes });
        await complete(api, take, { uploadId, bytes });
      }
      await sendSegment(api, take, { segmentIndex: 1, startMs: 3000 });
      await sendSegment(api, take, { segmentIndex: 2, startMs: 5000 });
      await api.app.inject({
        method: 'POST',
        url: `/api/recordings/${take.recordingId}/finish`,
        headers: take.bearer,
        payload: { durationMs: 6000, segmentCount: 3, gaps: [lost], pauses: [] },
      });
      await api.runJobs();
      const details = await get(api, user, take);
      expect(details.gaps).toEqual([lost, { atMs: 3994, durationMs: 1006, cause: 'unknown' }]);
      expect(details).toMatchObject({ durationMs: 5994, storedMs: 1994 + 2 * 994 });
      expect(details.segments.map(({ durationMs, container }) => [durationMs, container])).toEqual([
        [1994, 'ogg'],
        [994, 'ogg'],
        [994, 'ogg'],
      ]);
    });

    test('at the end count up to the reported duration, and are silence in the audio', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      const audio = oggOfSilence(2);
      await append(api, take, { uploadId: take.audioId, offset: 0, bytes: audio });
      await complete(api, take, { uploadId: take.audioId, bytes: audio });
      await api.app.inject({
        method: 'POST',
        url: `/api/recordings/${take.recordingId}/finish`,
        headers: take.bearer,
        payload: {
          durationMs: 4000,
          segmentCount: 1,
          gaps: [{ atMs: 1994, durationMs: 2006, cause: 'microphone-lost' }],
          pauses: [],
        },
      });
      await api.runJobs();
      expect(await get(api, user, take)).toMatchObject({
        state: 'ready',
        durationMs: 4000,
        storedMs: 1994,
      });
      expect(wholePages(await audioOf(api, user, take))).toMatchObject({
        endsStream: true,
        lastGranulePosition: 312 + 4000 * 48 - ((312 + 4000 * 48) % 120),
      });
    });
  });

  describe('a reopened take', () => {
    test('receives again, accepts another segment, and is finished again with all of its sound', async () => {
      const { api, user } = await start();
      const take = await reopened(api, user, await recordTake(api, user));
      expect((await reopen(api, user, take)).statusCode).toBe(200);
      await sendSegment(api, take, { segmentIndex: 1, startMs: 5000, epoch: 2 });
      await finish(api, take, { segmentCount: 2, durationMs: 6000 });
      await api.runJobs();
      expect(await get(api, user, take)).toMatchObject({
        state: 'ready',
        durationMs: 5994,
        peaksPoints: 600,
        sha256: null,
      });
      const joined = await audioOf(api, user, take);
      expect(wholePages(joined)).toMatchObject({ validBytes: joined.length, endsStream: true });
      const peaks = await api.as(user, { url: `/api/recordings/${take.recordingId}/peaks` });
      expect(peaks.statusCode).toBe(200);
    });

    test('can be reopened for eight days, in case its device has no connection, and no longer', async () => {
      const { api, user } = await start();
      const take = await recordTake(api, user);
      api.clock.advance(8 * day - second);
      expect((await reopen(api, user, take)).statusCode).toBe(200);
      const other = await recordTake(api, user);
      api.clock.advance(8 * day + second);
      const late = await reopen(api, user, other);
      expect([late.statusCode, problemOf(late).code]).toEqual([409, 'already-finished']);
    });

    test('is not made ready by an earlier finishing job, only by its next finish', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      for (const [uploadId, bytes] of [
        [take.audioId, oggOfSilence(2)],
        [take.peaksId, peaksOf(2)],
      ] as const) {
        await append(api, take, { uploadId, offset: 0, bytes });
        await complete(api, take, { uploadId, bytes });
      }
      await finish(api, take);
      const again = await reopened(api, user, take);
      await api.runJobs();
      expect((await get(api, user, take)).state).toBe('receiving');
      await sendSegment(api, again, { segmentIndex: 1, startMs: 2000 });
      await finish(api, again, { segmentCount: 2 });
      await api.runJobs();
      expect(await get(api, user, take)).toMatchObject({ state: 'ready', durationMs: 2994 });
    });

    test('reports why there is no sound between its parts', async () => {
      const { api, user } = await start();
      const take = await reopened(api, user, await recordTake(api, user));
      const pause: Gap = { atMs: 1994, durationMs: 3006, cause: 'stopped' };
      await sendSegment(api, take, { segmentIndex: 1, startMs: 5000, epoch: 2 });
      await api.app.inject({
        method: 'POST',
        url: `/api/recordings/${take.recordingId}/finish`,
        headers: take.bearer,
        payload: { durationMs: 5994, segmentCount: 2, gaps: [pause], pauses: [] },
      });
      await api.runJobs();
      expect(await get(api, user, take)).toMatchObject({
        state: 'ready',
        gaps: [pause],
        storedMs: 1994 + 994,
      });
    });

    test('in the trash is finished there, and restored with all of its sound', async () => {
      const { api, user } = await start();
      const take = await recordTake(api, user);
      await api.as(user, { method: 'DELETE', url: `/api/recordings/${take.recordingId}` });
      const again = await reopened(api, user, take);
      await sendSegment(api, again, { segmentIndex: 1, startMs: 5000, epoch: 2 });
      await finish(api, again, { segmentCount: 2, durationMs: 6000 });
      await api.runJobs();
      expect(
        (await api.as(user, { method: 'POST', url: `/api/recordings/${take.recordingId}/restore` }))
          .statusCode,
      ).toBeLessThan(300);
      expect(await get(api, user, take)).toMatchObject({ state: 'ready', durationMs: 5994 });
    });

    test('survives a server crash between reopening and the next finish', async () => {
      const { api, user } = await start();
      const take = await reopened(api, user, await recordTake(api, user));
      const restarted = await api.restart();
      await sendSegment(restarted, take, { segmentIndex: 1, startMs: 3000 });
      await finish(restarted, take, { segmentCount: 2 });
      const again = await restarted.restart();
      await again.runJobs();
      expect(await get(again, user, take)).toMatchObject({ state: 'ready', durationMs: 3994 });
    });
  });

  describe('the history of a recording', () => {
    const historyOf = async (api: ApiUnderTest, user: TestUser, take: Take) =>
      (await get(api, user, take)).history.map(({ at: _at, ...entry }) => entry);

    test('shows who reopened it, what was added, and its duration after finishing again', async () => {
      const { api, user } = await start();
      const take = await recordTake(api, user);
      expect(await historyOf(api, user, take)).toEqual([]);
      const again = await reopened(api, user, take);
      await sendSegment(api, again, { segmentIndex: 1, startMs: 5000 });
      expect((await nameGaps(api, again, [lost])).statusCode).toBe(204);
      await api.app.inject({
        method: 'POST',
        url: `/api/recordings/${take.recordingId}/finish`,
        headers: again.bearer,
        payload: { durationMs: 6000, segmentCount: 2, gaps: [lost], pauses: [] },
      });
      await api.runJobs();
      const nothing = { fromMs: null, durationMs: null, count: null };
      expect(await historyOf(api, user, take)).toEqual([
        { ...nothing, kind: 'reopened', deviceLabel: 'Firefox on Linux' },
        { ...nothing, kind: 'segment-added', deviceLabel: 'Firefox on Linux', fromMs: 5000 },
        {
          ...nothing,
          kind: 'gaps-added',
          deviceLabel: 'Firefox on Linux',
          fromMs: lost.atMs,
          durationMs: lost.durationMs,
          count: 1,
        },
        { ...nothing, kind: 'finished-again', deviceLabel: '', durationMs: 5994 },
      ]);
    });

    test('is bounded, and includes a gap reported only by the finish', async () => {
      const { api, user } = await start();
      const take = await recordTake(api, user);
      const again = await reopened(api, user, take);
      await api.app.inject({
        method: 'POST',
        url: `/api/recordings/${take.recordingId}/finish`,
        headers: again.bearer,
        payload: { durationMs: 2000, segmentCount: 1, gaps: [lost], pauses: [] },
      });
      expect((await historyOf(api, user, take)).map(({ kind }) => kind)).toEqual(['reopened', 'gaps-added']);
      const { queries } = api.database;
      const [entry] = await queries.selectFrom('recording_changes').selectAll().execute();
      if (entry === undefined) throw new Error('no history');
      await queries
        .insertInto('recording_changes')
        .values(Array.from({ length: 998 }, (_, index) => ({ ...entry, position: index + 2 })))
        .execute();
      await reopened(api, user, take);
      expect(await historyOf(api, user, take)).toHaveLength(1000);
    });
  });

  test('a writer that was superseded in any segment cannot start another one', async () => {
    const { api, user } = await start();
    const take = await startTake(api, user);
    await openUpload(api, take, { uploadId: take.audioId, stream: 'audio', epoch: 3 });
    const stale = await openUpload(api, take, {
      uploadId: newId(),
      stream: 'audio',
      segmentIndex: 1,
      startMs: 9000,
      epoch: 2,
    });
    expect([stale.statusCode, problemOf(stale).code, stale.headers['upload-epoch']]).toEqual([
      409,
      'writer-superseded',
      '3',
    ]);
    expect(
      (
        await openUpload(api, take, {
          uploadId: newId(),
          stream: 'audio',
          segmentIndex: 1,
          startMs: 9000,
          epoch: 3,
        })
      ).statusCode,
    ).toBe(201);
  });
});
