import { sql, type RawBuilder } from 'kysely';
import { withCorrections } from '#base/transcripts/corrections.ts';
import { searchWordsOf } from '#base/search-words.ts';
import { earlierTimeColumns, timeOfRow } from '#server/storage/rows/stored-time.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { dateWords } from './date-words.ts';
import { correctionsWithin, linesFrom } from '#server/storage/rows/transcript-lines.ts';
import { searchVersion } from './text-words.ts';

/** A text of a recording: its stored words, or the text itself if they are not yet produced. */
export interface RecordingText {
  recording_id: string;
  words: string;
  unfolded: string | null;
}

/** A source of recordings' words. A feature with texts adds a line to `sources`. */
type SearchSource = (queries: Queries, ids: readonly string[]) => Promise<RecordingText[]>;

/** Selects the text of a row whose words follow other rules or are not yet produced. */
const unfolded = (column: string): RawBuilder<string | null> =>
  sql<string | null>`case when words_version = ${searchVersion} then null else ${sql.ref(column)} end`;

const titlesAndPeople: SearchSource = async (queries, ids) => {
  const rows = await queries
    .selectFrom('recordings')
    .innerJoin('users', 'users.id', 'recordings.owner_id')
    .where('recordings.id', 'in', ids)
    .select(['recordings.id', 'recordings.title', 'recordings.people', ...earlierTimeColumns, 'users.locale'])
    .execute();
  // The names are stored as a JSON array, whose punctuation is not a letter.
  return rows.map((row) => ({
    recording_id: row.id,
    words: '',
    unfolded: [
      row.title,
      row.people,
      ...dateWords(timeOfRow({ ...row, recorded_from: null }), row.locale),
    ].join(' '),
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

/** Counts as this many bytes of text, so that the index job joins a recording with a transcript, alone. */
const transcriptBytes = 1024 * 1024;

/** How many bytes of texts a recording of the query has. */
export const allTextBytes = sql<number>`(recordings.text_bytes + case when exists (select 1 from transcripts where transcripts.recording_id = recordings.id) or exists (select 1 from transcript_corrections where transcript_corrections.recording_id = recordings.id) then ${sql.lit(transcriptBytes)} else 0 end)`;

const sources: readonly SearchSource[] = [titlesAndPeople, tagNames, markerLabels, noteTexts, fileNames];

/** Returns all texts of recordings with short texts. */
export async function textsOf(queries: Queries, ids: readonly string[]): Promise<RecordingText[]> {
  const texts: RecordingText[] = [];
  for (const source of sources) texts.push(...(await source(queries, ids)));
  return texts;
}

/** Returns the words of a text. */
export const wordsOf = (text: RecordingText): string[] =>
  text.unfolded === null ? text.words.split(' ').filter((word) => word !== '') : searchWordsOf(text.unfolded);

/** How many rows are read together: few enough bytes not to delay other requests. */
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

const linesTogether = 500;

/** The words of a transcript as it is shown: a user who corrected a name finds the recording by the right one only. */
async function* transcriptInPieces(queries: Queries, recordingId: string): AsyncGenerator<RecordingText[]> {
  const corrections = await correctionsWithin(queries, { recordingId, fromMs: 0, toMs: Infinity });
  yield corrections.map(({ text }) => ({ recording_id: recordingId, words: '', unfolded: text }));
  for (let fromMs = 0; ;) {
    const lines = await linesFrom(queries, { recordingId, fromMs, count: linesTogether });
    const last = lines.at(-1);
    if (last === undefined) return;
    const heard = withCorrections(lines, corrections).filter(({ correction }) => correction === null);
    yield heard.map(({ text }) => ({ recording_id: recordingId, words: '', unfolded: text }));
    fromMs = last.fromMs + 1;
  }
}

/** Returns all texts of one recording with many texts, in pieces. */
export async function* textsInPieces(queries: Queries, recordingId: string): AsyncGenerator<RecordingText[]> {
  yield [...(await titlesAndPeople(queries, [recordingId])), ...(await tagNames(queries, [recordingId]))];
  yield* labelsInPieces(queries, 'markers', recordingId);
  yield* labelsInPieces(queries, 'notes', recordingId);
  yield await fileNames(queries, [recordingId]);
  yield* transcriptInPieces(queries, recordingId);
}
