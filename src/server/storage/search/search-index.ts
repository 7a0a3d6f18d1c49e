import { PostgresAdapter } from 'kysely';
import { codePointLength } from '#base/text.ts';
import { searchWordsOf } from '#base/search-words.ts';
import type { Queries } from '../database/database.ts';
import { dateWords } from './date-words.ts';

/** Raised whenever the rules change by which words are made of texts: what was indexed under older ones is then done again. */
export const searchVersion = 1;

/** Where the words of recordings come from; a feature with texts of its own adds a line to `sources`. */
type SearchSource = (queries: Queries, ids: readonly string[]) => Promise<{ recording_id: string; text: string }[]>;

const titlesAndPeople: SearchSource = async (queries, ids) => {
  const rows = await queries.selectFrom('recordings').innerJoin('users', 'users.id', 'recordings.owner_id').where('recordings.id', 'in', ids)
    .select(['recordings.id', 'recordings.title', 'recordings.people', 'recordings.started_at', 'recordings.time_zone', 'users.locale']).execute();
  // The names stand in a JSON array, whose signs are no letters.
  return rows.map((row) => ({ recording_id: row.id, text: [row.title, row.people, ...dateWords(row.started_at, row.time_zone, row.locale)].join(' ') }));
};

const tagNames: SearchSource = (queries, ids) => queries.selectFrom('recording_tags').innerJoin('tags', 'tags.id', 'recording_tags.tag_id')
  .where('recording_tags.recording_id', 'in', ids).select(['recording_tags.recording_id', 'tags.name as text']).execute();

const markerLabels: SearchSource = (queries, ids) => queries.selectFrom('markers').where('recording_id', 'in', ids).where('label', '<>', '').select(['recording_id', 'label as text']).execute();

const fileNames: SearchSource = (queries, ids) => queries.selectFrom('imported_files').where('recording_id', 'in', ids).select(['recording_id', 'file_name as text']).execute();

const noteTexts: SearchSource = (queries, ids) => queries.selectFrom('notes').where('recording_id', 'in', ids).select(['recording_id', 'text']).execute();

const sources: readonly SearchSource[] = [titlesAndPeople, tagNames, markerLabels, noteTexts, fileNames];

/** PostgreSQL takes a mebibyte of words for one recording; what is beyond this is not found. */
const mostCharacters = 250_000;
const together = 200;

/** The word that every recording of an owner has, and nothing that anybody can type: it begins with a private character. */
export const ownerWord = (ownerId: string): string => `\ue000${ownerId.replaceAll('-', '')}`;

/** One text of all its words, with a space around each. */
function joined(words: Iterable<string>): string {
  let text = ' ';
  for (const word of words) {
    if (codePointLength(word) + text.length > mostCharacters) break;
    text += `${word} `;
  }
  return text;
}

/**
 * Lets one transaction after the other change what these recordings are found by; SQLite runs one at a time as it is. Called before rows that
 * hang on a recording are changed or removed: whoever purges it takes it first too, and two who take in different orders wait for each other.
 */
export async function lockRecordings(queries: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0 || !(queries.getExecutor().adapter instanceof PostgresAdapter)) return;
  await queries.selectFrom('recordings').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();
}

async function reindexSome(queries: Queries, ids: readonly string[]): Promise<void> {
  // Without it, of two transactions that each read all texts but the other's, the later one would write over the earlier one's words.
  await lockRecordings(queries, ids);
  const owners = await queries.selectFrom('recordings').select(['id', 'owner_id']).where('id', 'in', ids).execute();
  const words = new Map(owners.map(({ id, owner_id: ownerId }) => [id, new Set([ownerWord(ownerId)])]));
  for (const source of sources) {
    for (const { recording_id: id, text } of await source(queries, ids)) {
      const own = words.get(id);
      for (const word of searchWordsOf(text)) own?.add(word);
    }
  }
  const rows = [...words].map(([id, own]) => ({ recording_id: id, words: joined(own), version: searchVersion }));
  if (rows.length === 0) return;
  await queries.insertInto('recording_words').values(rows)
    .onConflict((conflict) => conflict.column('recording_id').doUpdateSet((eb) => ({ words: eb.ref('excluded.words'), version: eb.ref('excluded.version') }))).execute();
}

/** Makes search find these recordings by what is stored now. Part of the transaction that changes a title, a label, a tag or a name. */
export async function reindexRecordings(queries: Queries, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += together) await reindexSome(queries, ids.slice(from, from + together));
}

/** The same for one recording. */
export const reindexRecording = (queries: Queries, recordingId: string): Promise<void> => reindexRecordings(queries, [recordingId]);
