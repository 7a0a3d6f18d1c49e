import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { promisify } from 'node:util';
import { findPostgres, startPostgres, type TestPostgres } from '#scripts/postgres-for-tests.ts';
import { findS3Server, startS3Server, type TestS3 } from '#scripts/s3-for-tests.ts';
import { addressOf, onPostgres } from '#tests/support/on-postgres.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { bucketEnvironment, createBucket } from '#tests/support/s3-bucket.ts';
import { round, type Row, type Section } from './figures.ts';
import { startLoad } from './load-process.ts';
import { cpuMsOf, cpuMsOfTree, residentMiB } from './process-cpu.ts';
import { manyUsers } from './recording-users.ts';
import type { TakesOptions, TakesResult } from './takes.process.ts';

const takeCounts = (process.env.BENCH_SERVER_TAKES ?? '1000,2000').split(',').map(Number);
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const rounds = Number(process.env.BENCH_SERVER_ROUNDS ?? 2);
const everyMs = 500;
const peaksEveryMs = 2500;

/** A way to run Earshot, started for one row. */
interface Subject {
  name: string;
  server: EarshotServer;
  /** CPU time of the database, in milliseconds. */
  databaseCpuMs: () => number;
}

async function embedded(): Promise<Subject> {
  return { name: 'SQLite and disk', server: await EarshotServer.launch(manyUsers), databaseCpuMs: () => 0 };
}

/** A server with a database and a part of the bucket of its own. */
async function scaled(postgres: TestPostgres, s3: TestS3): Promise<Subject> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  await onPostgres(postgres.url, (client) => client.query(`create database ${name}`));
  const server = await EarshotServer.launch({
    ...manyUsers,
    DATABASE_URL: addressOf(postgres.url, name),
    ...bucketEnvironment(s3, name),
    SECRET_KEY: randomBytes(32).toString('hex'),
  });
  return { name: 'PostgreSQL and S3', server, databaseCpuMs: () => cpuMsOfTree(postgres.pid) };
}

/** Runs the takes once to warm up, and once more to measure. */
async function measure({ name, server, databaseCpuMs }: Subject, takes: number): Promise<Row> {
  const pid = server.pid ?? 0;
  const options: TakesOptions = { url: server.url, takes, everyMs, peaksEveryMs };
  const load = await startLoad<TakesResult>('takes.process.ts', options);
  try {
    await load.run(5);
    const before = { server: cpuMsOf(pid), database: databaseCpuMs() };
    const result = await load.run(seconds);
    const [serverMs, databaseMs] = [cpuMsOf(pid) - before.server, databaseCpuMs() - before.database];
    const perAppend = (cpuMs: number): number => round((cpuMs * 1000) / result.appends, 0);
    return {
      server: name,
      takes,
      'wanted/s': takes * (1000 / everyMs + 1000 / peaksEveryMs),
      'done/s': round(result.appends / seconds, 0),
      'not 204': result.rejected,
      'ack p50 ms': result.p50Ms,
      'ack p99 ms': result.p99Ms,
      'ack at most, ms': result.maxMs,
      'CPU µs per append: server': perAppend(serverMs),
      database: perAppend(databaseMs),
      load: perAppend(result.cpuMs),
      'RSS MiB': round(residentMiB(pid), 0),
      'load average': round(loadavg()[0] ?? 0, 1),
    };
  } finally {
    load.end();
  }
}

/** Measures a server that is started for this, and disposed of afterwards. */
async function measureOnce(start: () => Promise<Subject>, takes: number): Promise<Row> {
  const subject = await start();
  try {
    return await measure(subject, takes);
  } finally {
    await subject.server.dispose();
  }
}

/** Writes out what was left in memory, and frees what was deleted: a row would wait for the disk meanwhile. */
async function settle(postgres: TestPostgres | null): Promise<void> {
  if (postgres !== null) await onPostgres(postgres.url, (client) => client.query('checkpoint'));
  await promisify(execFile)('sync');
}

/** Measures appends of both streams of many takes by HTTP, to each way to run Earshot in turn. */
export async function appendServersBench(): Promise<Section> {
  const [postgresBin, s3Bin] = [findPostgres(), findS3Server()];
  const postgres = postgresBin === null ? null : await startPostgres(postgresBin, { isDurable: true });
  const s3 = s3Bin === null ? null : await startS3Server(s3Bin);
  if (postgres === null || s3 === null)
    console.warn(
      'Without PostgreSQL and versitygw (`npm run test:s3` builds it) only SQLite and disk are measured.',
    );
  const subjects = [embedded, ...(postgres === null || s3 === null ? [] : [() => scaled(postgres, s3)])];
  const rows: Row[] = [];
  try {
    if (s3 !== null) await createBucket(s3);
    for (const takes of takeCounts)
      for (const start of Array.from({ length: rounds }, () => subjects).flat()) {
        await settle(postgres);
        rows.push(await measureOnce(start, takes));
      }
  } finally {
    await postgres?.stop();
    await s3?.dispose();
  }
  return {
    title: `Both streams of many takes by HTTP: 3000 bytes of sound every ${everyMs} ms and 250 of peaks every ${peaksEveryMs} ms, ${seconds} s`,
    note: 'Server, database and load share the machine. Goal: p99 ≤ 500 ms for 2,000 takes on two cores.',
    rows,
  };
}
