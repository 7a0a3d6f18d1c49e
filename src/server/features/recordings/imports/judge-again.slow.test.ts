import { describe, expect, test } from 'vitest';
import { hour } from '#base/duration.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import {
  apiOnSqlite,
  type ApiUnderTest,
  apiUnderTest,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { importFile } from '#tests/support/import-file.ts';
import { ffmpegFile } from '#tests/support/media/ffmpeg-files.ts';
import { disagreements, readersOf } from '#tests/support/media/four-readers.ts';
import { chained, lateStarts, type RecorderFile, withoutIndex } from '#tests/support/media/recorder-files.ts';
import { wavFile } from '#tests/support/media/wav-files.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { listener, share, tokenOf } from '#tests/support/sharing.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { judgementVersion, judgementVersionOfReadable } from './classify-file.ts';

const named = (files: readonly RecorderFile[], name: string): Buffer =>
  files.find((file) => file.name === name)?.bytes() ?? Buffer.alloc(0);

/**
 * Puts an import into the state of an older server, which judged by names alone: played as it is, with the
 * duration of its first part and empty peaks.
 */
async function asBefore(api: ApiUnderTest, recordingId: string): Promise<void> {
  const { queries } = api.database;
  await queries
    .updateTable('imported_files')
    .set({ judged_version: 0, rendition: 'none' })
    .where('recording_id', '=', recordingId)
    .execute();
  await queries
    .updateTable('uploads')
    .set({ remuxed_bytes: null, remuxed_container: null })
    .where('recording_id', '=', recordingId)
    .execute();
  await queries
    .updateTable('recordings')
    .set({ duration_ms: 1234, peaks_points: 0 })
    .where('id', '=', recordingId)
    .execute();
}

async function findUnjudged(api: ApiUnderTest): Promise<void> {
  await createJobQueue(api).enqueue(api.database.queries, { kind: 'find-unjudged-imports', payload: null });
  await api.runJobs();
}

const recordingOf = async (api: ApiUnderTest, user: TestUser, id: string): Promise<RecordingDetails> =>
  (await api.as(user, { url: `/api/recordings/${id}` })).json<RecordingDetails>();

const files: readonly (readonly [string, () => Buffer, number])[] = [
  ['two-opus.opus', () => named(chained, 'two-opus.opus'), 12_000],
  ['vorbis-at-5s.ogg', () => named(lateStarts, 'vorbis-at-5s.ogg'), 6000],
  ['flac-no-total.flac', () => named(withoutIndex, 'flac-no-total.flac'), 6000],
  ['rifx.wav', () => wavFile({ isBigEndian: true }), 3000],
];

