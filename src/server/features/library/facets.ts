import { setImmediate } from 'node:timers/promises';
import type { ReplyOf } from '#contract/endpoint.ts';
import { instantOf } from '#base/instant.ts';
import { unknownOrderMs } from '#base/recorded-time/order.ts';
import type { getFacets } from '#contract/library-api.ts';
import { believableMoment } from '#server/storage/rows/believable.ts';
import { knownLanguage, knownSource, knownState } from '#server/storage/rows/known-values.ts';
import type { Database } from '#server/storage/database/database.ts';

/** Sums the counts of each value over several groups, most frequent first. */
function totals<Value>(
  groups: readonly { value: Value; count: number }[],
): { value: Value; count: number }[] {
  const sums = new Map<Value, number>();
  for (const { value, count } of groups) sums.set(value, (sums.get(value) ?? 0) + count);
  return [...sums].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

async function tagCounts(
  { queries }: Database,
  ownerId: string,
): Promise<{ tagId: string; count: number }[]> {
  // A count per tag reads one range of an index each.
  const all = await queries
    .selectFrom('tags')
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .select((eb) => [
      'id',
      eb
        .selectFrom('recording_tags')
        .whereRef('tag_id', '=', 'tags.id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('n'),
    ])
    .execute();
  const trashed = await queries
    .selectFrom('recordings')
    .innerJoin('recording_tags', 'recording_tags.recording_id', 'recordings.id')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is not', null)
    .select((eb) => ['tag_id', eb.fn.countAll<number>().as('n')])
    .groupBy('tag_id')
    .execute();
  const lying = new Map(trashed.map(({ tag_id: tagId, n }) => [tagId, Number(n)]));
  return all
    .filter(({ n }) => Number(n) > 0)
    .map(({ id, n }) => ({ tagId: id, count: Number(n) - (lying.get(id) ?? 0) }));
}

async function favouriteCount({ queries }: Database, userId: string): Promise<number> {
  const { n } = await queries
    .selectFrom('favourites')
    .innerJoin('recordings', 'recordings.id', 'favourites.recording_id')
    .where('favourites.user_id', '=', userId)
    .where('recordings.deleted_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

async function beginnings(
  { queries }: Database,
  ownerId: string,
): Promise<{ earliest: number | null; latest: number | null }> {
  const own = queries
    .selectFrom('recordings')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('started_at', '>', unknownOrderMs)
    .select('started_at')
    .limit(1);
  const [first, last] = [
    await own.orderBy('started_at').executeTakeFirst(),
    await own.orderBy('started_at', 'desc').executeTakeFirst(),
  ];
  return { earliest: first?.started_at ?? null, latest: last?.started_at ?? null };
}

const believableInstant = (ms: number | null): string | null =>
  ms === null ? null : instantOf(believableMoment(ms));

/** The values that an owner's recordings outside the trash can be filtered by. */
export async function facetsOf(database: Database, ownerId: string): Promise<ReplyOf<typeof getFacets>> {
  // Grouped in the order of an index, so that it is read once.
  const grouped = database.queries
    .selectFrom('recordings')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .select((eb) => ['language', 'source', 'state', eb.fn.countAll<number>().as('n')])
    .groupBy(['language', 'source', 'state'])
    .execute();
  // PostgreSQL runs these queries in parallel. On SQLite, `setImmediate` lets other requests run in between.
  const [groups, tags, favourites, { earliest, latest }] = await Promise.all([
    grouped,
    setImmediate().then(() => tagCounts(database, ownerId)),
    setImmediate().then(() => favouriteCount(database, ownerId)),
    beginnings(database, ownerId),
  ]);
  const countsOf = <Value>(pick: (group: (typeof groups)[number]) => Value) =>
    totals(groups.map((group) => ({ value: pick(group), count: Number(group.n) })));
  return {
    languages: countsOf(({ language }) => knownLanguage(language)).map(({ value, count }) => ({
      language: value,
      count,
    })),
    sources: countsOf(({ source }) => knownSource(source)).map(({ value, count }) => ({
      source: value,
      count,
    })),
    states: countsOf(({ state }) => knownState(state)).map(({ value, count }) => ({ state: value, count })),
    tags,
    favourites,
    earliest: believableInstant(earliest),
    latest: believableInstant(latest),
  };
}
