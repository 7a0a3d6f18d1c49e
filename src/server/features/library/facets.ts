import { setImmediate } from 'node:timers/promises';
import type { ReplyOf } from '#contract/endpoint.ts';
import { instantOf } from '#base/instant.ts';
import type { getFacets } from '#contract/library-api.ts';
import type { Database } from '../../storage/database/database.ts';

/** Adds up what several groups say of one value, most frequent first. */
function totals<Value>(groups: readonly { value: Value; count: number }[]): { value: Value; count: number }[] {
  const sums = new Map<Value, number>();
  for (const { value, count } of groups) sums.set(value, (sums.get(value) ?? 0) + count);
  return [...sums].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

async function tagCounts({ queries }: Database, ownerId: string): Promise<{ tagId: string; count: number }[]> {
  const all = await queries.selectFrom('recording_tags').where('tag_id', 'in', (eb) => eb.selectFrom('tags').where('owner_id', '=', ownerId).select('id'))
    .select((eb) => ['tag_id', eb.fn.countAll<number>().as('n')]).groupBy('tag_id').execute();
  const trashed = await queries.selectFrom('recordings').innerJoin('recording_tags', 'recording_tags.recording_id', 'recordings.id')
    .where('owner_id', '=', ownerId).where('deleted_at', 'is not', null).select((eb) => ['tag_id', eb.fn.countAll<number>().as('n')]).groupBy('tag_id').execute();
  const lying = new Map(trashed.map(({ tag_id: tagId, n }) => [tagId, Number(n)]));
  return all.map(({ tag_id: tagId, n }) => ({ tagId, count: Number(n) - (lying.get(tagId) ?? 0) }));
}

/** What an owner's recordings outside the trash can be filtered by. */
export async function facetsOf(database: Database, ownerId: string): Promise<ReplyOf<typeof getFacets>> {
  // In the order of an index, which is then read once from end to end.
  const groups = await database.queries.selectFrom('recordings').where('owner_id', '=', ownerId).where('deleted_at', 'is', null)
    .select((eb) => ['language', 'source', 'state', eb.fn.countAll<number>().as('n'), eb.fn.min('started_at').as('earliest'), eb.fn.max('started_at').as('latest')])
    .groupBy(['language', 'source', 'state']).execute();
  await setImmediate();
  const countsOf = <Value>(pick: (group: (typeof groups)[number]) => Value) => totals(groups.map((group) => ({ value: pick(group), count: Number(group.n) })));
  return {
    languages: countsOf(({ language }) => language).map(({ value, count }) => ({ language: value, count })),
    sources: countsOf(({ source }) => source).map(({ value, count }) => ({ source: value, count })),
    states: countsOf(({ state }) => state).map(({ value, count }) => ({ state: value, count })),
    tags: await tagCounts(database, ownerId),
    earliest: groups.length === 0 ? null : instantOf(Math.min(...groups.map(({ earliest }) => Number(earliest)))),
    latest: groups.length === 0 ? null : instantOf(Math.max(...groups.map(({ latest }) => Number(latest)))),
  };
}
