import type { Database } from '#server/storage/database/database.ts';
import { areFew, isSearchAlone, manyFound, matching, type Lookup, type ReadSearch } from './lookup.ts';

async function countTo(database: Database, lookup: Lookup, max: number): Promise<number> {
  const { n } = await database.queries
    .selectFrom(matching(database, lookup).select('recordings.id').limit(max).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

async function countAll(database: Database, lookup: Lookup): Promise<number> {
  const isListed = (lookup.filter.tag ?? []).length > 0 || lookup.filter.favourite !== undefined;
  const { n } = await matching(database, lookup, { areNamed: isListed || areFew(lookup) })
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Counts matches in the trash. Returns null if the trash is so large that they would have to be searched. */
async function trashedFinds(database: Database, lookup: Lookup): Promise<number | null> {
  const trash: Lookup = { ...lookup, filter: { trashed: 'true' } };
  return (await countTo(database, { ...trash, search: null }, manyFound + 1)) > manyFound
    ? null
    : countTo(database, trash, manyFound);
}

/**
 * Counts matches of a very common word. The index knows their number, in and outside the trash. With an additional
 * filter, or a large trash, each match would have to be examined, so the result is null.
 */
async function countCommon(
  database: Database,
  lookup: Lookup,
  { finds }: ReadSearch,
): Promise<number | null> {
  const isAlone = isSearchAlone(lookup.filter);
  const [shown, trashed, found] = await Promise.all([
    countTo(database, { ...lookup, search: null }, manyFound + 1),
    isAlone ? trashedFinds(database, lookup) : null,
    finds(),
  ]);
  if (shown <= manyFound) return countTo(database, lookup, manyFound);
  return trashed === null ? null : found - trashed;
}

/** The total of a lookup; null if it is too expensive to count. */
export async function totalOf(database: Database, lookup: Lookup): Promise<number | null> {
  const { search } = lookup;
  if (search === 'nothing') return 0;
  if (search === null || !search.isLikelyCommon) return countAll(database, lookup);
  const [found, total] = await Promise.all([search.finds(), countCommon(database, lookup, search)]);
  // If the word only looked common, counts normally: the result must not depend on the planner's estimate.
  return found > manyFound
    ? total
    : countAll(database, { ...lookup, search: { ...search, isLikelyCommon: false } });
}
