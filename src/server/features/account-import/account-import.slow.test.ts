import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { day, minute } from '#base/duration.ts';
import type { AccountExport } from '#contract/exports-api.ts';
import {
  append,
  type ApiUnderTest,
  type Installed,
  startTake,
  complete,
  oggOfSilence,
  openUpload,
  peaksOf,
  type TestUser,
  recordTake,
  sha256Of,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { insist, twoServers } from '#tests/support/two-servers.ts';
import { newId } from '#tests/support/factories.ts';
import { importFile } from '#tests/support/import-file.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { CutOff, putBack } from '#tests/support/put-back.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { storeCorrection, storeTranscript } from '#tests/support/stored-transcript.ts';

const fixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'tests', 'fixtures', name));

/** The ZIP file of the whole account, as its owner downloads it. */
async function exported(api: ApiUnderTest, user: TestUser): Promise<Buffer<ArrayBuffer>> {
  await api.as(user, { method: 'POST', url: '/api/exports/account' });
  await api.runJobs();
  const { export: made } = (await api.as(user, { url: '/api/exports/account' })).json<{
    export: AccountExport;
  }>();
  expect(made).toMatchObject({ state: 'ready', leftOut: 0 });
  return Buffer.from((await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload);
}

/** The files of an export in order, as text where possible. The id in `export.json` identifies the export. */
async function filesOf(zip: Buffer): Promise<[string, string][]> {
  return [...(await readZip(zip))]
    .filter(([path]) => path !== 'export.json')
    .map(([path, bytes]) => [
      path,
      path.endsWith('.json') || path.endsWith('.vtt') ? bytes.toString() : sha256Of(bytes),
    ]);
}

/** A take of two segments with a reported gap between them, a pause, and one segment of MediaRecorder. */
async function recordInSegments(api: ApiUnderTest, user: TestUser): Promise<string> {
  const take = await startTake(api, user);
  const [second, raw] = [newId(), newId()];
  const [audio, peaks, webm] = [oggOfSilence(2), peaksOf(2), fixture('speech-1961.webm')];
  await openUpload(api, take, { uploadId: second, stream: 'audio', segmentIndex: 1, startMs: 5000 });
  await openUpload(api, take, {
    uploadId: raw,
    stream: 'audio',
    segmentIndex: 2,
    startMs: 8000,
    container: 'webm',
  });
  for (const [uploadId, bytes] of [
    [take.audioId, audio],
    [take.peaksId, peaks],
    [second, audio],
    [raw, webm],
  ] as const) {
    await append(api, take, { uploadId, offset: 0, bytes });
    await complete(api, take, { uploadId, bytes });
  }
  const finished = await api.app.inject({
    method: 'POST',
    url: `/api/recordings/${take.recordingId}/finish`,
    headers: take.bearer,
    payload: {
      durationMs: 19_000,
      segmentCount: 3,
      gaps: [{ atMs: 1994, durationMs: 3006, cause: 'microphone-lost' }],
      pauses: [{ atMs: 6000, durationMs: 61_000 }],
      microphoneSilenceMs: 1200,
    },
  });
  expect(finished.statusCode).toBe(200);
  await api.runJobs();
  return take.recordingId;
}

/** An account with every kind of data. */
async function fullAccount(
  api: ApiUnderTest,
  user: TestUser,
): Promise<{ takeId: string; segmentsId: string; importId: string }> {
  const { recordingId: takeId } = await recordTake(api, user);
  api.clock.advance(minute);
  const segmentsId = await recordInSegments(api, user);
  const {
    take: { recordingId: importId },
  } = await importFile(api, user, {
    name: 'Küche & Bad.WAV',
    bytes: makeWav({ seconds: 3 }),
    mediaType: 'audio/x-wav',
    sha256: null,
  });
  const [tagId, viewIds] = [newId(), [newId(2), newId(1)]];
  await insist(api, user, {
    method: 'POST',
    url: '/api/tags',
    payload: { id: tagId, name: 'Família', colour: 'green' },
  });
  await insist(api, user, {
    method: 'POST',
    url: '/api/tags',
    payload: { id: newId(), name: 'Nobody has it', colour: 'violet' },
  });
  for (const id of viewIds) {
    await insist(api, user, {
      method: 'POST',
      url: '/api/views',
      payload: { id, name: `View ${id}`, query: `tag=${tagId}` },
    });
    api.clock.advance(minute);
  }
  await insist(api, user, {
    method: 'PATCH',
    url: `/api/recordings/${takeId}`,
    payload: { title: 'مقابلة: 面试', language: 'de-CH', people: ['Grandmother', '陈'], tagIds: [tagId] },
  });
  for (const recordingId of [takeId, segmentsId, importId]) {
    await insist(api, user, {
      method: 'POST',
      url: `/api/recordings/${recordingId}/markers`,
      payload: { id: newId(), atMs: 700, label: 'Anfang', colour: 'violet' },
    });
    await insist(api, user, {
      method: 'POST',
      url: `/api/recordings/${recordingId}/markers`,
      payload: { id: newId(), atMs: 1900 },
    });
    api.clock.advance(minute);
    const id = newId();
    await insist(api, user, {
      method: 'POST',
      url: `/api/recordings/${recordingId}/notes`,
      payload: { id, fromMs: 900, toMs: 1500, text: 'She said:\n\n**wool** --> <felt>' },
    });
    api.clock.advance(minute);
    await insist(api, user, {
      method: 'PATCH',
      url: `/api/recordings/${recordingId}/notes/${id}`,
      payload: { revision: 1, text: 'She said: felt' },
    });
  }
  await insist(api, user, {
    method: 'PUT',
    url: `/api/recordings/${segmentsId}/position`,
    payload: { positionMs: 12_345, heardAt: '2026-11-21T09:01:02.345Z', playerId: newId() },
  });
  await insist(api, user, {
    method: 'PUT',
    url: `/api/recordings/${importId}/favourite`,
    payload: { isFavourite: true },
  });
  await api.database.queries
    .insertInto('passages')
    .values([
      { id: newId(), recording_id: takeId, from_ms: 500, to_ms: 900, created_at: 1, released_at: null },
      { id: newId(), recording_id: takeId, from_ms: 1500, to_ms: null, created_at: 1, released_at: null },
    ])
    .execute();
  for (const recordingId of [takeId, segmentsId])
    await storeTranscript(api.database.queries, { recordingId, ownerId: user.id });
  await storeCorrection(api.database.queries, { recordingId: importId, ownerId: user.id });
  return { takeId, segmentsId, importId };
}

eachDatabase((_name, open) => {
  const start = (installed: Installed = {}) => twoServers(open, installed);

  describe('an imported account', () => {
    test('is the same in every file, and so is its next export', async () => {
      const { api, user, elsewhere, newcomer } = await start();
      const { segmentsId, importId } = await fullAccount(api, user);
      const zip = await exported(api, user);
      expect(await putBack({ api: elsewhere, user: newcomer }, zip)).toMatchObject({
        matches: ['unused', 'unused', 'unused'],
        rejected: [],
        leftOutWords: [],
        contents: { unreadable: [] },
      });
      expect(await filesOf(await exported(elsewhere, newcomer))).toEqual(await filesOf(zip));
      for (const path of [
        `${segmentsId}/audio`,
        `${segmentsId}/peaks`,
        `${importId}/original`,
        `${importId}/audio`,
      ]) {
        const [before, after] = [
          await api.as(user, { url: `/api/recordings/${path}` }),
          await elsewhere.as(newcomer, { url: `/api/recordings/${path}` }),
        ];
        expect([path, after.statusCode, after.headers['content-type'], sha256Of(after.rawPayload)]).toEqual([
          path,
          200,
          before.headers['content-type'],
          sha256Of(before.rawPayload),
        ]);
      }
      expect(
        (await elsewhere.as(newcomer, { url: '/api/recordings?favourite=true' }))
          .json<{ items: { id: string }[] }>()
          .items.map(({ id }) => id),
      ).toEqual([importId]);
      await elsewhere.startLibrary();
      await elsewhere.runJobs();
      const found = await elsewhere.as(newcomer, {
        url: '/api/recordings?search=familia%20felt%20grandmother%20corrected',
      });
      expect(found.json<{ items: { title: string }[] }>().items.map(({ title }) => title)).toEqual([
        'مقابلة: 面试',
      ]);
    });

    test('has the originals of imported files in which there is nothing to play', async () => {
      const { api, user, elsewhere, newcomer } = await start();
      const bytes = Buffer.from('Dear Sir or Madam, nothing here can be heard.');
      const {
        recording: { id },
      } = await importFile(api, user, { name: 'call.20240517', bytes });
      const zip = await exported(api, user);
      expect((await putBack({ api: elsewhere, user: newcomer }, zip)).matches).toEqual(['unused']);
      expect(await filesOf(await exported(elsewhere, newcomer))).toEqual(await filesOf(zip));
      const original = await elsewhere.as(newcomer, { url: `/api/recordings/${id}/original` });
      expect([original.statusCode, original.rawPayload.equals(bytes)]).toEqual([200, true]);
      expect((await elsewhere.as(newcomer, { url: `/api/recordings/${id}` })).json()).toMatchObject({
        state: 'failed',
        rendition: 'failed',
      });
      expect((await putBack({ api: elsewhere, user: newcomer }, zip)).matches).toEqual(['present']);
    });

    test('resumes after an interruption, and a second import changes nothing', async () => {
      const { api, user, elsewhere, newcomer } = await start();
      await fullAccount(api, user);
      const zip = await exported(api, user);
      await expect(putBack({ api: elsewhere, user: newcomer, cutAfterAppends: 2 }, zip)).rejects.toThrow(
        CutOff,
      );
      elsewhere.clock.advance(day);
      expect((await putBack({ api: elsewhere, user: newcomer }, zip)).matches).toEqual([
        'present',
        'importing',
        'unused',
      ]);
      const once = await filesOf(await exported(elsewhere, newcomer));
      expect(once).toEqual(await filesOf(zip));
      expect((await putBack({ api: elsewhere, user: newcomer }, zip)).matches).toEqual([
        'present',
        'present',
        'present',
      ]);
      expect(await filesOf(await exported(elsewhere, newcomer))).toEqual(once);
    });

    test('does not overwrite what its user has changed since', async () => {
      const { api, user } = await start();
      const { takeId } = await fullAccount(api, user);
      const zip = await exported(api, user);
      await insist(api, user, {
        method: 'PATCH',
        url: `/api/recordings/${takeId}`,
        payload: { title: 'Another title' },
      });
      const before = await filesOf(await exported(api, user));
      expect((await putBack({ api, user }, zip)).matches).toEqual(['present', 'present', 'present']);
      expect(await filesOf(await exported(api, user))).toEqual(before);
    });

    test("uses an existing tag with the same name, and leaves out other users' tags", async () => {
      const { api, user, elsewhere, newcomer } = await start();
      const { takeId } = await fullAccount(api, user);
      const zip = await exported(api, user);
      const tagId = newId();
      await insist(elsewhere, newcomer, {
        method: 'POST',
        url: '/api/tags',
        payload: { id: tagId, name: 'FAMILIA' },
      });
      await putBack({ api: elsewhere, user: newcomer }, zip);
      expect((await elsewhere.as(newcomer, { url: `/api/recordings/${takeId}` })).json()).toMatchObject({
        tagIds: [tagId],
      });
      const third = await elsewhere.signIn();
      const { matches, rejected } = await putBack({ api: elsewhere, user: third }, zip);
      expect(matches).toEqual(['id-taken', 'id-taken', 'id-taken']);
      expect(rejected).toMatchObject([
        { kind: 'tag', name: 'Nobody has it', reason: 'taken' },
        { kind: 'view', reason: 'taken' },
        { kind: 'view', reason: 'taken' },
      ]);
    });
  });
});
