import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runJob } from '#tests/support/run-job.ts';
import { day } from '#base/duration.ts';
import type { Share } from '#contract/shares.ts';
import { sweepSharesJob } from '#server/features/shares/sweep-shares.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { answerOf } from '#tests/support/accounts-under-test.ts';
import {
  type ApiUnderTest,
  apiUnderTest,
  append,
  complete,
  finish,
  oggOfSilence,
  openUpload,
  peaksOf,
  recordTake,
  type Take,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { importFile } from '#tests/support/import-file.ts';
import { hasFfmpeg, sampleFile } from '#tests/support/sample-files.ts';
import { changeShareOf, listener, share, tokenOf } from '#tests/support/sharing.ts';

/** A server whose blobs are in a folder that a test can measure. */
interface Measured {
  api: ApiUnderTest;
  user: TestUser;
  directory: string;
}

async function measured(database: Database): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-stored-'));
  const blobs = await openDiskBlobStore({ directory });
  onTestFinished(async () => {
    await blobs.close();
    await rm(directory, { recursive: true, force: true });
  });
  const api = await apiUnderTest(database, blobs);
  return { api, user: await api.signIn(), directory };
}

/** The bytes of a recording that the quota counts, and those on the disk. */
async function bytesOf(
  { api, user, directory }: Measured,
  recordingId: string,
): Promise<{ counted: number; onDisk: number }> {
  const folder = join(directory, 'recordings', recordingId);
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  );
  const { usedBytes } = (await api.as(user, { url: '/api/storage' })).json<{ usedBytes: number }>();
  return { counted: usedBytes, onDisk: sizes.reduce((sum, sizeBytes) => sum + sizeBytes, 0) };
}

async function expectCounted(server: Measured, recordingId: string): Promise<number> {
  const { counted, onDisk } = await bytesOf(server, recordingId);
  expect(counted).toBe(onDisk);
  return counted;
}

/** Requests the M4A of a link and runs the job that makes it. */
async function playM4a({ api }: Measured, shared: Share): Promise<void> {
  let isAnswered = false;
  const response = listener(api)
    .send('GET', `/s/${tokenOf(shared)}/audio?format=m4a`)
    .finally(() => {
      isAnswered = true;
    });
  while (!isAnswered) {
    await api.runJobs();
    await setImmediate();
  }
  expect((await response).statusCode).toBe(200);
}

/** Continues a finished take by one second and finishes it again. */
async function continueTake({ api, user }: Measured, take: Take): Promise<void> {
  const { upload } = (
    await api.as(user, { method: 'POST', url: `/api/recordings/${take.recordingId}/reopen` })
  ).json<{ upload: { token: string } }>();
  const again = { ...take, token: upload.token, bearer: { authorization: `Bearer ${upload.token}` } };
  for (const [stream, bytes] of [
    ['audio', oggOfSilence(1)],
    ['peaks', peaksOf(1)],
  ] as const) {
    const uploadId = newId();
    await openUpload(api, again, { uploadId, stream, segmentIndex: 1, startMs: 5000 });
    await append(api, again, { uploadId, offset: 0, bytes });
    await complete(api, again, { uploadId, bytes });
  }
  await finish(api, again, { segmentCount: 2, durationMs: 6000 });
  await api.runJobs();
}

async function sweep({ api }: Measured): Promise<void> {
  await runJob(sweepSharesJob(api));
}

/** Judges all imports again, as after an update of the server. */
async function judgeAgain({ api }: Measured): Promise<void> {
  const { queries } = api.database;
  await queries.updateTable('imported_files').set({ judged_version: 0 }).execute();
  await createJobQueue(api).enqueue(queries, { kind: 'find-unjudged-imports', payload: null });
  await api.runJobs();
}

