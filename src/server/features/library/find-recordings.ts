import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { unknownOrderMs } from '#base/recorded-time/order.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { ListRecordingsQuery, RecordingFilter, RecordingSort } from '#contract/recording-filter.ts';
import type { Database } from '#server/storage/database/database.ts';
import {
  always,
  areFew,
  commonOf,
  lookUp,
  matching,
  searchCondition,
  type Lookup,
  type ReadSearch,
} from './lookup.ts';
import { orderOf, readCursor, writeCursor, type Position } from './page-order.ts';
import { totalOf } from './totals.ts';

const idsTogether = 10_000;
/**
 * For a common word, this many recordings from the start of the list are checked for it first. This is sufficient
 * if the word is evenly distributed. Sorted by title it is not, because similar titles are adjacent.
 */
const searchedFirst = 500;

/** `part`: for the oldest-first order, recordings with known or with unknown time; all if absent. */
interface Page {
  sort: RecordingSort;
  after: Position | null;
  limit: number;
  part?: 'known' | 'unknown';
}

const partsOfOldest = {
  known: sql<boolean>`recordings.started_at > ${sql.lit(unknownOrderMs)}`,
  unknown: sql<boolean>`recordings.started_at <= ${sql.lit(unknownOrderMs)}`,
} as const;

function pageOf(
  database: Database,
  lookup: Lookup,
  { page, search }: { page: Page; search: RawBuilder<boolean> },
) {
  const { by, isDescending } = orderOf(database.dialect, page.sort);
  const direction = isDescending ? 'desc' : 'asc';
  let query = matching(database, lookup, { isInOrder: true, search }).select([
    'recordings.id',
    by.as('value'),
  ]);
  if (page.part !== undefined) query = query.where(partsOfOldest[page.part]);
  if (page.after)
    query = query.where(
      sql<boolean>`(${by}, recordings.id) ${sql.raw(isDescending ? '<' : '>')} (${page.after.value}, ${page.after.id})`,
    );
  return query.orderBy(by, direction).orderBy('recordings.id', direction).limit(page.limit);
}

/** Searches only the first `searchedFirst` recordings of the list, in order. */
function amongFirst(
  database: Database,
  lookup: Lookup,
  { page, search }: { page: Page; search: RawBuilder<boolean> },
): Promise<Position[]> {
  const direction = orderOf(database.dialect, page.sort).isDescending ? 'desc' : 'asc';
  const first = pageOf(database, lookup, { page: { ...page, limit: searchedFirst }, search: always });
  return database.queries
    .selectFrom(first.as('recordings'))
    .select(['recordings.id', 'recordings.value'])
    .where(search)
    .orderBy('recordings.value', direction)
    .orderBy('recordings.id', direction)
    .limit(page.limit)
    .execute();
}

interface CommonPage {
  page: Page;
  common: ReadSearch;
}

/** A page of the whole list, filtered by all matches of the index. */
async function filteredByMatches(
  database: Database,
  lookup: Lookup,
  { page, common }: CommonPage,
): Promise<Position[]> {
  const { condition, before } = common.search.byFinds;
  const query = pageOf(database, lookup, { page, search: condition });
  return before === null
    ? query.execute()
    : (await sql<Position>`${before} ${query}`.execute(database.queries)).rows;
}

/**
 * Searches the first titles with these words. It reads at most as many titles as matches are expected, which is
 * cheaper than collecting all matches.
 */
function amongTitles(
  database: Database,
  lookup: Lookup,
  { page, common: { search, likely } }: CommonPage,
): Promise<Position[]> {
  const behind =
    page.after === null
      ? always
      : sql<boolean>`(title_key, recording_id) > (${page.after.value}, ${page.after.id})`;
  const first = sql`select recording_id as id, title_key as value, words from words_by_title where owner_id = ${lookup.ownerId} and ${behind} order by title_key, recording_id limit ${likely}`;
  const amongMany = sql<boolean>`exists (select 1 from recording_words as w where w.recording_id = first.id and ${search.hasWords(sql`w.words`)})`;
  const hits = sql`select id from (${first}) as first where coalesce(${search.hasWords(sql`words`)}, ${amongMany}) order by value, id limit ${searchedFirst}`;
  return pageOf(database, lookup, { page, search: sql<boolean>`recordings.id in (${hits})` }).execute();
}

/** Searches the start of the list as far as is likely to fill the page. */
async function atBeginning(
  database: Database,
  lookup: Lookup,
  { page, common }: CommonPage,
): Promise<Position[]> {
  if (page.limit >= searchedFirst) return [];
  if (page.sort !== 'title') return amongFirst(database, lookup, { page, search: common.search.byWords });
  return database.dialect === 'postgres' ? amongTitles(database, lookup, { page, common }) : [];
}

/**
 * Finds a page of matches of a very common word: usually at the start of the list, otherwise by filtering the list
 * by all matches.
 */
async function positionsOfCommon(
  database: Database,
  lookup: Lookup,
  wanted: CommonPage,
): Promise<Position[]> {
  const found = await atBeginning(database, lookup, wanted);
  return found.length === wanted.page.limit ? found : filteredByMatches(database, lookup, wanted);
}

