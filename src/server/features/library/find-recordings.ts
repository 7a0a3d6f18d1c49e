import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { wantedWordsOf } from '#base/search-words.ts';
import { limits } from '#contract/limits.ts';
import type { ListRecordingsQuery, RecordingFilter, RecordingSort } from '#contract/recording-filter.ts';
import type { Database } from '../../storage/database/database.ts';
import { searchFor, type Search } from '../../storage/search/search-query.ts';
import { conditionsOf, isNarrow, ownedBy } from './library-filter.ts';
import { orderOf, readCursor, writeCursor, type Position } from './page-order.ts';

/** From how many on a search goes through the list instead of through its finds, and a count is not made for every pair of search and filter. */
const manyFound = 3000;
const idsTogether = 10_000;
/** So many at the beginning of a page's list are looked at by their words: where a common word stands evenly, they are more than enough. */
const lookedAtFirst = 500;

/** What is looked for, and how: `search` is null without one, 'nothing' where what was typed has no letter in it. */
interface Lookup { ownerId: string; filter: RecordingFilter; search: { search: Search; isCommon: boolean } | 'nothing' | null }

/** Reads a filter and decides how its search is done. */
async function lookUp(database: Database, ownerId: string, filter: RecordingFilter): Promise<Lookup> {
  if ((filter.search ?? '').trim() === '') return { ownerId, filter, search: null };
  const wanted = wantedWordsOf(filter.search ?? '');
  if (wanted === null) return { ownerId, filter, search: 'nothing' };
  const search = searchFor(database.dialect, ownerId, wanted);
  const { rows } = await search.countUpTo(manyFound + 1).execute(database.queries);
  return { ownerId, filter, search: { search, isCommon: Number(rows[0]?.n) > manyFound } };
}

const always = sql<boolean>`1 = 1`;

/** The search as a condition on `recordings`. */
function searchCondition({ search }: Lookup): RawBuilder<boolean> {
  if (search === null) return always;
  if (search === 'nothing') return sql<boolean>`1 = 0`;
  return search.isCommon ? search.search.byWords : search.search.byIndex;
}

/** Few are found by the index: they are looked up one by one, instead of every recording being held against them. */
const areFew = ({ search }: Lookup): boolean => search !== null && search !== 'nothing' && !search.isCommon;

const matching = (database: Database, lookup: Lookup, { areNamed = areFew(lookup), search = searchCondition(lookup) } = {}) =>
  database.queries.selectFrom('recordings').where(ownedBy(lookup.ownerId, { areNamed: areNamed && database.dialect === 'sqlite' }))
    .where((where) => conditionsOf(where, lookup.filter)).where(search);

interface Page { sort: RecordingSort; after: Position | null; limit: number }

function pageOf(database: Database, lookup: Lookup, { page, search }: { page: Page; search: RawBuilder<boolean> }) {
  const { by, isDescending } = orderOf(page.sort);
  const direction = isDescending ? 'desc' : 'asc';
  let query = matching(database, lookup, { search }).select(['recordings.id', by.as('value')]);
  if (page.after) query = query.where(sql<boolean>`(${by}, recordings.id) ${sql.raw(isDescending ? '<' : '>')} (${page.after.value}, ${page.after.id})`);
  return query.orderBy(by, direction).orderBy('recordings.id', direction).limit(page.limit);
}

/** Those of the first so many recordings that have the words, in their order. */
function amongFirst(database: Database, lookup: Lookup, { page, search }: { page: Page; search: RawBuilder<boolean> }): Promise<Position[]> {
  const direction = orderOf(page.sort).isDescending ? 'desc' : 'asc';
  const first = pageOf(database, lookup, { page: { ...page, limit: lookedAtFirst }, search: always });
  return database.queries.selectFrom(first.as('recordings')).select(['recordings.id', 'recordings.value']).where(search).orderBy('recordings.value', direction).orderBy('recordings.id', direction).limit(page.limit).execute();
}

async function positions(database: Database, lookup: Lookup, page: Page): Promise<Position[]> {
  const common = lookup.search !== null && lookup.search !== 'nothing' && lookup.search.isCommon ? lookup.search.search : null;
  if (common === null || common.byFinds === null) return pageOf(database, lookup, { page, search: searchCondition(lookup) }).execute();
  const found = page.limit < lookedAtFirst ? await amongFirst(database, lookup, { page, search: common.byWords }) : [];
  return found.length === page.limit ? found : pageOf(database, lookup, { page, search: common.byFinds }).execute();
}

async function countTo(database: Database, lookup: Lookup, most: number): Promise<number> {
  const { n } = await database.queries.selectFrom(matching(database, lookup).select('recordings.id').limit(most).as('found')).select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  return Number(n);
}

async function countAll(database: Database, lookup: Lookup): Promise<number> {
  const isTagged = (lookup.filter.tag ?? []).length > 0;
  const { n } = await matching(database, lookup, { areNamed: isTagged || areFew(lookup) }).select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  return Number(n);
}

/**
 * A word that is everywhere: the index knows how many recordings have it, in and outside the trash. With a filter on top, or for the larger
 * side of the two, each of them would have to be looked at.
 */
async function countCommon(database: Database, lookup: Lookup, search: Search): Promise<number | null> {
  const plain: Lookup = { ...lookup, search: null };
  if (await countTo(database, plain, manyFound + 1) <= manyFound) return countTo(database, lookup, manyFound);
  if (isNarrow(lookup.filter) || lookup.filter.trashed === 'true') return null;
  const trash: Lookup = { ...lookup, filter: { trashed: 'true' } };
  if (await countTo(database, { ...trash, search: null }, manyFound + 1) > manyFound) return null;
  const { rows } = await search.countUpTo(Number.MAX_SAFE_INTEGER).execute(database.queries);
  return Number(rows[0]?.n) - await countTo(database, trash, manyFound);
}

/** How many there are altogether; null where that is dear to count. */
async function totalOf(database: Database, lookup: Lookup): Promise<number | null> {
  const { search } = lookup;
  if (search === 'nothing') return 0;
  return search?.isCommon === true ? countCommon(database, lookup, search.search) : countAll(database, lookup);
}

export interface FoundPage { ids: string[]; nextCursor: string | null; total: number | null }

/** One page of the list, by keyset: its cost does not grow with its number. Validation (422) for a cursor of another order or of none. */
export async function findPage(database: Database, ownerId: string, query: ListRecordingsQuery): Promise<FoundPage> {
  const { sort, cursor, limit, ...filter } = query;
  const after = cursor === undefined ? null : readCursor(sort, cursor);
  const lookup = await lookUp(database, ownerId, filter);
  // One more than asked tells whether another page follows.
  const rows = await positions(database, lookup, { sort, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    ids: page.map(({ id }) => id), nextCursor: rows.length > page.length && last ? writeCursor(sort, last) : null,
    total: after === null ? await totalOf(database, lookup) : null,
  };
}

/** The ids of everything a filter finds, newest first; in pieces, so that other requests have their turn. */
export async function findIds(database: Database, ownerId: string, filter: RecordingFilter): Promise<string[]> {
  const lookup = await lookUp(database, ownerId, filter);
  const ids: string[] = [];
  let after: Position | null = null;
  while (ids.length < limits.chosenRecordings) {
    const rows: Position[] = await positions(database, lookup, { sort: 'newest', after, limit: idsTogether });
    ids.push(...rows.map(({ id }) => id));
    after = rows.at(-1) ?? null;
    if (rows.length < idsTogether) break;
    await setImmediate();
  }
  return ids;
}
