import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findPostgres, startPostgres, type TestPostgres } from '#scripts/postgres-for-tests.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import { buildTieredBlobStore } from '#server/storage/blobs/tiered/open-tiered-blob-store.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { appendAtIntervals } from './append-at-intervals.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { cpuMsOfTree } from './process-cpu.ts';

const takeCounts = (process.env.BENCH_STORE_TAKES ?? '1000,2000').split(',').map(Number);
const seconds = Number(process.env.BENCH_STORE_SECONDS ?? 15);
const rounds = Number(process.env.BENCH_STORE_ROUNDS ?? 2);
const everyMs = 500;
const audioBytes = 3000;
const peaksBytes = 100;

interface Subject {
  name: string;
  store: BlobStore;
  /** CPU time of other processes that work for the store, in milliseconds. */
  otherCpuMs: () => number;
  /** Bytes that were written to the database's log. */
  walBytes: () => Promise<number>;
  figures: () => Row;
  close: () => Promise<void>;
}

async function disk(): Promise<Subject> {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-bench-blobs-'));
  const store = await openDiskBlobStore({ directory });
  return {
    name: 'disk (fdatasync for each append)',
    store,
    otherCpuMs: () => 0,
    walBytes: async () => 0,
    figures: () => ({ 'appends per commit': 1 }),
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function tiered(postgres: TestPostgres): Promise<Subject> {
  await (await openPostgresDatabase({ url: postgres.url })).close();
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('truncate blobs, blob_pieces, blob_objects, unreferenced_objects');
  await client.query('checkpoint');
  const { store, batcher } = await buildTieredBlobStore({
    databaseUrl: postgres.url,
    objects: new MemoryObjectStore(),
    limitBytes: 2 ** 40,
  });
  return {
    name: 'rows of PostgreSQL (group commit)',
    store,
    otherCpuMs: () => cpuMsOfTree(postgres.pid),
    walBytes: async () => {
      const { rows } = await client.query<{ bytes: number }>(
        "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes",
      );
      return rows[0]?.bytes ?? 0;
    },
    figures: () => ({ 'appends per commit': round(batcher.appendsPerBatch) }),
    close: async () => {
      await store.close();
      await client.end();
    },
  };
}

async function measure(subject: Subject, takes: number): Promise<Row> {
  const { store } = subject;
  const streams = Array.from({ length: takes * 2 }, (_, index) => ({
    key: `recordings/${Math.floor(index / 2)}/s-${index % 2}`,
    sizeBytes: index % 2 === 0 ? audioBytes : peaksBytes,
    startMs: (index / (takes * 2)) * everyMs,
  }));
  for (let from = 0; from < streams.length; from += 50)
    await Promise.all(streams.slice(from, from + 50).map(({ key }) => store.create(key)));
  const before = { cpu: process.cpuUsage(), other: subject.otherCpuMs(), wal: await subject.walBytes() };
  const startedMs = performance.now();
  const waits: number[] = [];
  const onWait = (waitMs: number): void => {
    waits.push(waitMs);
  };
  const goesOn = (nth: number): boolean => nth < (seconds * 1000) / everyMs;
  await Promise.all(
    streams.map(({ key, ...stream }) =>
      appendAtIntervals(store, key, { ...stream, everyMs, goesOn, onWait }),
    ),
  );
  const wallMs = performance.now() - startedMs;
  const cpu = process.cpuUsage(before.cpu);
  const cpuMs = (cpu.user + cpu.system) / 1000 + subject.otherCpuMs() - before.other;
  const walBytes = (await subject.walBytes()) - before.wal;
  return {
    store: subject.name,
    takes,
    'wanted/s': (takes * 2 * 1000) / everyMs,
    'done/s': round((waits.length * 1000) / wallMs, 0),
    'p50 ms': round(percentile(waits, 0.5)),
    'p99 ms': round(percentile(waits, 0.99)),
    'CPU µs per append': round((cpuMs * 1000) / waits.length, 0),
    'WAL per byte': round(walBytes / (waits.length * ((audioBytes + peaksBytes) / 2)), 2),
    ...subject.figures(),
  };
}

/** Measures each store in turn, as many times as there are rounds. */
async function measureInTurn(openers: readonly (() => Promise<Subject>)[], takes: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const open of Array.from({ length: rounds }, () => openers).flat()) {
    const subject = await open();
    rows.push(await measure(subject, takes));
    await subject.close();
  }
  return rows;
}

/** Compares the two stores of bytes, without the HTTP server. */
export async function appendStoresBench(): Promise<Section> {
  const bin = findPostgres();
  const postgres = bin === null ? null : await startPostgres(bin, { isDurable: true });
  const openers = [disk, ...(postgres === null ? [] : [() => tiered(postgres)])];
  const rows: Row[] = [];
  try {
    for (const takes of takeCounts) rows.push(...(await measureInTurn(openers, takes)));
  } finally {
    await postgres?.stop();
  }
  return {
    title: `Append to the stores of bytes: each take adds ${audioBytes} bytes of sound and ${peaksBytes} of peaks every ${everyMs} ms, ${seconds} s`,
    note: 'The load generator is in the process of the store. PostgreSQL runs beside it with fsync; its CPU time is included. Compare the rows only with each other.',
    rows,
  };
}
