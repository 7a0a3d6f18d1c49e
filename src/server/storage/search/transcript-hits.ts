import { sql, type RawBuilder } from 'kysely';
import { locateWords } from '#base/search/locate-words.ts';
import type { WantedWords } from '#base/search-words.ts';
import { withCorrections } from '#base/transcripts/corrections.ts';
import type { Database } from '#server/storage/database/database.ts';
import { correctionsWithin, linesAt } from '#server/storage/rows/transcript-lines.ts';
import { type LabelHit, scoreOf } from './label-hits.ts';

/** How many rows per recording are searched, earliest first. */
const searchedRows = 20_000;
/** How many of the best are read: some may be corrected to other words. */
const readRows = 5;

interface Scored {
  from_ms: number;
  found: number | string;
  alike: number | string;
}

/** The rows with the most wanted words, the earliest of equals first. */
async function bestRows(
  { queries, dialect }: Database,
  table: 'transcript_lines' | 'transcript_corrections',
  { recordingId, wanted }: { recordingId: string; wanted: WantedWords },
): Promise<Scored[]> {
  const score: RawBuilder<number> = scoreOf({ dialect }, wanted);
  const searched = sql`select from_ms, words from ${sql.table(table)} where recording_id = ${recordingId} order by from_ms limit ${sql.lit(searchedRows)}`;
  const scored = sql`select from_ms, ${score} as found from (${searched}) as searched`;
  const { rows } =
    await sql<Scored>`select from_ms, found, count(*) over (partition by found) as alike from (${scored}) as scored where found > 0 order by found desc, from_ms limit ${sql.lit(readRows)}`.execute(
      queries,
    );
  return rows;
}

/** Returns the line of a transcript, as it is shown, with the most wanted words; null if none has any. */
export async function transcriptHitOf(
  database: Database,
  searched: { recordingId: string; wanted: WantedWords },
): Promise<LabelHit | null> {
  const { recordingId, wanted } = searched;
  const heard = await bestRows(database, 'transcript_lines', searched);
  const corrected = await bestRows(database, 'transcript_corrections', searched);
  if (heard.length + corrected.length === 0) return null;
  const corrections = await correctionsWithin(database.queries, { recordingId, fromMs: 0, toMs: Infinity });
  const starts = new Set([...heard, ...corrected].map(({ from_ms: fromMs }) => fromMs));
  const shown = withCorrections(await linesAt(database.queries, recordingId, [...starts]), corrections)
    .filter(({ fromMs }) => starts.has(fromMs))
    .map(({ text, fromMs: atMs }) => ({ text, atMs, found: locateWords(text, wanted).found }))
    .filter(({ found }) => found > 0)
    .toSorted((one, other) => other.found - one.found || one.atMs - other.atMs);
  const [first] = shown;
  if (first === undefined) return null;
  const alike = [...heard, ...corrected]
    .filter(({ found }) => Number(found) === first.found)
    .reduce((max, row) => Math.max(max, Number(row.alike)), 1);
  return { kind: 'transcript', ...first, alike };
}

/** Which of these recordings have words of a transcript. */
export async function withTranscript(
  { queries }: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queries
    .selectFrom('recordings')
    .select('id')
    .where('id', 'in', ids)
    .where((eb) =>
      eb.or([
        eb.exists(
          eb.selectFrom('transcripts').select('recording_id').whereRef('recording_id', '=', 'recordings.id'),
        ),
        eb.exists(
          eb.selectFrom('transcript_corrections').select('id').whereRef('recording_id', '=', 'recordings.id'),
        ),
      ]),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}
