import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { WantedWords } from '#base/search-words.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { ownerWord } from './search-index.ts';

/** A condition on `recordings`; where there is a `before`, it holds in a query that has this before it. */
interface HeldSearch {
  condition: RawBuilder<boolean>;
  before: RawBuilder<unknown> | null;
}

/**
 * The same search in several shapes: which is quicker depends on how many recordings it finds, and where in
 * the list they stand.
 */
export interface Search {
  /** By the full-text index: quick where few are found. On PostgreSQL right for up to 100,000. */
  byIndex: RawBuilder<boolean>;
  /**
   * By the words of each recording that is looked at: quick where many are found and the first of them are
   * wanted.
   */
  byWords: RawBuilder<boolean>;
  /** Whether a text of words has them all; null for none. */
  hasWords: (words: RawBuilder<string>) => RawBuilder<boolean>;
  /**
   * By holding each recording that is looked at against all finds of the index: quick where many are found
   * and the first of them stand far behind.
   */
  byFinds: HeldSearch;
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

function inSqlite(match: string): Omit<Search, 'byWords' | 'hasWords'> {
  const found = sql`select rowid from recording_words_index where recording_words_index match ${match}`;
  return {
    byIndex: sql<boolean>`recordings.id in (select recording_id from recording_words where seq in (${found}))`,
    byFinds: { condition: sql<boolean>`recordings.words_seq in (${found})`, before: null },
    countUpTo: (most) => sql`select count(*) as n from (${found} limit ${most})`,
    estimate: null,
  };
}

function inPostgres(match: string): Omit<Search, 'byWords' | 'hasWords'> {
  const finds = (what: RawBuilder<unknown>) =>
    sql`select ${what} from recording_words where lexemes_of(words) @@ ${match}::tsquery`;
  const found = finds(sql`recording_id`);
  // In order, and as the type that is looked up in such a list without a call for each comparison. A number
  // of ours fits into it exactly.
  const numbers = sql`(select numbers from finds)`;
  return {
    // The limit keeps the planner from making the lexemes of recordings it comes upon by other ways, and
    // tells it that the finds fit into a table in memory.
    byIndex: sql<boolean>`recordings.id in (${found} limit ${sql.lit(mostHashed)})`,
    byFinds: {
      condition: sql<boolean>`${numbers}[width_bucket(recordings.words_seq::float8, ${numbers})] = recordings.words_seq::float8`,
      before: sql`with finds as materialized (${finds(sql`array_agg(seq::float8 order by seq::float8) as numbers`)})`,
    },
    countUpTo: (to) => sql`select count(*) as n from (${found} limit ${to}) as found`,
    estimate: sql`explain (format json) ${found}`,
  };
}

const planSchema = z.tuple([
  z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]) }),
]);

/** How many are likely found, where the database knows that without looking for them; else null. */
export async function estimateOf(queries: Queries, { estimate }: Search): Promise<number | null> {
  if (estimate === null) return null;
  const { data } = planSchema.safeParse((await estimate.execute(queries)).rows);
  return data?.[0]['QUERY PLAN'][0].Plan['Plan Rows'] ?? null;
}

/** The search for words among the recordings of one owner, for conditions on `recordings`. */
export function searchFor(
  dialect: Database['dialect'],
  ownerId: string,
  { whole, prefix }: WantedWords,
): Search {
  const words = [ownerWord(ownerId), ...whole];
  const position = sql.raw(dialect === 'sqlite' ? 'instr' : 'strpos');
  const wanted = [...whole.map((word) => ` ${word} `), ...(prefix === null ? [] : [` ${prefix}`])];
  const hasWords: Search['hasWords'] = (text) =>
    sql<boolean>`(${sql.join(
      wanted.map((word) => sql`${position}(${text}, ${word}) > 0`),
      sql` and `,
    )})`;
  return {
    ...(dialect === 'sqlite'
      ? inSqlite(sqliteMatch(words, prefix))
      : inPostgres(postgresMatch(words, prefix))),
    hasWords,
    byWords: sql<boolean>`exists (select 1 from recording_words as w where w.recording_id = recordings.id and ${hasWords(sql`w.words`)})`,
  };
}
