import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { day, minute } from '#base/duration.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import { JobRunner } from '#server/jobs/job-runner.ts';
import { runJob } from '#tests/support/run-job.ts';
import { apiUnderTest } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { sessionPrincipal, storeRecording } from '#tests/support/factories.ts';
import { withoutAnyLimit } from '#tests/support/without-limits.ts';
import { createRecordingAccess } from '#server/features/access/recording-access.ts';
import { takeLease } from '#server/features/backups/take/backup-lease.ts';
import { createChangeMany } from '#server/features/library/bulk-service.ts';
import { createLive } from '#server/features/live/create-live.ts';
import { createDiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import { createUsage } from '#server/features/usage/create-usage.ts';
import { createUploads } from '#server/features/uploads/create-uploads.ts';
import { housekeepingJobs } from './housekeeping-jobs.ts';
import { purgeMany } from './recordings-service.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    const { database, blobs, clock } = api;
    const { id: ownerId } = await api.signIn();
    const removed: string[] = [];
    const announce = {
      ...createLive().announce,
      recordingRemoved: (_owner: string, id: string) => {
        removed.push(id);
      },
    };
    const access = createRecordingAccess(database);
    const deps = {
      access,
      database,
      blobs,
      clock,
      queue: createJobQueue({ clock }),
      uploads: createUploads({
        access,
        database,
        blobs,
        clock,
        onAppended: () => undefined,
        onSealed: async () => undefined,
        admission: createUsage(
          {
            database,
            blobs,
            clock,
            reserve: createDiskReserve({ blobs, clock, reserveBytes: 0, onCrossed: () => undefined }),
          },
          null,
        ).admission,
      }),
      announce,
    };
    const store = async (deletedAt: number): Promise<string> =>
      (await storeRecording(database.queries, { owner_id: ownerId, state: 'ready', deleted_at: deletedAt }))
        .id;
    const left = async () =>
      (await database.queries.selectFrom('recordings').select('id').execute()).map(({ id }) => id).toSorted();
    const marked = async () =>
      (await database.queries.selectFrom('purged_recordings').select('id').execute())
        .map(({ id }) => id)
        .toSorted();
    const jobs = async () =>
      (await database.queries.selectFrom('jobs').select('payload').execute()).map(
        ({ payload }) => JSON.parse(payload) as unknown,
      );
    return { deps, ownerId, nowMs: clock.nowMs(), store, left, marked, jobs, removed };
  };

  test('a recording restored or trashed again during a purge of older trash stays, unchanged and unannounced', async () => {
    const { deps, nowMs, store, left, marked, jobs, removed } = await start();
    const old = [await store(nowMs - 31 * day), await store(nowMs - 31 * day), await store(nowMs - 31 * day)];
    let first: string | null = null;
    const queue: JobQueue = {
      ...deps.queue,
      async enqueue(queries, job) {
        await deps.queue.enqueue(queries, job);
        if (first !== null) return;
        first = job.dedupeKey ?? '';
        const [restored = '', again = ''] = old.filter((id) => id !== first);
        await queries
          .updateTable('recordings')
          .set({ deleted_at: null })
          .where('id', '=', restored)
          .execute();
        await queries.updateTable('recordings').set({ deleted_at: nowMs }).where('id', '=', again).execute();
      },
    };
    const job = housekeepingJobs({ ...deps, queue }).find(({ kind }) => kind === 'purge-old-trash');
    await runJob(job);
    expect(await left()).toEqual(old.filter((id) => id !== first).toSorted());
    expect([await marked(), await jobs(), removed]).toEqual([[first], [{ recordingId: first }], [first]]);
  });

  test('the bytes of a purged recording stay until a running backup has ended', async () => {
    const { deps, nowMs, store } = await start();
    const { blobs, clock, database } = deps;
    const id = await store(nowMs);
    const key = `recordings/${id}/audio-0000`;
    await blobs.put(key, Buffer.from('sound'));
    await takeLease(
      { database, clock, signal: new AbortController().signal },
      { id: 'running', target: '/backup', is_scheduled: 0 },
    );
    await purgeMany(deps, [id], null);
    const runner = new JobRunner({ ...deps, handlers: housekeepingJobs(deps) });
    expect(await runner.runDue()).toBe(1);
    expect(await blobs.head(key)).not.toBeNull();
    clock.advance(2 * minute);
    expect(await runner.runDue()).toBe(1);
    expect(await blobs.head(key)).toBeNull();
  });

  test('a recording that cannot be purged holds up no other one, and the job fails', async () => {
    const { deps, nowMs, store, left } = await start();
    const old = [await store(nowMs - 31 * day), await store(nowMs - 31 * day), await store(nowMs - 31 * day)];
    const [, broken = ''] = old;
    const queue: JobQueue = {
      ...deps.queue,
      async enqueue(queries, job) {
        if (job.dedupeKey === broken) throw new Error('too many parameters');
        await deps.queue.enqueue(queries, job);
      },
    };
    const job = housekeepingJobs({ ...deps, queue }).find(({ kind }) => kind === 'purge-old-trash');
    await expect(runJob(job)).rejects.toThrow('1 recordings in the trash could not be purged');
    expect(await left()).toEqual([broken]);
  });

  test.each(['-4611686018427387904', '-62167219200000', '0', '4611686018427387904'])(
    'a recording with the implausible deletion time %s is not purged automatically',
    async (deletedAt) => {
      const { deps, nowMs, store, left } = await start();
      const [broken, old] = [await store(nowMs), await store(nowMs - 31 * day)];
      await withoutAnyLimit(deps.database);
      await sql`update recordings set deleted_at = ${sql.raw(deletedAt)} where id = ${broken}`.execute(
        deps.database.queries,
      );
      const job = housekeepingJobs(deps).find(({ kind }) => kind === 'purge-old-trash');
      await runJob(job);
      expect([await left(), old === broken]).toEqual([[broken], false]);
    },
  );

  test('a recording restored during a bulk purge stays, and is not counted as purged', async () => {
    const { deps, ownerId, nowMs, store, left, marked, jobs } = await start();
    const [restored, gone] = [await store(nowMs), await store(nowMs)];
    const changeMany = createChangeMany({
      ...deps,
      purgeTrashed: async (ids) => {
        await deps.database.queries
          .updateTable('recordings')
          .set({ deleted_at: null })
          .where('id', '=', restored)
          .execute();
        return purgeMany(deps, ids, {});
      },
    });
    expect(
      await changeMany(sessionPrincipal(ownerId), { ids: [restored, gone], action: { kind: 'purge' } }),
    ).toEqual({
      done: 1,
      missing: [restored],
    });
    expect([await left(), await marked(), await jobs()]).toEqual([
      [restored],
      [gone],
      [{ recordingId: gone }],
    ]);
  });
});
