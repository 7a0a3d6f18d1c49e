import { sql } from 'kysely';
import { locateWords, termsOf } from '#base/search/locate-words.ts';
import { type WantedWords, wantedWordsOf } from '#base/search-words.ts';
import { withCorrections } from '#base/transcripts/corrections.ts';
import { wordsOfLine } from '#base/transcripts/line.ts';
import { limits } from '#contract/limits.ts';
import type { TranscriptHit, TranscriptLine } from '#contract/transcripts-api.ts';
import type { Database } from '#server/storage/database/database.ts';
import { hasAllWords } from '#server/storage/search/search-query.ts';
import { presentLine } from './read-transcript.ts';
import { correctionsWithin, type HeardLine, linesAt } from '#server/storage/rows/transcript-lines.ts';

function hitIn(line: TranscriptLine, wanted: WantedWords): TranscriptHit | null {
  const { found, places } = locateWords(line.text, wanted);
  const [first] = places;
  if (first === undefined || found < termsOf(wanted).length) return null;
  let at = 0;
  const word = wordsOfLine(line).find((_word, index) => {
    at += line.times[index]?.[2] ?? 0;
    return at > first.from;
  });
  return {
    fromMs: line.fromMs,
    toMs: line.toMs,
    atMs: word?.fromMs ?? line.fromMs,
    text: line.text,
    ranges: places.map(({ from, to }) => [from, to]),
  };
}

/** The starts of the lines whose words, as the engine heard them, contain all wanted words. */
async function heardWith(
  { queries, dialect }: Database,
  { recordingId, wanted, count }: { recordingId: string; wanted: WantedWords; count: number },
): Promise<HeardLine[]> {
  const rows = await queries
    .selectFrom('transcript_lines')
    .select('from_ms')
    .where('recording_id', '=', recordingId)
    .where(hasAllWords(dialect, wanted, sql.ref('words')))
    .orderBy('from_ms')
    .limit(count)
    .execute();
  return await linesAt(
    queries,
    recordingId,
    rows.map(({ from_ms: fromMs }) => fromMs),
  );
}

/** Finds the lines of a transcript, as they are shown, that contain all typed words. */
export async function findLines(
  database: Database,
  { recordingId, typed }: { recordingId: string; typed: string },
): Promise<{ items: TranscriptHit[]; isComplete: boolean }> {
  const wanted = wantedWordsOf(typed);
  if (wanted === null) return { items: [], isComplete: true };
  const count = limits.transcript.hits + 1;
  const heard = await heardWith(database, { recordingId, wanted, count });
  const corrections = await correctionsWithin(database.queries, { recordingId, fromMs: 0, toMs: Infinity });
  const items = withCorrections(heard, corrections).flatMap((line) => hitIn(presentLine(line), wanted) ?? []);
  return {
    items: items.slice(0, limits.transcript.hits),
    isComplete: heard.length < count && items.length <= limits.transcript.hits,
  };
}
