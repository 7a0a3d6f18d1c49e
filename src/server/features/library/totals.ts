import type { Database } from '#server/storage/database/database.ts';
import { areFew, isSearchAlone, manyFound, matching, type Lookup, type ReadSearch } from './lookup.ts';

async function countTo(database: Database, lookup: Lookup, most: number): Promise<number> {
  const { n } = await database.queries
    .selectFrom(matching(database, lookup).select('recordings.id').limit(most).as('found'))
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

/** Finds in the trash; null where that holds so much that they would have to be looked for. */
async function trashedFinds(database: Database, lookup: Lookup): Promise<number | null> {
  const trash: Lookup = { ...lookup, filter: { trashed: 'true' } };
  return (await countTo(database, { ...trash, search: null }, manyFound + 1)) > manyFound
    ? null
    : countTo(database, trash, manyFound);
}

/**
 * A word that is everywhere: the index knows how many recordings have it, in and outside the trash. With a
 * filter on top, or for the larger side of the two, each of them would have to be looked at.
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

/** How many there are altogether; null where that is dear to count. */
export async function totalOf(database: Database, lookup: Lookup): Promise<number | null> {
  const { search } = lookup;
  if (search === 'nothing') return 0;
  if (search === null || !search.looksCommon) return countAll(database, lookup);
  const [found, total] = await Promise.all([search.finds(), countCommon(database, lookup, search)]);
  // What only looked common is counted by its finds: the answer must not depend on what a planner expected.
  return found > manyFound
    ? total
    : countAll(database, { ...lookup, search: { ...search, looksCommon: false } });
}
