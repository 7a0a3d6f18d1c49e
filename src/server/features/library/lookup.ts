import { sql, type RawBuilder } from 'kysely';
import { wantedWordsOf } from '#base/search-words.ts';
import type { RecordingFilter } from '#contract/recording-filter.ts';
import type { Database } from '#server/storage/database/database.ts';
import { estimateOf, searchFor, type Search } from '#server/storage/search/search-query.ts';
import { conditionsOf, isNarrow, languagesMeant, ownedBy } from './library-filter.ts';

/**
 * From this number of matches on, a search filters the list instead of looking up each match, and totals of a
 * search combined with a filter are not counted.
 */
export const manyFound = 3000;

/**
 * A parsed search. `finds` counts the matches of the index, in and outside the trash, up to one more than
 * `manyFound`; it runs once. `likely` is the expected number, as far as it is known without counting.
 */
export interface ReadSearch {
  search: Search;
  likely: number;
  isLikelyCommon: boolean;
  finds: () => Promise<number>;
}

/** What to look for. `search` is null without a search, and 'nothing' if the text has no letter. */
export interface Lookup {
  ownerId: string;
  filter: RecordingFilter;
  languages: readonly string[] | null;
  search: ReadSearch | 'nothing' | null;
}

/** Whether only the search restricts the list. Then the index knows the number of matches, apart from the trash. */
export const isSearchAlone = (filter: RecordingFilter): boolean =>
  !isNarrow(filter) && filter.trashed !== 'true';

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null;
  return () => (answer ??= work());
}

async function readSearch({ queries }: Database, search: Search, max: number): Promise<ReadSearch> {
  const finds = once(async () => Number((await search.countUpTo(max).execute(queries)).rows[0]?.n));
  // On PostgreSQL counting is as slow as finding, so a page with many expected matches does not wait for it.
  const likely = (await estimateOf(queries, search)) ?? 0;
  const isLikelyCommon = likely > manyFound || (await finds()) > manyFound;
  return { search, likely, isLikelyCommon, finds };
}

/** Parses a filter and decides how to search. `counts`: whether the total is needed too. */
export async function lookUp(
  database: Database,
  { ownerId, filter, counts }: { ownerId: string; filter: RecordingFilter; counts: boolean },
): Promise<Lookup> {
  const languages = await languagesMeant(database, ownerId, filter);
  const typed = filter.search ?? '';
  if (typed.trim() === '') return { ownerId, filter, languages, search: null };
  const wanted = wantedWordsOf(typed);
  if (wanted === null) return { ownerId, filter, languages, search: 'nothing' };
  const max = counts && isSearchAlone(filter) ? Number.MAX_SAFE_INTEGER : manyFound + 1;
  return {
    ownerId,
    filter,
    languages,
    search: await readSearch(database, searchFor(database.dialect, ownerId, wanted), max),
  };
}

export const always = sql<boolean>`1 = 1`;

/** The search as a condition on `recordings`. */
export function searchCondition({ search }: Lookup): RawBuilder<boolean> {
  if (search === null) return always;
  if (search === 'nothing') return sql<boolean>`1 = 0`;
  return search.isLikelyCommon ? search.search.byWords : search.search.byIndex;
}

const readOf = ({ search }: Lookup): ReadSearch | null => (search === 'nothing' ? null : search);

/** Few matches are looked up one by one, instead of filtering all recordings by them. */
export const areFew = (lookup: Lookup): boolean => readOf(lookup)?.isLikelyCommon === false;

/** The search if it has very many matches; otherwise null. */
export const commonOf = (lookup: Lookup): ReadSearch | null => (areFew(lookup) ? null : readOf(lookup));

interface Means {
  areNamed?: boolean;
  isInOrder?: boolean;
  search?: RawBuilder<boolean>;
}

/** The recordings that a lookup matches. */
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