describe.skipIf(!hasFfmpeg)('imports judged by an older version', () => {
  eachDatabase((_name, open) => {
    test('get a mix of more than two channels, and the length of what is played', async () => {
      const api = await apiUnderTest(await open());
      const user = await api.signIn();
      const idOf = async (channels: number): Promise<string> => {
        const tone = Array.from({ length: channels }, () => '0.5*sin(2*PI*440*t)').join('|');
        const source = `aevalsrc='${tone}':s=48000:d=1`;
        const bytes = ffmpegFile('a.wav', ['-f', 'lavfi', '-i', source]);
        return (await importFile(api, user, { name: 'a.wav', bytes })).take.recordingId;
      };
      const [mixed, stereo] = [await idOf(3), await idOf(2)];
      for (const id of [mixed, stereo]) {
        await asBefore(api, id);
        await api.database.queries
          .updateTable('imported_files')
          .set({ judged_version: judgementVersionOfReadable - 1 })
          .where('recording_id', '=', id)
          .execute();
      }
      await findUnjudged(api);
      expect(await recordingOf(api, user, mixed)).toMatchObject({ rendition: 'ready', durationMs: 1000 });
      expect(await recordingOf(api, user, stereo)).toMatchObject({ rendition: 'none', durationMs: 1000 });
    });

    test('are judged again one after another with their files untouched, and then match their contents', async () => {
      const api = await apiUnderTest(await open());
      const user = await api.signIn();
      const imported = [];
      for (const [name, bytesOf, lengthMs] of files) {
        const bytes = bytesOf();
        const {
          take: { recordingId },
        } = await importFile(api, user, { name, bytes });
        await asBefore(api, recordingId);
        imported.push({ recordingId, bytes, lengthMs });
      }
      await findUnjudged(api);
      for (const { recordingId, bytes, lengthMs } of imported) {
        const recording = await recordingOf(api, user, recordingId);
        expect(
          disagreements(await readersOf(api, user, { recordingId, recording }), {
            lengthMs,
            soundsFromMs: 1000,
          }),
        ).toEqual([]);
        expect(
          (await api.as(user, { url: `/api/recordings/${recordingId}/original` })).rawPayload.equals(bytes),
        ).toBe(true);
      }
      const versions = await api.database.queries
        .selectFrom('imported_files')
        .select('judged_version')
        .execute();
      expect(versions.map(({ judged_version: version }) => version)).toEqual(
        files.map(() => judgementVersion),
      );
    });
  });

  test('keep their state if already judged, without ffmpeg, and if the new judgement is no better', async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const {
      take: { recordingId },
      recording,
    } = await importFile(api, user, { name: 'a.wav', bytes: wavFile({}) });
    await findUnjudged(api);
    expect(await recordingOf(api, user, recordingId)).toEqual(recording);
    // A recording that could be played stays playable even if it can no longer be read.
    await asBefore(api, recordingId);
    const [key] = (
      await api.database.queries
        .selectFrom('uploads')
        .select('recording_id')
        .where('recording_id', '=', recordingId)
        .execute()
    ).map(({ recording_id: id }) => `recordings/${id}/audio-0000`);
    await api.blobs.truncate(key ?? '', 44);
    await findUnjudged(api);
    expect(await recordingOf(api, user, recordingId)).toMatchObject({ state: 'ready', durationMs: 1234 });
  });

  test('by rules that judged some files wrongly are judged again, whether they could be read or not', async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const { queries } = api.database;
    const importedWav = async () =>
      (await importFile(api, user, { name: 'a.wav', bytes: wavFile({}) })).take.recordingId;
    const [unreadable, readable] = [await importedWav(), await importedWav()];
    await queries.updateTable('imported_files').set({ judged_version: 1 }).execute();
    for (const [id, state] of [
      [unreadable, 'failed'],
      [readable, 'ready'],
    ] as const)
      await queries
        .updateTable('recordings')
        .set({ state, duration_ms: 1234 })
        .where('id', '=', id)
        .execute();
    await findUnjudged(api);
    expect(await recordingOf(api, user, unreadable)).toMatchObject({ state: 'ready', durationMs: 3000 });
    expect(await recordingOf(api, user, readable)).toMatchObject({ state: 'ready', durationMs: 3000 });
  });

  test('keep the sound of their links if the new judgement cannot be stored', async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const {
      take: { recordingId },
    } = await importFile(api, user, { name: 'a.wav', bytes: wavFile({}) });
    const shared = await share({ api, user }, recordingId);
    await api.runJobs();
    const heard = () => listener(api).send('GET', `/s/${tokenOf(shared)}/audio`);
    const before = await heard();
    expect(before.statusCode).toBe(200);
    const { queries } = api.database;
    await queries.updateTable('imported_files').set({ judged_version: 0 }).execute();
    const put = api.blobs.put.bind(api.blobs);
    api.blobs.put = async (key, bytes) => {
      if (key.includes('/peaks-pyramid')) throw new Error('this file cannot be written');
      await put(key, bytes);
    };
    await findUnjudged(api);
    const after = await heard();
    expect([after.statusCode, after.rawPayload.equals(before.rawPayload)]).toEqual([200, true]);
    // After the last attempt the import stays as it was.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      api.clock.advance(hour);
      await api.runJobs();
    }
    const file = await queries.selectFrom('imported_files').select('judged_version').executeTakeFirst();
    expect(file?.judged_version).toBe(judgementVersion);
    expect((await heard()).rawPayload.equals(before.rawPayload)).toBe(true);
  });

  test('wait for an ffmpeg', async () => {
    const api = await apiOnSqlite(undefined, { ffmpeg: false });
    const user = await api.signIn();
    const {
      take: { recordingId },
    } = await importFile(api, user, { name: 'a.wav', bytes: wavFile({}) });
    await findUnjudged(api);
    const row = await api.database.queries
      .selectFrom('imported_files')
      .select('judged_version')
      .where('recording_id', '=', recordingId)
      .executeTakeFirstOrThrow();
    expect(row.judged_version).toBe(0);
  });
});