describe.skipIf(!hasFfmpeg)('the bytes that a shared recording counts are those on the disk', () => {
  eachDatabase((_name, open) => {
    test('of a take, while M4A of its links is made, remade and deleted', async () => {
      const server = await measured(await open());
      const { api, user } = server;
      const take = await recordTake(api, user, 5);
      const { recordingId } = take;
      const own = await expectCounted(server, recordingId);
      const lasting = await share({ api, user }, recordingId);
      const other = await share({ api, user }, recordingId, { toMs: 3000 });
      await playM4a(server, lasting);
      await playM4a(server, other);
      expect(await expectCounted(server, recordingId)).toBeGreaterThan(own);
      await continueTake(server, take);
      await expectCounted(server, recordingId);
      await playM4a(server, lasting);
      await expectCounted(server, recordingId);
      const narrowed = answerOf<Share>(await changeShareOf({ api, user }, other, { toMs: 1000 }));
      await playM4a(server, narrowed);
      const withBoth = await expectCounted(server, recordingId);
      await api.as(user, { method: 'DELETE', url: `/api/shares/${other.id}` });
      await sweep(server);
      expect(await expectCounted(server, recordingId)).toBeLessThan(withBoth);
      // The default of 30 days is over.
      api.clock.advance(31 * day);
      await sweep(server);
      await expectCounted(server, recordingId);
    });

    test('of an import, while the sound of its links is made, remade and its file judged again', async () => {
      const server = await measured(await open());
      const { api, user } = server;
      const bytes = sampleFile('a.mp3', ['-c:a', 'libmp3lame']);
      const { take } = await importFile(api, user, { name: 'a.mp3', bytes });
      const { recordingId } = take;
      const own = await expectCounted(server, recordingId);
      const shared = await share({ api, user }, recordingId);
      await api.runJobs();
      const withRendition = await expectCounted(server, recordingId);
      expect(withRendition).toBeGreaterThan(own);
      await playM4a(server, shared);
      const withBoth = await expectCounted(server, recordingId);
      expect(withBoth).toBeGreaterThan(withRendition);
      await judgeAgain(server);
      // The next listener makes the sound of links again.
      await listener(api).send('GET', `/s/${tokenOf(shared)}/recording`);
      await api.runJobs();
      await playM4a(server, shared);
      expect(await expectCounted(server, recordingId)).toBe(withBoth);
    });

    test('of an import whose file is judged again while the sound of its links is made', async () => {
      const server = await measured(await open());
      const { api, user } = server;
      const bytes = sampleFile('a.mp3', ['-c:a', 'libmp3lame']);
      const { take } = await importFile(api, user, { name: 'a.mp3', bytes });
      const { recordingId } = take;
      await share({ api, user }, recordingId);
      const own = (await bytesOf(server, recordingId)).counted;
      const { queries } = api.database;
      const { finished_at: finishedAt } = await queries
        .selectFrom('recordings')
        .select('finished_at')
        .executeTakeFirstOrThrow();
      // The file was judged again after the job had read what to make.
      const move = api.blobs.move.bind(api.blobs);
      api.blobs.move = async (from, to) => {
        await move(from, to);
        await queries
          .updateTable('share_renditions')
          .set({ made_from: (finishedAt ?? 0) + 1 })
          .execute();
      };
      await api.runJobs();
      expect((await bytesOf(server, recordingId)).counted).toBe(own);
    });

    test('and none are left of an import that is purged while the sound of its links is made', async () => {
      const server = await measured(await open());
      const { api, user, directory } = server;
      const bytes = sampleFile('a.mp3', ['-c:a', 'libmp3lame']);
      const {
        take: { recordingId },
      } = await importFile(api, user, { name: 'a.mp3', bytes });
      await share({ api, user }, recordingId);
      await api.as(user, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
      const move = api.blobs.move.bind(api.blobs);
      api.blobs.move = async (from, to) => {
        await api.as(user, { method: 'POST', url: `/api/recordings/${recordingId}/purge` });
        await api.database.queries.deleteFrom('jobs').where('kind', '=', 'remove-recording-bytes').execute();
        await move(from, to);
      };
      await api.runJobs();
      const left = await readdir(join(directory, 'recordings', recordingId));
      expect(left.filter((name) => name.endsWith('-ogg'))).toEqual([]);
    });
  });
});
