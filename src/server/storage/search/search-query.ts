import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { WantedWords } from '#base/search-words.ts';
import type { Database, Queries } from '../database/database.ts';
import { ownerWord } from './search-index.ts';

/** The same search in several shapes: which is quicker depends on how many recordings it finds, and where in the list they stand. */
export interface Search {
  /** By the full-text index: quick where few are found. Right, as the next but one, where they are no more than `mostFinds`. */
  byIndex: RawBuilder<boolean>;
  /** By the words of each recording that is looked at: quick where many are found and the first of them are wanted. */
  byWords: RawBuilder<boolean>;
  /** By holding each recording that is looked at against all finds of the index: quick where many are found and the first of them stand far behind. */
  byFinds: RawBuilder<boolean>;
  mostFinds: number;
  /** How many the index finds, counted no further than `most`. */
  countUpTo(most: number): RawBuilder<{ n: number | string }>;
  /** Asks PostgreSQL's planner, for `estimateOf`. */
  estimate: RawBuilder<unknown> | null;
}

/** So many finds surely fit into the memory that PostgreSQL gives a query by default. */
const mostHashed = 100_000;

/** Words are letters, digits and marks alone: nothing in them has a meaning to either query language. */
const sqliteMatch = (words: readonly string[], prefix: string | null): string =>
  [...words.map((word) => `"${word}"`), ...(prefix === null ? [] : [`"${prefix}"*`])].join(' AND ');
const postgresMatch = (words: readonly string[], prefix: string | null): string =>
  [...words.map((word) => `'${word}'`), ...(prefix === null ? [] : [`'${prefix}':*`])].join(' & ');

function inSqlite(match: string): Omit<Search, 'byWords'> {
  const found = sql`select rowid from recording_words_index where recording_words_index match ${match}`;
  return {
    byIndex: sql<boolean>`recordings.id in (select recording_id from recording_words where seq in (${found}))`,
    byFinds: sql<boolean>`recordings.words_seq in (${found})`,
    mostFinds: Number.MAX_SAFE_INTEGER,
    countUpTo: (most) => sql`select count(*) as n from (${found} limit ${most})`,
    estimate: null,
  };
}

function inPostgres(match: string): Omit<Search, 'byWords'> {
  const finds = (column: 'recording_id' | 'seq') => sql`select ${sql.ref(column)} from recording_words where lexemes_of(words) @@ ${match}::tsquery`;
  // The limit keeps the planner from making the lexemes of recordings it comes upon by other ways, and tells it that the finds fit into a table in memory.
  const most = sql`limit ${sql.lit(mostHashed)}`;
  const found = finds('recording_id');
  return {
    byIndex: sql<boolean>`recordings.id in (${found} ${most})`,
    // "is true" keeps it from making a join, which would leave the order of the list.
    byFinds: sql<boolean>`(recordings.words_seq in (${finds('seq')} ${most})) is true`,
    mostFinds: mostHashed,
    countUpTo: (to) => sql`select count(*) as n from (${found} limit ${to}) as found`,
    estimate: sql`explain (format json) ${found}`,
  };
}

const planSchema = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]) })]);

/** How many are likely found, where the database knows that without looking for them; else null. */
export async function estimateOf(queries: Queries, { estimate }: Search): Promise<number | null> {
  if (estimate === null) return null;
  const { data } = planSchema.safeParse((await estimate.execute(queries)).rows);
  return data?.[0]['QUERY PLAN'][0].Plan['Plan Rows'] ?? null;
}

/** The search for words among the recordings of one owner, for conditions on `recordings`. */
export function searchFor(dialect: Database['dialect'], ownerId: string, { whole, prefix }: WantedWords): Search {
  const words = [ownerWord(ownerId), ...whole];
  const contains = (text: string): RawBuilder<boolean> => (dialect === 'sqlite' ? sql<boolean>`instr(w.words, ${text}) > 0` : sql<boolean>`strpos(w.words, ${text}) > 0`);
  const conditions = [...whole.map((word) => ` ${word} `), ...(prefix === null ? [] : [` ${prefix}`])].map(contains);
  return {
    ...(dialect === 'sqlite' ? inSqlite(sqliteMatch(words, prefix)) : inPostgres(postgresMatch(words, prefix))),
    byWords: sql<boolean>`exists (select 1 from recording_words as w where w.recording_id = recordings.id and ${sql.join(conditions, sql` and `)})`,
  };
}
