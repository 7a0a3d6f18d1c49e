import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import { minute } from '#base/duration.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { addressOf, onPostgres } from '#tests/support/on-postgres.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { fillUp, smallFileSystem } from '#tests/support/small-file-system.ts';
import type { Database } from '#server/storage/database/database.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { createJobQueue } from './database-job-queue.ts';
import { JobRunner, type JobRunnerOptions } from './job-runner.ts';
import { hasPostgres, testPostgresUrl as url } from '#tests/support/test-postgres.ts';

/** Mounts a file system of a few megabytes for the test; skips the test if that is impossible. */
function mounted(megabytes: number, skip: TestContext['skip']): string {
  const small = smallFileSystem(megabytes);
  if (typeof small === 'string') skip(small);
  onTestFinished(small.unmount);
  return small.directory;
}

/** Runs one job that does `work` and returns its outcome. */
async function jobUnderTest(
  database: Database,
  work: () => Promise<void>,
  options: Partial<JobRunnerOptions> = {},
) {
  const clock = fakeClock();
  const queue = createJobQueue({ clock });
  const outcomes: string[] = [];
  const runner = new JobRunner({
    database,
    queue,
    clock,
    handlers: [{ kind: 'write', run: work }],
    onEnded: ({ outcome }) => {
      outcomes.push(outcome);
    },
    pollMs: 10,
    ...options,
  });
  onTestFinished(() => runner.stop({ graceMs: 0 }));
  await queue.enqueue(database.queries, { kind: 'write', payload: null });
  const row = () =>
    database.queries
      .selectFrom('jobs')
      .select(['state', 'attempts', 'deaths', 'run_at'])
      .executeTakeFirstOrThrow();
  return { clock, runner, outcomes, row };
}

/**
 * Runs a job whose first attempt finds a full disk, until `makeSpace` frees space. Expects that it is postponed
 * and then done.
 */
async function expectPostponed(
  database: Database,
  { write, makeSpace }: { write: () => Promise<void>; makeSpace: () => Promise<void> },
): Promise<unknown> {
  let met: Error | null = null;
  const { clock, runner, outcomes, row } = await jobUnderTest(database, async () => {
    if (met !== null) return;
    met = await write().then(
      () => new Error('the disk did not get full'),
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    await makeSpace();
    throw met;
  });
  await runner.runDue();
  expect([outcomes, await row()]).toEqual([
    ['postponed'],
    { state: 'queued', attempts: 0, deaths: 0, run_at: clock.nowMs() + minute },
  ]);
  clock.advance(minute);
  await runner.runDue();
  expect([outcomes, await row()]).toMatchObject([['postponed', 'done'], { state: 'done', attempts: 1 }]);
  return met;
}

describe('postpones a job that finds the disk full, without counting a failure', () => {
  test('when writing a file (ENOSPC)', async ({ skip }) => {
    const directory = mounted(1, skip);
    const path = join(directory, 'scratch');
    const met = await expectPostponed(await freshDatabase(), {
      write: async () => {
        writeFileSync(path, Buffer.alloc(2_000_000));
      },
      makeSpace: async () => {
        unlinkSync(path);
      },
    });
    expect(met).toMatchObject({ code: 'ENOSPC' });
  });

  test('when writing to SQLite (SQLITE_FULL)', async ({ skip }) => {
    const directory = mounted(24, skip);
    const database = await openSqliteDatabase({ path: join(directory, 'earshot.db') });
    onTestFinished(() => database.close());
    await sql`create table filler (bytes blob)`.execute(database.queries);
    const spare = join(directory, 'spare');
    writeFileSync(spare, Buffer.alloc(8_000_000));
    const met = await expectPostponed(database, {
      write: async () => {
        for (let count = 0; count < 100; count += 1)
          await sql`insert into filler values (zeroblob(1000000))`.execute(database.queries);
      },
      makeSpace: async () => {
        unlinkSync(spare);
      },
    });
    expect(met).toMatchObject({ errcode: 13 });
  });

  test.skipIf(!hasPostgres)('in PostgreSQL (disk_full)', async ({ skip }) => {
    const directory = mounted(40, skip);
    const name = `full_${randomBytes(8).toString('hex')}`;
    await onPostgres(url, async (client) => {
      const {
        rows: [setting],
      } = await client.query<{ data_directory: string }>('show data_directory');
      execFileSync('chown', [String(statSync(setting?.data_directory ?? '').uid), directory]);
      await client.query(`create tablespace ${name} location '${directory}'`);
      await client.query(`create database ${name}`);
    });
    onTestFinished(async () => {
      await onPostgres(url, async (client) => {
        await client.query(`drop database ${name} with (force)`);
        await client.query(`drop tablespace ${name}`);
      });
    });
    const database = await openPostgresDatabase({ url: addressOf(url, name) });
    onTestFinished(() => database.close());
    await sql`create table filler (text text) tablespace ${sql.raw(name)}`.execute(database.queries);
    const met = await expectPostponed(database, {
      write: async () => {
        for (let count = 0; count < 100; count += 1)
          await sql`insert into filler select string_agg(md5(random()::text), '') from generate_series(1, 60000)`.execute(
            database.queries,
          );
      },
      makeSpace: async () => {
        await sql`truncate filler`.execute(database.queries);
      },
    });
    expect(met).toMatchObject({ code: '53100' });
  });
});

test('holds a finished job until there is space to record its end, and runs it once', async ({ skip }) => {
  const directory = mounted(16, skip);
  const database = await openSqliteDatabase({ path: join(directory, 'earshot.db') });
  onTestFinished(() => database.close());
  let [runs, rejections] = [0, 0];
  const filler = join(directory, 'filler');
  const { runner, outcomes, row } = await jobUnderTest(
    database,
    async () => {
      runs += 1;
      // Otherwise the database's write-ahead log has space for one more change.
      await sql`pragma wal_checkpoint(truncate)`.execute(database.queries);
      fillUp(directory);
    },
    {
      onError: () => {
        rejections += 1;
        if (rejections === 3 && existsSync(filler)) unlinkSync(filler);
      },
    },
  );
  expect(await runner.runDue()).toBe(1);
  expect([outcomes, runs, await row()]).toMatchObject([
    ['done'],
    1,
    { state: 'done', attempts: 1, deaths: 0 },
  ]);
  expect(rejections).toBe(3);
});
