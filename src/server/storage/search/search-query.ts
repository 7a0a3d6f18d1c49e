import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { WantedWords } from '#base/search-words.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { ownerWord } from './search-index.ts';

/** A condition on `recordings`. If `before` is set, the condition is valid only in a query that starts with it. */
interface HeldSearch {
  condition: RawBuilder<boolean>;
  before: RawBuilder<unknown> | null;
}

/**
 * One search in several forms. The fastest depends on how many recordings match and on their positions in the
 * list.
 */
export interface Search {
  /**
   * Uses the full-text index: fast if few recordings match. On PostgreSQL it is correct for up to 100,000 matches.
   */
  byIndex: RawBuilder<boolean>;
  /** Uses the words of each visited recording: fast if many match and the first of them are wanted. */
  byWords: RawBuilder<boolean>;
  /** Matches a text of words that contains all wanted words. */
  hasWords: (words: RawBuilder<string>) => RawBuilder<boolean>;
  /**
   * Checks each visited recording against all matches of the index: fast if many match and the first of them are
   * far down the list.
   */
  byFinds: HeldSearch;
  /** Counts the matches of the index, up to `max`. */
  countUpTo(max: number): RawBuilder<{ n: number | string }>;
  /** Requests PostgreSQL's estimate, for `estimateOf`. */
  estimate: RawBuilder<unknown> | null;
}

/** This many matches fit into the memory that PostgreSQL gives a query by default. */
const maxHashed = 100_000;

/** Words contain only letters, digits and marks, which neither query language interprets. */
const sqliteMatch = (words: readonly string[], prefix: string | null): string =>
  [...words.map((word) => `"${word}"`), ...(prefix === null ? [] : [`"${prefix}"*`])].join(' AND ');
const postgresMatch = (words: readonly string[], prefix: string | null): string =>
  [...words.map((word) => `'${word}'`), ...(prefix === null ? [] : [`'${prefix}':*`])].join(' & ');

function inSqlite(match: string): Omit<Search, 'byWords' | 'hasWords'> {
  const found = sql`select rowid from recording_words_index where recording_words_index match ${match}`;
  return {
    byIndex: sql<boolean>`recordings.id in (select recording_id from recording_words where seq in (${found}))`,
    byFinds: { condition: sql<boolean>`recordings.words_seq in (${found})`, before: null },
    countUpTo: (max) => sql`select count(*) as n from (${found} limit ${max})`,
    estimate: null,
  };
}

function inPostgres(match: string): Omit<Search, 'byWords' | 'hasWords'> {
  const finds = (what: RawBuilder<unknown>) =>
    sql`select ${what} from recording_words where lexemes_of(words) @@ ${match}::tsquery`;
  const found = finds(sql`recording_id`);
  // A sorted array in the type that `width_bucket` compares without a function call. Our numbers fit into it
  // exactly.
  const numbers = sql`(select numbers from finds)`;
  return {
    // The limit keeps the planner from computing lexemes for recordings it visits by other paths, and tells it
    // that the matches fit into an in-memory table.
    byIndex: sql<boolean>`recordings.id in (${found} limit ${sql.lit(maxHashed)})`,
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

/** Returns the planner's estimate of the number of matches, or null if the database has none. */
export async function estimateOf(queries: Queries, { estimate }: Search): Promise<number | null> {
  if (estimate === null) return null;
  const { data } = planSchema.safeParse((await estimate.execute(queries)).rows);
  return data?.[0]['QUERY PLAN'][0].Plan['Plan Rows'] ?? null;
}

/** Matches a text of words that contains all wanted words. */
export function hasAllWords(
  dialect: Database['dialect'],
  { whole, prefix }: WantedWords,
  text: RawBuilder<string>,
): RawBuilder<boolean> {
  const position = sql.raw(dialect === 'sqlite' ? 'instr' : 'strpos');
  const wanted = [...whole.map((word) => ` ${word} `), ...(prefix === null ? [] : [` ${prefix}`])];
  return sql<boolean>`(${sql.join(
    wanted.map((word) => sql`${position}(${text}, ${word}) > 0`),
    sql` and `,
  )})`;
}

/** Returns the search for words among one owner's recordings, as conditions on `recordings`. */
export function searchFor(dialect: Database['dialect'], ownerId: string, wanted: WantedWords): Search {
  const { whole, prefix } = wanted;
  const words = [ownerWord(ownerId), ...whole];
  const hasWords: Search['hasWords'] = (text) => hasAllWords(dialect, wanted, text);
  return {
    ...(dialect === 'sqlite'
      ? inSqlite(sqliteMatch(words, prefix))
      : inPostgres(postgresMatch(words, prefix))),
    hasWords,
    byWords: sql<boolean>`exists (select 1 from recording_words as w where w.recording_id = recordings.id and ${hasWords(sql`w.words`)})`,
  };
}
