import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { findPostgres, startPostgres } from '#scripts/postgres-for-tests.ts';
import { systemClock } from '#base/clock.ts';
import { compose } from '#server/compose.ts';
import { readConfig } from '#server/config.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { createServerApp } from '#server/create-server-app.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { fill, sizes, wordAt } from './library-world.ts';

const runs = 40;

/** The measured queries with their names in the table. `run` varies the query where caching would matter. */
const questions = (tagId: string): [string, (run: number) => string][] => [
  ['first page, newest', () => 'sort=newest'],
  ...['oldest', 'longest', 'shortest', 'title', 'largest', 'recently-changed'].map(
    (sort): [string, () => string] => [`first page, ${sort}`, () => `sort=${sort}`],
  ),
  ['days of one year', (run) => `from=${2010 + (run % 10)}-01-01&to=${2010 + (run % 10)}-12-31`],
  ['longer than an hour', () => 'minMs=3600000'],
  ['state failed', () => 'state=failed'],
  ['imports', () => 'source=import'],
  ['language', () => 'language=fi'],
  ['tag', () => `tag=${tagId}`],
  ['tag, language, source, longest first', () => `tag=${tagId}&language=fi&source=microphone&sort=longest`],
  ['trash', () => 'trashed=true'],
  ['search: a word in 60 %', () => 'search=recording'],
  ['search: its first letter', () => 'search=r'],
  ['search: in 60 %, by title', () => 'search=recording&sort=title'],
  ['search: in 60 %, imports', () => 'search=recording&source=import'],
  ['search: a frequent word', (run) => `search=${wordAt(2 + run)}%20`],
  ['search: a mid word', (run) => `search=${wordAt(200 + run)}`],
  ['search: a rare word', (run) => `search=${wordAt(4000 + run)}`],
  ['search: two words', (run) => `search=${wordAt(20 + run)}+${wordAt(300 + run)}`],
  ['search: three letters', (run) => `search=${wordAt(40 + run).slice(0, 3)}`],
  [
    'search: Chinese, two characters',
    (run) => `search=${encodeURIComponent('天地玄黄宇宙洪荒日月'.slice(run % 9, (run % 9) + 2))}`,
  ],
  ['search: nothing found', () => 'search=nowhere'],
];

function appOver(database: Database, blobs: BlobStore, ownerId: string): FastifyInstance {
  const config = readConfig({});
  const clock = systemClock;
  const features = compose({
    config,
    database,
    blobs,
    clock,
    queue: createJobQueue({ clock }),
    secretKey: new Uint8Array(32),
    setUpCode: null,
    mailer: null,
    transcriber: null,
    version: '0.0.0',
    build: async () => '',
    openBackupTarget: () => Promise.reject(new Error('no backups')),
    isDraining: () => false,
    webDirectory: null,
    reports: {
      failure: () => () => undefined,
      damage: () => undefined,
      reserveCrossed: () => undefined,
      backupsRejected: () => undefined,
    },
    overrides: {
      identifySession: async () => ({
        kind: 'session',
        userId: ownerId,
        role: 'member',
        sessionId: 's',
        tokenHash: '',
        authTimeMs: 0,
      }),
    },
  });
  return createServerApp(features, { config, requestBudget: null });
}

async function timesOf(
  app: FastifyInstance,
  urlOf: (run: number) => string,
): Promise<{ times: number[]; total: string }> {
  const times: number[] = [];
  let total = '';
  for (let run = 0; run < runs; run += 1) {
    const startedMs = performance.now();
    const answer = await app.inject({
      url: urlOf(run),
      headers: { cookie: 'sid=x', 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot' },
    });
    times.push(performance.now() - startedMs);
    if (answer.statusCode !== 200) throw new Error(`${urlOf(run)}: ${answer.statusCode} ${answer.body}`);
    total = String(answer.json<{ total?: number | null }>().total ?? '');
  }
  return { times, total };
}

async function measure(database: Database, directory: string): Promise<Row[]> {
  const { ownerId, tagId } = await fill(database);
  const blobs = await openDiskBlobStore({ directory });
  const app = appOver(database, blobs, ownerId);
  const asked: [string, (run: number) => string][] = [
    ...questions(tagId).map(([name, query]): [string, (run: number) => string] => [
      name,
      (run) => `/api/recordings?${query(run)}`,
    ]),
    ['filter menu', () => '/api/recordings/facets'],
    ['ids of all', () => '/api/recordings/ids'],
  ];
  const rows: Row[] = [];
  for (const [name, urlOf] of asked) {
    const { times, total } = await timesOf(app, urlOf);
    rows.push({
      asked: name,
      found: total,
      'p50 ms': round(percentile(times, 0.5)),
      'p95 ms': round(percentile(times, 0.95)),
      'longest ms': round(Math.max(...times)),
    });
  }
  await app.close();
  await blobs.close();
  return rows;
}

const note = `One user with ${sizes.recordings} recordings and ${sizes.recordings * sizes.markersEach} markers, in one process; from the request to the complete response, including the total, ${runs} times each. SQLite works in the server's own thread: its time also delays other requests. Goal: p95 at most 50 ms.`;

async function onSqlite(): Promise<Section> {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const database = await openSqliteDatabase({ path: join(directory, 'earshot.db') });
  const rows = await measure(database, join(directory, 'blobs'));
  await database.close();
  rmSync(directory, { recursive: true, force: true });
  return { title: 'The library on SQLite', note, rows };
}

async function onPostgres(bin: string): Promise<Section> {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const server = await startPostgres(bin);
  const database = await openPostgresDatabase({ url: server.url });
  const rows = await measure(database, join(directory, 'blobs'));
  await database.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
  return { title: 'The library on PostgreSQL', note, rows };
}

/** Measures the list, its filters and its search for a user with very many recordings. */
export async function libraryBench(): Promise<Section[]> {
  const bin = findPostgres();
  return [await onSqlite(), ...(bin === null ? [] : [await onPostgres(bin)])];
}
