import { sql, type RawBuilder } from 'kysely';
import { searchWordsOf } from '#base/search-words.ts';
import { timeColumns, timeOfRow } from '#server/storage/rows/stored-time.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { dateWords } from './date-words.ts';
import { searchVersion } from './text-words.ts';

/** A text of a recording: its stored words, or the text itself where they are not made yet. */
export interface RecordingText {
  recording_id: string;
  words: string;
  unfolded: string | null;
}

/** Where the words of recordings come from; a feature with texts of its own adds a line to `sources`. */
type SearchSource = (queries: Queries, ids: readonly string[]) => Promise<RecordingText[]>;

/** The text of a row whose words are of other rules, or not made yet. */
const unfolded = (column: string): RawBuilder<string | null> =>
  sql<string | null>`case when words_version = ${searchVersion} then null else ${sql.ref(column)} end`;

const titlesAndPeople: SearchSource = async (queries, ids) => {
  const rows = await queries
    .selectFrom('recordings')
    .innerJoin('users', 'users.id', 'recordings.owner_id')
    .where('recordings.id', 'in', ids)
    .select(['recordings.id', 'recordings.title', 'recordings.people', ...timeColumns, 'users.locale'])
    .execute();
  // The names stand in a JSON array, whose signs are no letters.
  return rows.map((row) => ({
    recording_id: row.id,
    words: '',
    unfolded: [row.title, row.people, ...dateWords(timeOfRow(row), row.locale)].join(' '),
  }));
};

const tagNames: SearchSource = (queries, ids) =>
  queries
    .selectFrom('recording_tags')
    .innerJoin('tags', 'tags.id', 'recording_tags.tag_id')
    .where('recording_tags.recording_id', 'in', ids)
    .select(['recording_tags.recording_id', 'tags.words', unfolded('tags.name').as('unfolded')])
    .execute();

const fileNames: SearchSource = (queries, ids) =>
  queries
    .selectFrom('imported_files')
    .where('recording_id', 'in', ids)
    .select(['recording_id', sql<string>`''`.as('words'), 'file_name as unfolded'])
    .execute();

const markerLabels: SearchSource = (queries, ids) =>
  queries
    .selectFrom('markers')
    .where('recording_id', 'in', ids)
    .where('label', '<>', '')
    .select(['recording_id', 'words', unfolded('label').as('unfolded')])
    .execute();

const noteTexts: SearchSource = (queries, ids) =>
  queries
    .selectFrom('notes')
    .where('recording_id', 'in', ids)
    .select(['recording_id', 'words', unfolded('text').as('unfolded')])
    .execute();

const sources: readonly SearchSource[] = [titlesAndPeople, tagNames, markerLabels, noteTexts, fileNames];

/** All texts of recordings whose texts are short. */
export async function textsOf(queries: Queries, ids: readonly string[]): Promise<RecordingText[]> {
  const texts: RecordingText[] = [];
  for (const source of sources) texts.push(...(await source(queries, ids)));
  return texts;
}

/** The words of a text. */
export const wordsOf = (text: RecordingText): string[] =>
  text.unfolded === null ? text.words.split(' ').filter((word) => word !== '') : searchWordsOf(text.unfolded);

/** Rows that are read at once: fewer bytes than hold anybody up. */
const readTogether = { markers: 200, notes: 5 } as const;

async function* labelsInPieces(
  queries: Queries,
  table: 'markers' | 'notes',
  recordingId: string,
): AsyncGenerator<RecordingText[]> {
  const [column, time] = table === 'markers' ? ['label', 'at_ms'] : ['text', 'from_ms'];
  const { rows } = await sql<{
    id: string;
  }>`select id from ${sql.table(table)} where recording_id = ${recordingId} order by ${sql.ref(time)}, id`.execute(
    queries,
  );
  for (let from = 0; from < rows.length; from += readTogether[table]) {
    const ids = rows.slice(from, from + readTogether[table]).map(({ id }) => id);
    yield await queries
      .selectFrom(table)
      .where('id', 'in', ids)
      .select(['recording_id', 'words', unfolded(column).as('unfolded')])
      .execute();
  }
}

/** All texts of one recording that has very many, piece by piece. */
export async function* textsInPieces(queries: Queries, recordingId: string): AsyncGenerator<RecordingText[]> {
  yield [...(await titlesAndPeople(queries, [recordingId])), ...(await tagNames(queries, [recordingId]))];
  yield* labelsInPieces(queries, 'markers', recordingId);
  yield* labelsInPieces(queries, 'notes', recordingId);
  yield await fileNames(queries, [recordingId]);
}
