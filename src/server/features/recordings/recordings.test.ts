import { describe, expect, test } from 'vitest';
import { readPyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import { day, hour } from '#base/duration.ts';
import { wholePages } from '#audio/ogg/ogg-prefix.ts';
import type { Recording, RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import {
  append,
  apiUnderTest,
  startTake,
  finish,
  newTake,
  oggOfSilence,
  openUpload,
  complete,
  peaksOf,
  problemOf,
  recordTake,
  sha256Of,
  type ApiUnderTest,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeRecording } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    return { api, user: await api.signIn() };
  };
  const get = async (api: ApiUnderTest, user: TestUser, id: string) =>
    (await api.as(user, { url: `/api/recordings/${id}` })).json<RecordingDetails>();
  const list = async (api: ApiUnderTest, user: TestUser, query: Record<string, string> = {}) =>
    (await api.as(user, { url: '/api/recordings', query })).json<RecordingPage>();

  describe('from first byte to ready', () => {
    test('a take without any sound is deleted when it is finished', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      for (const uploadId of [take.audioId, take.peaksId])
        await complete(api, take, { uploadId, bytes: Buffer.alloc(0) });
      expect((await finish(api, take, { durationMs: 0 })).json()).toEqual({
        id: take.recordingId,
        durationMs: 0,
      });
      await api.runJobs();
      const answer = await api.as(user, { method: 'GET', url: `/api/recordings/${take.recordingId}` });
      expect(answer.statusCode).toBe(410);
    });

    test('a take with bytes is kept when neither its device nor the server can measure it', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      const uploadId = newId();
      const bytes = Buffer.from('a few bytes that a recorder wrote before its browser was killed');
      await openUpload(api, take, { uploadId, stream: 'audio', container: 'webm', segmentIndex: 1 });
      await append(api, take, { uploadId, offset: 0, bytes });
      await complete(api, take, { uploadId, bytes });
      await complete(api, take, { uploadId: take.audioId, bytes: Buffer.alloc(0) });
      await finish(api, take, { durationMs: null, segmentCount: 2 });
      await api.runJobs();
      const answer = await api.as(user, { method: 'GET', url: `/api/recordings/${take.recordingId}` });
      expect(answer.statusCode).toBe(200);
    });

    test('a finished take becomes ready with its duration, hash, peaks and thumbnail', async () => {
      const { api, user } = await start();
      const take = await recordTake(api, user);
      const recording = await get(api, user, take.recordingId);
      expect(recording).toMatchObject({
        state: 'ready',
        durationMs: 1994,
        sizeBytes: take.audio.length,
        sha256: sha256Of(take.audio),
        peaksPoints: 200,
      });
      expect(Buffer.from(recording.overview ?? '', 'base64')).toHaveLength(96);
      expect(recording.segments).toEqual([
        expect.objectContaining({ id: take.audioId, index: 0, startMs: 0, sha256: sha256Of(take.audio) }),
      ]);
    });

    test('a recording shows its progress while it is being received', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      const audio = oggOfSilence();
      await append(api, take, {
        uploadId: take.audioId,
        offset: 0,
        bytes: audio.subarray(0, audio.lastIndexOf('OggS') + 5),
      });
      await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: peaksOf(1) });
      const recording = await get(api, user, take.recordingId);
      expect(recording).toMatchObject({ state: 'receiving', peaksPoints: 100, sha256: null, overview: null });
      expect(recording.durationMs).toBeGreaterThan(1500);
    });

    test('finishing is idempotent, by session and by capability, and notifies the owner', async () => {
      const { api, user } = await start();
      const take = await recordTake(api, user);
      const again = await finish(api, take);
      const bySession = await api.as(user, {
        method: 'POST',
        url: `/api/recordings/${take.recordingId}/finish`,
        payload: { durationMs: 9, segmentCount: 1, gaps: [], pauses: [] },
      });
      for (const answer of [again, bySession])
        expect(answer.json()).toEqual({ id: take.recordingId, durationMs: 1994 });
      expect(api.events).toContainEqual({
        type: 'recording-changed',
        recordingId: take.recordingId,
        userId: user.id,
      });
    });

    test('two segments form one timeline, with silence in the peaks between them', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      const audio = oggOfSilence(1);
      const second = { audioId: newId(), peaksId: newId() };
      await openUpload(api, take, {
        uploadId: second.audioId,
        stream: 'audio',
        segmentIndex: 1,
        startMs: 3000,
      });
      await openUpload(api, take, {
        uploadId: second.peaksId,
        stream: 'peaks',
        segmentIndex: 1,
        startMs: 3000,
      });
      for (const [uploadId, bytes] of [
        [take.audioId, audio],
        [take.peaksId, peaksOf(1)],
        [second.audioId, audio],
        [second.peaksId, peaksOf(1)],
      ] as const) {
        await append(api, take, { uploadId, offset: 0, bytes });
        await complete(api, take, { uploadId, bytes });
      }
      await finish(api, take, { segmentCount: 2 });
      await api.runJobs();
      expect(await get(api, user, take.recordingId)).toMatchObject({
        state: 'ready',
        durationMs: 3994,
        peaksPoints: 400,
        sizeBytes: audio.length * 2,
        sha256: null,
      });
      const joined = await api.as(user, { url: `/api/recordings/${take.recordingId}/audio` });
      expect(wholePages(joined.rawPayload)).toMatchObject({
        validBytes: joined.rawPayload.length,
        lastGranulePosition: 312 + 3994 * 48 - 24,
        endsStream: true,
      });
    });

    test('a take that stops sending is abandoned after a day, and receives again when its device returns', async () => {
      const { api, user } = await start();
      // Files have the time of the machine, so the server's clock starts there.
      api.clock.advance(Date.now() - api.clock.nowMs());
      const take = await startTake(api, user);
      api.clock.advance(25 * hour);
      await api.database.queries
        .insertInto('jobs')
        .values({
          id: newId(),
          kind: 'abandon-silent-recordings',
          dedupe_key: null,
          payload: 'null',
          state: 'queued',
          priority: 0,
          attempts: 0,
          run_at: 0,
          lease_until: null,
          owner: null,
          fence: 0,
          error: null,
          created_at: 0,
          updated_at: 0,
        })
        .execute();
      await api.runJobs();
      expect((await get(api, user, take.recordingId)).state).toBe('abandoned');
      expect(
        (await append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.from('late') }))
          .statusCode,
      ).toBe(204);
      expect((await get(api, user, take.recordingId)).state).toBe('receiving');
    });
  });

  describe('registering', () => {
    test('the same id again returns the existing recording and a new capability', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      const again = await api.as(user, {
        method: 'PUT',
        url: `/api/recordings/${take.recordingId.toUpperCase()}/`,
        payload: { ...newTake, title: 'Another title' },
      });
      expect(again.statusCode).toBe(200);
      const { recording, upload } = again.json<{ recording: Recording; upload: { token: string } }>();
      expect([recording.title, upload.token === take.token]).toEqual([newTake.title, false]);
    });

    test("another user's id answers as if it did not exist", async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      const other = await api.signIn();
      const answers = await Promise.all([
        api.as(other, { method: 'PUT', url: `/api/recordings/${take.recordingId}`, payload: newTake }),
        api.as(other, { url: `/api/recordings/${take.recordingId}` }),
        api.as(other, { url: `/api/recordings/${take.recordingId}/audio` }),
        api.as(other, { url: `/api/recordings/${take.recordingId}/peaks` }),
        api.as(other, { method: 'DELETE', url: `/api/recordings/${take.recordingId}` }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
    });

    test('two concurrent registrations of one id both succeed', async () => {
      const { api, user } = await start();
      const url = `/api/recordings/${newId()}`;
      const answers = await Promise.all(
        [1, 2, 3].map(() => api.as(user, { method: 'PUT', url, payload: newTake })),
      );
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    });

    test('a recording may have no title, and gets none if the device generated it', async () => {
      const { api, user } = await start();
      const titleOf = async (title: string): Promise<[string, string]> => {
        const url = `/api/recordings/${newId()}`;
        await api.as(user, {
          method: 'PUT',
          url,
          payload: { ...newTake, title, startedAt: '2020-11-25T00:18:00.000Z', timeZone: 'Europe/Berlin' },
        });
        const registered = (await api.as(user, { url })).json<RecordingDetails>().title;
        await api.as(user, { method: 'PATCH', url, payload: { title } });
        return [registered, (await api.as(user, { url })).json<RecordingDetails>().title];
      };
      expect(await titleOf('')).toEqual(['', '']);
      expect(await titleOf('Recording, Nov 25, 2020, 1:18 AM')).toEqual(['', '']);
      expect(await titleOf('Recording, Nov 25')).toEqual(['Recording, Nov 25', 'Recording, Nov 25']);
    });

    test.for([
      ['a title that is too long', { title: 'a'.repeat(201) }, '/title', 'too-long'],
      ['a title with a control character', { title: 'a\u0007b' }, '/title', 'control-characters'],
      ['a device label with U+0000', { deviceLabel: 'a\0b' }, '/deviceLabel', 'control-characters'],
      ['an unknown field', { owner: 'me' }, '/owner', 'unknown-field'],
      ['a missing field', { timeZone: undefined }, '/timeZone', 'required'],
      ['another codec', { format: { ...newTake.format, codec: 'mp3' } }, '/format/codec', 'not-allowed'],
      ['an instant that is none', { startedAt: 'yesterday' }, '/startedAt', 'datetime'],
    ] as const)('%s is rejected with its field', async ([, change, pointer, code]) => {
      const { api, user } = await start();
      const answer = await api.as(user, {
        method: 'PUT',
        url: `/api/recordings/${newId()}`,
        payload: { ...newTake, ...change },
      });
      expect([answer.statusCode, problemOf(answer).errors?.[0]]).toEqual([
        422,
        expect.objectContaining({ pointer, code }),
      ]);
    });
  });

  describe('listing', () => {
    test('pages come newest first, do not overlap, and end', async () => {
      const { api, user } = await start();
      for (let index = 0; index < 7; index += 1)
        await storeRecording(api.database.queries, {
          owner_id: user.id,
          started_at: Math.floor(index / 2) * 1000,
        });
      const seen: Recording[] = [];
      let cursor: string | null = null;
      do {
        const page: RecordingPage = await list(api, user, {
          limit: '3',
          ...(cursor === null ? {} : { cursor }),
        });
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(7);
      expect(seen.map(({ startedAt }) => startedAt)).toEqual(
        seen
          .map(({ startedAt }) => startedAt)
          .toSorted()
          .toReversed(),
      );
    });

    test('search ignores case, diacritics and punctuation', async () => {
      const { api, user } = await start();
      for (const [title, title_folded] of [
        ['Gespräch über Wolle', 'gesprach uber wolle'],
        ['100 % sicher', '100 % sicher'],
        ['100 Zeugen', '100 zeugen'],
      ] as const) {
        await storeRecording(api.database.queries, { owner_id: user.id, title, title_folded });
      }
      const titles = async (search: string) =>
        (await list(api, user, { search })).items.map(({ title }) => title);
      expect(await titles('GESPRACH UBER')).toEqual(['Gespräch über Wolle']);
      expect((await titles('100 %')).toSorted()).toEqual(['100 % sicher', '100 Zeugen']);
      expect(await titles('1_0')).toEqual([]);
      expect(await titles('\\')).toEqual([]);
    });

    test.for(['nonsense', '!!', Buffer.from('1.2').toString('base64url'), 'x'.repeat(400), '\0'])(
      'an invalid cursor is rejected: %j',
      async (cursor) => {
        const { api, user } = await start();
        const answer = await api.as(user, { url: '/api/recordings', query: { cursor } });
        expect([answer.statusCode, problemOf(answer).code]).toEqual([422, 'validation']);
      },
    );

    test.for([
      { limit: '0' },
      { limit: '201' },
      { limit: 'many' },
      { page: '2' },
      { search: 'a'.repeat(201) },
    ])('an invalid query is rejected: %j', async (query) => {
      const { api, user } = await start();
      expect((await api.as(user, { url: '/api/recordings', query })).statusCode).toBe(422);
    });
  });

  describe('changing, trash', () => {
    test('renaming changes the title and what search finds', async () => {
      const { api, user } = await start();
      const { id } = await storeRecording(api.database.queries, { owner_id: user.id });
      const renamed = await api.as(user, {
        method: 'PATCH',
        url: `/api/recordings/${id}`,
        payload: { title: '  Über  ', language: 'de' },
      });
      expect(renamed.json()).toMatchObject({ title: 'Über', language: 'de' });
      expect((await list(api, user, { search: 'uber' })).items).toHaveLength(1);
    });

    test("recordings are trashed and restored, and purged only from the trash; a purged id can't be used again", async () => {
      const { api, user } = await start();
      const take = await recordTake(api, user);
      const url = `/api/recordings/${take.recordingId}`;
      const early = await api.as(user, { method: 'POST', url: `${url}/purge` });
      expect([early.statusCode, problemOf(early).code]).toEqual([409, 'not-in-trash']);
      await api.as(user, { method: 'DELETE', url });
      expect([
        (await list(api, user)).items.length,
        (await list(api, user, { trashed: 'true' })).items.length,
      ]).toEqual([0, 1]);
      await api.as(user, { method: 'POST', url: `${url}/restore` });
      expect((await list(api, user)).items).toHaveLength(1);
      await api.as(user, { method: 'DELETE', url });
      expect((await api.as(user, { method: 'POST', url: `${url}/purge` })).statusCode).toBe(204);
      await api.runJobs();
      expect(await api.blobs.head(`recordings/${take.recordingId}/audio-0000`)).toBeNull();
      expect((await api.as(user, { url })).statusCode).toBe(410);
      expect(
        (await append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.from('x') })).statusCode,
      ).toBe(401);
      const again = await api.as(user, { method: 'PUT', url, payload: newTake });
      expect([again.statusCode, problemOf(again).code]).toEqual([410, 'purged']);
    });

    test('recordings are purged automatically after thirty days in the trash', async () => {
      const { api, user } = await start();
      const nowMs = api.clock.nowMs();
      await storeRecording(api.database.queries, { owner_id: user.id, deleted_at: nowMs - 31 * day });
      const retained = await storeRecording(api.database.queries, {
        owner_id: user.id,
        deleted_at: nowMs - 29 * day,
      });
      await api.database.queries
        .insertInto('jobs')
        .values({
          id: newId(),
          kind: 'purge-old-trash',
          dedupe_key: null,
          payload: 'null',
          state: 'queued',
          priority: 0,
          attempts: 0,
          run_at: 0,
          lease_until: null,
          owner: null,
          fence: 0,
          error: null,
          created_at: 0,
          updated_at: 0,
        })
        .execute();
      await api.runJobs();
      expect((await list(api, user, { trashed: 'true' })).items.map(({ id }) => id)).toEqual([retained.id]);
    });
  });

  describe('peaks', () => {
    test('a ready recording serves its pyramid, a growing one a pyramid of the current peaks', async () => {
      const { api, user } = await start();
      const ready = await recordTake(api, user);
      const growing = await startTake(api, user);
      await append(api, growing, { uploadId: growing.peaksId, offset: 0, bytes: peaksOf(1) });
      const points = async (id: string, query: Record<string, string> = {}) =>
        readPyramidHeader((await api.as(user, { url: `/api/recordings/${id}/peaks`, query })).rawPayload)
          ?.points;
      expect([
        await points(ready.recordingId),
        await points(growing.recordingId),
        await points(growing.recordingId, { points: '60' }),
        await points(ready.recordingId, { points: '7' }),
      ]).toEqual([200, 100, 60, 7]);
    });

    test('ranges of a growing pyramid are consistent while `points` stays the same', async () => {
      const { api, user } = await start();
      const take = await startTake(api, user);
      await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: peaksOf(1) });
      const url = `/api/recordings/${take.recordingId}/peaks`;
      const head = await api.as(user, { url, query: { points: '100' }, headers: { range: 'bytes=0-255' } });
      await append(api, take, { uploadId: take.peaksId, offset: 200, bytes: peaksOf(1) });
      const rest = await api.as(user, { url, query: { points: '100' }, headers: { range: 'bytes=256-' } });
      expect([head.statusCode, rest.statusCode, head.headers['etag']]).toEqual([
        206,
        206,
        rest.headers['etag'],
      ]);
      expect(rest.rawPayload).toEqual(peaksOf(1));
    });
  });
});
