import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { minute, second } from '#base/duration.ts';
import { findPostgres, startPostgres } from '#scripts/postgres-for-tests.ts';
import { findS3Server, startS3Server, type TestS3 } from '#scripts/s3-for-tests.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { S3ObjectStore } from '#server/storage/blobs/objects/s3-object-store.ts';
import { buildTieredBlobStore } from '#server/storage/blobs/tiered/open-tiered-blob-store.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { bucketSettings, createBucket } from '#tests/support/s3-bucket.ts';
import { appendAtIntervals } from './append-at-intervals.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { cpuMsOfTree } from './process-cpu.ts';

const takes = Number(process.env.BENCH_SOAK_TAKES ?? 500);
const minutes = Number(process.env.BENCH_SOAK_MINUTES ?? 120);
const minutesPerRow = Number(process.env.BENCH_SOAK_ROW_MINUTES ?? 10);
const sampledEveryMs = 10 * second;
const audio = { sizeBytes: 3000, everyMs: 500 };
const peaks = { sizeBytes: 250, everyMs: 2500 };
const moveAtBytes = 1024 * 1024;
/** After this, as many takes have a short tail as a long one. */
const fillMs = (moveAtBytes / audio.sizeBytes) * audio.everyMs;

/** The sizes in the database at one moment, in bytes. */
interface Sizes {
  /** What is in rows and not yet in objects. */
  tailBytes: number;
  /** The rows' table with its index and its dead rows. */
  piecesBytes: number;
  blobsBytes: number;
  objects: number;
}

async function measureSizes(client: Client): Promise<Sizes> {
  const { rows } = await client.query<Sizes>(
    `select (select coalesce(sum(size_bytes - cold_bytes), 0)::float8 from blobs) as "tailBytes",
      pg_total_relation_size('blob_pieces')::float8 as "piecesBytes",
      pg_total_relation_size('blobs')::float8 as "blobsBytes",
      (select count(*)::float8 from blob_objects) as objects`,
  );
  if (rows[0] === undefined) throw new Error('no sizes');
  return rows[0];
}

/** Appends to the store, and reports each period of some minutes. */
async function soak(store: BlobStore, client: Client, databaseCpuMs: () => number): Promise<Row[]> {
  const ending = new AbortController();
  let waits: number[] = [];
  const onWait = (waitMs: number): void => {
    waits.push(waitMs);
  };
  const streams = Array.from({ length: takes * 2 }, async (_, index) => {
    const [name, stream] = index % 2 === 0 ? (['audio', audio] as const) : (['peaks', peaks] as const);
    const startMs = (Math.floor(index / 2) / takes) * fillMs;
    const key = `recordings/${Math.floor(index / 2)}/${name}`;
    await delay(startMs);
    await store.create(key);
    await appendAtIntervals(store, key, {
      ...stream,
      startMs: 0,
      goesOn: () => !ending.signal.aborted,
      onWait,
    });
  });
  const running = Promise.all(streams);
  running.catch(() => {
    ending.abort();
  });
  await delay(fillMs + 10 * second);
  const rows: Row[] = [];
  for (let fromMinutes = 0; fromMinutes < minutes && !ending.signal.aborted; fromMinutes += minutesPerRow) {
    waits = [];
    const before = { own: process.cpuUsage(), database: databaseCpuMs(), sizes: await measureSizes(client) };
    const untilMs = performance.now() + minutesPerRow * minute;
    let sizes = before.sizes;
    let maxRatio = 0;
    while (performance.now() < untilMs && !ending.signal.aborted) {
      await delay(sampledEveryMs);
      sizes = await measureSizes(client);
      maxRatio = Math.max(maxRatio, sizes.piecesBytes / sizes.tailBytes);
    }
    const own = process.cpuUsage(before.own);
    const cpuMs = (own.user + own.system) / 1000 + databaseCpuMs() - before.database;
    const row: Row = {
      minutes: `${fromMinutes}–${fromMinutes + minutesPerRow}`,
      'done/s': round(waits.length / (minutesPerRow * 60), 0),
      'p50 ms': round(percentile(waits, 0.5)),
      'p99 ms': round(percentile(waits, 0.99)),
      'at most, ms': round(percentile(waits, 1), 0),
      'objects moved': sizes.objects - before.sizes.objects,
      'tail MB': round(sizes.tailBytes / 1e6, 0),
      'blob_pieces MB': round(sizes.piecesBytes / 1e6, 0),
      'largest ratio': round(maxRatio, 2),
      'blobs MB': round(sizes.blobsBytes / 1e6, 1),
      'CPU µs per append': round((cpuMs * 1000) / waits.length, 0),
      'load average': round(loadavg()[0] ?? 0, 1),
    };
    console.log(JSON.stringify(row));
    rows.push(row);
  }
  ending.abort();
  await running;
  return rows;
}

async function soakOn(bin: string, s3: TestS3): Promise<Row[]> {
  const postgres = await startPostgres(bin, { isDurable: true });
  const client = new Client({ connectionString: postgres.url });
  try {
    await createBucket(s3);
    await (await openPostgresDatabase({ url: postgres.url })).close();
    await client.connect();
    const { store, background } = await buildTieredBlobStore({
      databaseUrl: postgres.url,
      objects: new S3ObjectStore(bucketSettings(s3)),
      limitBytes: 2 ** 40,
      due: { atBytes: moveAtBytes, afterMs: 15 * minute, everyMs: 30 * minute },
      onMovesChanged: (error) => {
        console.warn('moves:', error);
      },
    });
    background.start();
    try {
      return await soak(store, client, () => cpuMsOfTree(postgres.pid));
    } finally {
      await store.close();
    }
  } finally {
    await client.end();
    await postgres.stop();
  }
}

/** Appends for two hours while tails are moved to S3: whether vacuum follows, and whether appends stay as quick. */
export async function appendSoakBench(): Promise<Section> {
  const [postgresBin, s3Bin] = [findPostgres(), findS3Server()];
  if (postgresBin === null || s3Bin === null)
    throw new Error('this needs PostgreSQL and versitygw (`npm run test:s3` builds it)');
  const s3 = await startS3Server(s3Bin);
  try {
    return {
      title: `Append for ${minutes} minutes: ${takes} takes, tails moved at ${moveAtBytes} bytes`,
      note: `Each take appends ${audio.sizeBytes} bytes of sound every ${audio.everyMs} ms and ${peaks.sizeBytes} of peaks every ${peaks.everyMs} ms, directly to the store. The first row begins ${Math.round(fillMs / 1000)} s after the start, when tails of all lengths exist. Goals: blob_pieces ≤ 1.5 × the tail, and p99 of the last row ≤ 1.5 × that of the first.`,
      rows: await soakOn(postgresBin, s3),
    };
  } finally {
    await s3.dispose();
  }
}