async function positionsIn(database: Database, lookup: Lookup, page: Page): Promise<Position[]> {
  const common = commonOf(lookup);
  return common === null
    ? pageOf(database, lookup, { page, search: searchCondition(lookup) }).execute()
    : positionsOfCommon(database, lookup, { page, common });
}

/** An unknown time has the lowest sort key but is sorted last in both directions, as are unreadable lower numbers. */
async function positions(database: Database, lookup: Lookup, page: Page): Promise<Position[]> {
  if (page.sort !== 'oldest') return positionsIn(database, lookup, page);
  const isBehindKnown =
    page.after !== null && typeof page.after.value !== 'string' && page.after.value <= unknownOrderMs;
  const known = isBehindKnown ? [] : await positionsIn(database, lookup, { ...page, part: 'known' });
  if (known.length >= page.limit) return known;
  const unknown = await positionsIn(database, lookup, {
    ...page,
    part: 'unknown',
    after: isBehindKnown ? page.after : null,
    limit: page.limit - known.length,
  });
  return [...known, ...unknown];
}

/** Replaces numbers that the database adapter can't represent with bigints, because cursors must distinguish them. */
async function exactly(database: Database, sort: RecordingSort, rows: Position[]): Promise<Position[]> {
  const unreadable = rows
    .filter(({ value }) => typeof value === 'number' && !Number.isFinite(value))
    .map(({ id }) => id);
  if (unreadable.length === 0) return rows;
  const { by } = orderOf(database.dialect, sort);
  const found = await database.queries
    .selectFrom('recordings')
    .select(['recordings.id', sql<string>`cast(${by} as text)`.as('digits')])
    .where('recordings.id', 'in', unreadable)
    .execute();
  const exact = new Map(found.map(({ id, digits }) => [id, BigInt(digits)]));
  return rows.map(({ id, value }) => ({ id, value: exact.get(id) ?? value }));
}

/** Pending queries: the rows of a page, plus one, and the total. */
interface Underway {
  rows: Promise<Position[]>;
  total: Promise<number | null>;
}

/** The first page of a search with few matches: one query sorts and counts them. */
function firstOfFew(database: Database, lookup: Lookup, page: Page): Underway {
  const rows = pageOf(database, lookup, { page, search: searchCondition(lookup) })
    .select(sql<number>`count(*) over ()`.as('n'))
    .execute();
  return { rows, total: rows.then((found) => Number(found[0]?.n ?? 0)) };
}

/** Starts the query for a page and, for the first page, for the total. PostgreSQL runs both in parallel. */
function start(database: Database, lookup: Lookup, page: Page): Underway {
  if (page.after !== null) return { rows: positions(database, lookup, page), total: Promise.resolve(null) };
  if (areFew(lookup) && page.sort !== 'oldest') return firstOfFew(database, lookup, page);
  return { rows: positions(database, lookup, page), total: totalOf(database, lookup) };
}

/** `present` converts ids to items. It runs without waiting for the total. */
export interface WantedPage<Item> {
  ownerId: string;
  query: ListRecordingsQuery;
  present: (ids: readonly string[]) => Promise<Item[]>;
}

export interface FoundPage<Item> {
  items: Item[];
  nextCursor: string | null;
  total: number | null;
}

/**
 * Finds one page of the list. Keyset pagination keeps the cost independent of the page number.
 * @throws validation (422) for an invalid cursor or one of another order
 */
export async function findPage<Item>(
  database: Database,
  { ownerId, query, present }: WantedPage<Item>,
): Promise<FoundPage<Item>> {
  const { sort, cursor, limit, ...filter } = query;
  const after = cursor === undefined ? null : readCursor(sort, cursor);
  const lookup = await lookUp(database, { ownerId, filter, counts: after === null });
  // One row more than requested tells whether another page follows.
  const underway = start(database, lookup, { sort, after, limit: limit + 1 });
  const shown = underway.rows.then(async (found) => {
    const rows = await exactly(database, sort, found);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      items: await present(page.map(({ id }) => id)),
      nextCursor: rows.length > page.length && last ? writeCursor(sort, last) : null,
    };
  });
  const [page, total] = await Promise.all([shown, underway.total]);
  return { ...page, total };
}

/**
 * Finds the ids of all matches of a filter, newest first. Queries in batches, so that other requests run in
 * between.
 */
export async function findIds(
  database: Database,
  ownerId: string,
  filter: RecordingFilter,
): Promise<string[]> {
  const lookup = await lookUp(database, { ownerId, filter, counts: false });
  const ids: string[] = [];
  let after: Position | null = null;
  while (ids.length < serverLimits.chosenRecordings) {
    const rows: Position[] = await exactly(
      database,
      'newest',
      await positions(database, lookup, { sort: 'newest', after, limit: idsTogether }),
    );
    ids.push(...rows.map(({ id }) => id));
    after = rows.at(-1) ?? null;
    if (rows.length < idsTogether) break;
    await setImmediate();
  }
  return ids;
}
