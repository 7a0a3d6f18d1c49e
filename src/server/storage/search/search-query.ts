import { sql, type RawBuilder } from 'kysely';
import type { WantedWords } from '#base/search-words.ts';
import type { Database } from '../database/database.ts';
import { ownerWord } from './search-index.ts';

/** The same search in several shapes: which is quicker depends on how many recordings it finds, and where in the list they stand. */
export interface Search {
  /** By the full-text index: quick where few are found. */
  byIndex: RawBuilder<boolean>;
  /** By the words of each recording that is looked at: quick where many are found and the first of them are wanted. */
  byWords: RawBuilder<boolean>;
  /** By holding each recording that is looked at against all finds of the index: quick where many are found and the first of them stand far behind; null where a database has no use for it. */
  byFinds: RawBuilder<boolean> | null;
  /** How many the index finds, counted no further than `most`. */
  countUpTo(most: number): RawBuilder<{ n: number | string }>;
}

/** Words are letters, digits and marks alone: nothing in them has a meaning to either query language. */
const sqliteMatch = (words: readonly string[], prefix: string | null): string =>
  [...words.map((word) => `"${word}"`), ...(prefix === null ? [] : [`"${prefix}"*`])].join(' AND ');
const postgresMatch = (words: readonly string[], prefix: string | null): string =>
  [...words.map((word) => `'${word}'`), ...(prefix === null ? [] : [`'${prefix}':*`])].join(' & ');

function inSqlite(match: string): Omit<Search, 'byWords'> {
  const found = sql`select rowid from recording_words_index where recording_words_index match ${match}`;
  return {
    byIndex: sql<boolean>`recordings.id in (select recording_id from recording_words where seq in (${found}))`,
    // A lookup in the index of ids alone, where the words would have to be read.
    byFinds: sql<boolean>`(select +w.seq from recording_words as w where w.recording_id = recordings.id) in (${found})`,
    countUpTo: (most) => sql`select count(*) as n from (${found} limit ${most})`,
  };
}

function inPostgres(match: string): Omit<Search, 'byWords'> {
  const found = sql`select recording_id from recording_words where lexemes @@ ${match}::tsquery`;
  return {
    byIndex: sql<boolean>`recordings.id in (${found})`,
    byFinds: null,
    countUpTo: (most) => sql`select count(*) as n from (${found} limit ${most}) as found`,
  };
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
