import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { withTestPostgres } from '#scripts/postgres-for-tests.ts';
import { systemClock } from '#base/clock.ts';
import { minute } from '#base/duration.ts';
import { JobLanes } from '#server/jobs/job-lanes.ts';
import { JobLeases } from '#server/jobs/job-leases.ts';
import { databaseTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { percentile, round, type Row, type Section } from './figures.ts';

const dueJobs = Number(process.env['BENCH_JOBS'] ?? 100_000);
const claims = 40;
const kinds = ['finish-recording', 'finish-import', 'send-mail'] as const;

/** Fills the table with due jobs of several users. */
async function fill(
  { queries }: Database,
  { count, users }: { count: number; users: number },
): Promise<void> {
  const nowMs = Date.now();
  await queries.deleteFrom('jobs').execute();
  await queries.deleteFrom('job_lane_turns').execute();
  for (let from = 0; from < count; from += 1000) {
    await queries
      .insertInto('jobs')
      .values(
        Array.from({ length: Math.min(1000, count - from) }, (_, index) => from + index).map((index) => ({
          id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
          kind: kinds[index % 2] ?? kinds[0],
          dedupe_key: `recording-${index}`,
          payload: '{"recordingId":"x"}',
          state: 'queued' as const,
          priority: 0,
          attempts: 0,
          run_at: nowMs - minute - ((index * 7919) % 1000),
          lease_until: null,
          owner: null,
          fence: 0,
          error: null,
          created_at: nowMs,
          updated_at: nowMs,
          user_id: `user-${index % users}`,
        })),
      )
      .execute();
  }
}

async function measure(name: string, database: Database, users: number): Promise<Row> {
  await fill(database, { count: dueJobs, users });
  if (database.dialect === 'postgres') await sql`analyze jobs`.execute(database.queries);
  const leases = new JobLeases({
    database,
    time: databaseTime(database, systemClock),
    owner: 'bench',
    leaseMs: minute,
    random: Math.random,
  });
  const lanes = new JobLanes([
    { kind: 'finish-recording', lane: 'normal' },
    { kind: 'finish-import', lane: 'long' },
    { kind: 'send-mail' },
  ]).claimable([]);
  const takenMs: number[] = [];
  for (let count = 0; count < claims; count += 1) {
    const startedMs = performance.now();
    const job = await leases.claim(lanes);
    takenMs.push(performance.now() - startedMs);
    if (job === null) throw new Error('nothing was claimed');
    await leases.complete(job);
  }
  return {
    database: name,
    'due jobs': dueJobs,
    users,
    'claim p50 ms': round(percentile(takenMs, 0.5)),
    'claim p99 ms': round(percentile(takenMs, 0.99)),
  };
}

/** Measures claiming the next job among very many due ones. */
export async function jobsBench(): Promise<Section> {
  const rows: Row[] = [];
  const directory = await mkdtemp(join(tmpdir(), 'earshot-jobs-'));
  const sqlite = await openSqliteDatabase({ path: join(directory, 'earshot.db') });
  for (const users of [1, 100, 10_000]) rows.push(await measure('SQLite', sqlite, users));
  await sqlite.close();
  await rm(directory, { recursive: true });
  await withTestPostgres(async ({ TEST_POSTGRES_URL: url = '' }) => {
    if (url === '') return;
    const postgres = await openPostgresDatabase({ url });
    for (const users of [1, 100, 10_000]) rows.push(await measure('PostgreSQL', postgres, users));
    await postgres.close();
  });
  return {
    title: 'Claiming the next of very many due jobs',
    note: 'One claim at a time, as a runner does it.',
    rows,
  };
}
