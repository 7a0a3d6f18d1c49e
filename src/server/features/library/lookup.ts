import { sql, type RawBuilder } from 'kysely';
import { wantedWordsOf } from '#base/search-words.ts';
import type { RecordingFilter } from '#contract/recording-filter.ts';
import type { Database } from '#server/storage/database/database.ts';
import { estimateOf, searchFor, type Search } from '#server/storage/search/search-query.ts';
import { conditionsOf, isNarrow, languagesMeant, ownedBy } from './library-filter.ts';

/**
 * From how many on a search goes through the list instead of through its finds, and a count is not made for
 * every pair of search and filter.
 */
export const manyFound = 3000;

/**
 * A search that was read: `finds` counts what the index finds, in and outside the trash, at least to one more
 * than `manyFound`; once, when first asked. `likely` is how many are expected, so far as that is known
 * without counting.
 */
export interface ReadSearch {
  search: Search;
  likely: number;
  looksCommon: boolean;
  finds: () => Promise<number>;
}

/**
 * What is looked for, and how: `search` is null without one, 'nothing' where what was typed has no letter in
 * it.
 */
export interface Lookup {
  ownerId: string;
  filter: RecordingFilter;
  languages: readonly string[] | null;
  search: ReadSearch | 'nothing' | null;
}

/**
 * Whether nothing but the search says what is shown: then the index knows how many that are, but for the
 * trash.
 */
export const isSearchAlone = (filter: RecordingFilter): boolean =>
  !isNarrow(filter) && filter.trashed !== 'true';

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null;
  return () => (answer ??= work());
}

async function readSearch({ queries }: Database, search: Search, most: number): Promise<ReadSearch> {
  const finds = once(async () => Number((await search.countUpTo(most).execute(queries)).rows[0]?.n));
  // Counting takes PostgreSQL as long as finding: where many are expected the page need not wait for it.
  const likely = (await estimateOf(queries, search)) ?? 0;
  const looksCommon = likely > manyFound || (await finds()) > manyFound;
  return { search, likely, looksCommon, finds };
}

/** Reads a filter and decides how its search is done; `counts` says that its total is wanted too. */
export async function lookUp(
  database: Database,
  { ownerId, filter, counts }: { ownerId: string; filter: RecordingFilter; counts: boolean },
): Promise<Lookup> {
  const languages = await languagesMeant(database, ownerId, filter);
  const typed = filter.search ?? '';
  if (typed.trim() === '') return { ownerId, filter, languages, search: null };
  const wanted = wantedWordsOf(typed);
  if (wanted === null) return { ownerId, filter, languages, search: 'nothing' };
  const most = counts && isSearchAlone(filter) ? Number.MAX_SAFE_INTEGER : manyFound + 1;
  return {
    ownerId,
    filter,
    languages,
    search: await readSearch(database, searchFor(database.dialect, ownerId, wanted), most),
  };
}

/** Every recording. */
export const always = sql<boolean>`1 = 1`;

/** The search as a condition on `recordings`. */
export function searchCondition({ search }: Lookup): RawBuilder<boolean> {
  if (search === null) return always;
  if (search === 'nothing') return sql<boolean>`1 = 0`;
  return search.looksCommon ? search.search.byWords : search.search.byIndex;
}

const readOf = ({ search }: Lookup): ReadSearch | null => (search === 'nothing' ? null : search);

/**
 * Few are found by the index: they are looked up one by one, instead of every recording being held against
 * them.
 */
export const areFew = (lookup: Lookup): boolean => readOf(lookup)?.looksCommon === false;

/** A search for what very many have; null for any other, and for none. */
export const commonOf = (lookup: Lookup): ReadSearch | null => (areFew(lookup) ? null : readOf(lookup));

interface Means {
  areNamed?: boolean;
  isInOrder?: boolean;
  search?: RawBuilder<boolean>;
}

/** The recordings that a lookup means. */
export const matching = (
  database: Database,
  lookup: Lookup,
  { areNamed = areFew(lookup), isInOrder = false, search = searchCondition(lookup) }: Means = {},
) =>
  database.queries
    .selectFrom('recordings')
    .where(ownedBy(lookup.ownerId, { areNamed: areNamed && database.dialect === 'sqlite' }))
    .where((where) =>
      conditionsOf(where, lookup.filter, {
        ownerId: lookup.ownerId,
        languages: lookup.languages,
        isInOrder: isInOrder && database.dialect === 'sqlite',
      }),
    )
    .where(search);
