import { sql } from 'kysely';
import { second } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import { unknownOrderMs } from '#base/recorded-time/order.ts';
import { limits } from '#contract/limits.ts';
import type { StorageReport } from '#contract/storage-api.ts';
import {
  believableCount,
  believableLength,
  believableMoment,
  believableMomentOf,
  believableSum,
} from '#server/storage/rows/believable.ts';
import { timeColumns, timeOfRow } from '#server/storage/rows/stored-time.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { unfinishedStates } from '#server/storage/rows/unfinished.ts';
import type { LandedBytes } from './landed-bytes.ts';
import type { QuotaUsage } from './quota.ts';

const maxShown = 10;

type Years = StorageReport['years'];

/** A single pass over a covering index. */
async function yearsOf({ queries, dialect }: Database, ownerId: string): Promise<Years> {
  // An unknown time's sort key belongs to no year.
  const seconds = sql`nullif(${believableMomentOf('started_at')}, ${sql.lit(unknownOrderMs)}) / ${sql.lit(second)}.0`;
  const year =
    dialect === 'postgres'
      ? sql<number | null>`extract(year from to_timestamp(${seconds}) at time zone 'UTC')::int`
      : sql<number | null>`cast(strftime('%Y', ${seconds}, 'unixepoch') as integer)`;
  const rows = await queries
    .selectFrom('recordings')
    .where('owner_id', '=', ownerId)
    .select((eb) => [
      year.as('year'),
      believableSum('stored_bytes').as('bytes'),
      eb.fn.countAll<number | string>().as('count'),
      believableSum('duration_ms').as('durationMs'),
    ])
    .groupBy(year)
    .execute();
  return rows
    .map((row) => ({
      year: row.year === null ? null : Number(row.year),
      bytes: Number(row.bytes),
      count: Number(row.count),
      durationMs: Number(row.durationMs),
    }))
    .toSorted((a, b) => (b.year ?? -Infinity) - (a.year ?? -Infinity));
}

async function largestOf(queries: Queries, ownerId: string): Promise<StorageReport['largest']> {
  const rows = await queries
    .selectFrom('recordings')
    .select(['id', 'title', ...timeColumns, 'duration_ms', 'stored_bytes'])
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('stored_bytes', '>', 0)
    .orderBy('stored_bytes', 'desc')
    .orderBy('id')
    .limit(maxShown)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    recordedTime: timeOfRow(row),
    startedAt: instantOf(believableMoment(row.started_at)),
    durationMs: believableLength(row.duration_ms),
    bytes: believableCount(row.stored_bytes),
  }));
}

async function trashOf(queries: Queries, ownerId: string): Promise<StorageReport['trash']> {
  const { bytes, count, first } = await queries
    .selectFrom('recordings')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is not', null)
    .select((eb) => [
      believableSum('stored_bytes').as('bytes'),
      eb.fn.countAll<number | string>().as('count'),
      eb.fn.min('deleted_at').as('first'),
    ])
    .executeTakeFirstOrThrow();
  return {
    bytes: Number(bytes ?? 0),
    count: Number(count),
    nextPurgeAt: first === null ? null : instantOf(believableMoment(Number(first) + limits.trashRetentionMs)),
  };
}

/** Totals of unfinished recordings, and the oldest of them. For growing recordings the appended bytes count. */
async function unfinishedOf(
  queries: Queries,
  ownerId: string,
  landed: LandedBytes,
): Promise<StorageReport['unfinished']> {
  const uncounted = await landed.uncountedOfEach(queries, ownerId);
  const unfinished = queries
    .selectFrom('recordings')
    .where('owner_id', '=', ownerId)
    .where('state', 'in', unfinishedStates)
    .where('deleted_at', 'is', null);
  const { bytes, count } = await unfinished
    .select((eb) => [
      believableSum('stored_bytes').as('bytes'),
      eb.fn.countAll<number | string>().as('count'),
    ])
    .executeTakeFirstOrThrow();
  const growing = await unfinished.select('id').where('state', '=', 'receiving').execute();
  const oldest = await unfinished
    .select(['id', 'title', ...timeColumns, 'state', 'stored_bytes'])
    .orderBy('started_at')
    .orderBy('id')
    .limit(maxShown)
    .execute();
  return {
    bytes: growing.reduce((sum, { id }) => sum + (uncounted.get(id) ?? 0), Number(bytes ?? 0)),
    count: Number(count),
    oldest: oldest.map((row) => ({
      id: row.id,
      title: row.title,
      recordedTime: timeOfRow(row),
      startedAt: instantOf(believableMoment(row.started_at)),
      isInterrupted: row.state === 'abandoned',
      bytes: believableCount(row.stored_bytes) + (uncounted.get(row.id) ?? 0),
    })),
  };
}

/** What a user stores, by year and by size. */
export async function storageReport(
  database: Database,
  ownerId: string,
  { usedBytes, quotaBytes, landed }: QuotaUsage & { landed: LandedBytes },
): Promise<StorageReport> {
  const years = await yearsOf(database, ownerId);
  return {
    usedBytes,
    quotaBytes,
    isOverQuota: quotaBytes !== null && usedBytes > quotaBytes,
    count: years.reduce((sum, { count }) => sum + count, 0),
    years,
    largest: await largestOf(database.queries, ownerId),
    unfinished: await unfinishedOf(database.queries, ownerId, landed),
    trash: await trashOf(database.queries, ownerId),
  };
}
