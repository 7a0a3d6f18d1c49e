import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { ListRecordingsQuery, RecordingFilter, RecordingSort } from '#contract/recording-filter.ts';
import type { Database } from '../../storage/database/database.ts';
import { always, areFew, lookUp, matching, searchCondition, type Lookup, type ReadSearch } from './lookup.ts';
import { orderOf, readCursor, writeCursor, type Position } from './page-order.ts';
import { totalOf } from './totals.ts';

const idsTogether = 10_000;
/** So many at the beginning of a page's list are looked at by their words: where a common word stands evenly, they are more than enough. By title it does not: what is called alike stands together. */
const lookedAtFirst = 500;

interface Page { sort: RecordingSort; after: Position | null; limit: number }

function pageOf(database: Database, lookup: Lookup, { page, search }: { page: Page; search: RawBuilder<boolean> }) {
  const { by, isDescending } = orderOf(database.dialect, page.sort);
  const direction = isDescending ? 'desc' : 'asc';
  let query = matching(database, lookup, { isInOrder: true, search }).select(['recordings.id', by.as('value')]);
  if (page.after) query = query.where(sql<boolean>`(${by}, recordings.id) ${sql.raw(isDescending ? '<' : '>')} (${page.after.value}, ${page.after.id})`);
  return query.orderBy(by, direction).orderBy('recordings.id', direction).limit(page.limit);
}

/** Those of the first so many recordings that have the words, in their order. */
function amongFirst(database: Database, lookup: Lookup, { page, search }: { page: Page; search: RawBuilder<boolean> }): Promise<Position[]> {
  const direction = orderOf(database.dialect, page.sort).isDescending ? 'desc' : 'asc';
  const first = pageOf(database, lookup, { page: { ...page, limit: lookedAtFirst }, search: always });
  return database.queries.selectFrom(first.as('recordings')).select(['recordings.id', 'recordings.value']).where(search).orderBy('recordings.value', direction).orderBy('recordings.id', direction).limit(page.limit).execute();
}

/** Where a word that very many have is found: mostly at once, else by holding the list against all finds, else by reading the words of every recording on the way. */
async function positionsOfCommon(database: Database, lookup: Lookup, { page, common }: { page: Page; common: ReadSearch }): Promise<Position[]> {
  const { byWords, byFinds } = common.search;
  const found = page.limit < lookedAtFirst && page.sort !== 'title' ? await amongFirst(database, lookup, { page, search: byWords }) : [];
  if (found.length === page.limit) return found;
  const [held, fit] = await Promise.all([pageOf(database, lookup, { page, search: byFinds }).execute(), common.fit()]);
  return fit ? held : pageOf(database, lookup, { page, search: byWords }).execute();
}

async function positions(database: Database, lookup: Lookup, page: Page): Promise<Position[]> {
  const { search } = lookup;
  if (search !== null && search !== 'nothing' && search.looksCommon) return positionsOfCommon(database, lookup, { page, common: search });
  return pageOf(database, lookup, { page, search: searchCondition(lookup) }).execute();
}

/** The first page of what the index finds few of: they are counted while they are sorted. */
async function firstOfFew(database: Database, lookup: Lookup, page: Page): Promise<{ rows: Position[]; total: number }> {
  const rows = await pageOf(database, lookup, { page, search: searchCondition(lookup) }).select(sql<number>`count(*) over ()`.as('n')).execute();
  return { rows, total: Number(rows[0]?.n ?? 0) };
}

/** The rows of a page and, of the first one, how many there are: PostgreSQL looks for both at once. */
async function rowsOf(database: Database, lookup: Lookup, page: Page): Promise<{ rows: Position[]; total: number | null }> {
  if (page.after !== null) return { rows: await positions(database, lookup, page), total: null };
  if (areFew(lookup)) return firstOfFew(database, lookup, page);
  const [rows, total] = await Promise.all([positions(database, lookup, page), totalOf(database, lookup)]);
  return { rows, total };
}

export interface FoundPage { ids: string[]; nextCursor: string | null; total: number | null }

/** One page of the list, by keyset: its cost does not grow with its number. Validation (422) for a cursor of another order or of none. */
export async function findPage(database: Database, ownerId: string, query: ListRecordingsQuery): Promise<FoundPage> {
  const { sort, cursor, limit, ...filter } = query;
  const after = cursor === undefined ? null : readCursor(sort, cursor);
  const lookup = await lookUp(database, { ownerId, filter, counts: after === null });
  // One more than asked tells whether another page follows.
  const { rows, total } = await rowsOf(database, lookup, { sort, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { ids: page.map(({ id }) => id), nextCursor: rows.length > page.length && last ? writeCursor(sort, last) : null, total };
}

/** The ids of everything a filter finds, newest first; in pieces, so that other requests have their turn. */
export async function findIds(database: Database, ownerId: string, filter: RecordingFilter): Promise<string[]> {
  const lookup = await lookUp(database, { ownerId, filter, counts: false });
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
