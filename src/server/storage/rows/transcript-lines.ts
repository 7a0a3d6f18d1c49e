import { z } from 'zod';
import type { Correction } from '#base/transcripts/corrections.ts';
import type { Line } from '#base/transcripts/line.ts';
import { durationMsSchema } from '#contract/values.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { TranscriptLineRow } from '#server/storage/database/transcript-tables.ts';
import { believableCount, believableLength } from './believable.ts';

/** A line as the engine heard it. */
export interface HeardLine extends Line, Pick<TranscriptLineRow, 'timing' | 'doubt' | 'cause' | 'language'> {
  /** What the engine heard in one call. */
  chunkFromMs: number;
  chunkToMs: number;
}

const timesSchema = z.array(z.tuple([durationMsSchema, durationMsSchema, z.int().min(0)]));

/** The times of a stored line. If they cannot be read, the whole line has the time of its span. */
function timesOf({
  text,
  times,
  from_ms: fromMs,
  to_ms: toMs,
}: Pick<TranscriptLineRow, 'text' | 'times' | 'from_ms' | 'to_ms'>): Line['times'] {
  let stored: unknown;
  try {
    stored = JSON.parse(times);
  } catch {
    stored = null;
  }
  const parsed = timesSchema.safeParse(stored);
  const isWhole =
    parsed.success && parsed.data.reduce((sum, [, , length]) => sum + length, 0) === text.length;
  if (isWhole) return parsed.data;
  return text === '' ? [] : [[fromMs, toMs, text.length]];
}

function lineOfRow(row: TranscriptLineRow): HeardLine {
  const span = { from_ms: believableLength(row.from_ms), to_ms: believableLength(row.to_ms) };
  const { timing, doubt, cause, language, text } = row;
  return {
    fromMs: span.from_ms,
    toMs: Math.max(span.from_ms, span.to_ms),
    text,
    times: timesOf({ ...row, ...span }),
    chunkFromMs: believableLength(row.chunk_from_ms),
    chunkToMs: believableLength(row.chunk_to_ms),
    timing,
    doubt,
    cause,
    language,
  };
}

const linesOf = (queries: Queries, recordingId: string) =>
  queries
    .selectFrom('transcript_lines')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .orderBy('from_ms');

/** Lines from a moment on, in order of time. */
export async function linesFrom(
  queries: Queries,
  { recordingId, fromMs, count }: { recordingId: string; fromMs: number; count: number },
): Promise<HeardLine[]> {
  const rows = await linesOf(queries, recordingId).where('from_ms', '>=', fromMs).limit(count).execute();
  return rows.map(lineOfRow);
}

/** The lines that begin at these moments, in order of time. */
export async function linesAt(
  queries: Queries,
  recordingId: string,
  startsMs: readonly number[],
): Promise<HeardLine[]> {
  if (startsMs.length === 0) return [];
  const rows = await linesOf(queries, recordingId).where('from_ms', 'in', startsMs).execute();
  return rows.map(lineOfRow);
}

/** The corrections that overlap a span, in order of time. */
export async function correctionsWithin(
  queries: Queries,
  { recordingId, fromMs, toMs }: { recordingId: string; fromMs: number; toMs: number },
): Promise<Correction[]> {
  const rows = await queries
    .selectFrom('transcript_corrections')
    .select(['id', 'from_ms', 'to_ms', 'text', 'revision'])
    .where('recording_id', '=', recordingId)
    .where('from_ms', '<', Math.min(toMs, Number.MAX_SAFE_INTEGER))
    .where('to_ms', '>', fromMs)
    .orderBy('from_ms')
    .execute();
  return rows.map(({ id, from_ms: from, to_ms: to, text, revision }) => ({
    id,
    fromMs: believableLength(from),
    toMs: believableLength(to),
    text,
    revision: Math.max(1, believableCount(revision)),
  }));
}
