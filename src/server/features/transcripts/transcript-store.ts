import { sql } from 'kysely';
import { instantOf } from '#base/instant.ts';
import type { Correction } from '#base/transcripts/corrections.ts';
import type { Line } from '#base/transcripts/line.ts';
import type { HeardChunk } from '#server/transcribers/transcriber.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type {
  TranscriptCorrectionRow,
  TranscriptLineRow,
  TranscriptRow,
} from '#server/storage/database/transcript-tables.ts';
import { believableCount, believableLength, believableMoment } from '#server/storage/rows/believable.ts';
import { statementPieces } from '#server/storage/rows/pieces.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';

/** Reads the transcript of a recording; undefined if it was never transcribed. */
export async function findTranscript(
  queries: Queries,
  recordingId: string,
): Promise<TranscriptRow | undefined> {
  const row = await queries
    .selectFrom('transcripts')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .executeTakeFirst();
  return (
    row && {
      ...row,
      from_ms: believableLength(row.from_ms),
      to_ms: row.to_ms === null ? null : believableLength(row.to_ms),
      heard_to_ms: believableLength(row.heard_to_ms),
      revision: believableCount(row.revision),
      ended_at: row.ended_at === null ? null : believableMoment(row.ended_at),
    }
  );
}

/** Changes a transcript that is in one of these states. Returns whether it was. */
export async function changeTranscript(
  queries: Queries,
  { recordingId, from }: { recordingId: string; from: readonly TranscriptRow['state'][] },
  change: Partial<Omit<TranscriptRow, 'recording_id' | 'revision'>> & { updated_at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('transcripts')
    .set({ ...change, revision: sql<number>`revision + 1` })
    .where('recording_id', '=', recordingId)
    .where('state', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Notes how far a running transcription is. Returns false if it was stopped, or if its recording went to the trash or
 * was continued.
 */
export async function advanceTranscript(
  queries: Queries,
  { recordingId, heardToMs, nowMs }: { recordingId: string; heardToMs: number; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('transcripts')
    .set({ heard_to_ms: heardToMs, updated_at: nowMs, revision: sql<number>`revision + 1` })
    .where('recording_id', '=', recordingId)
    .where('state', '=', 'running')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('recordings')
          .select('id')
          .where('id', '=', recordingId)
          .where('state', '=', 'ready')
          .where('deleted_at', 'is', null),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts a change of corrections, also where nothing was ever transcribed. */
export async function countRevision(
  queries: Queries,
  { recordingId, nowMs }: { recordingId: string; nowMs: number },
): Promise<void> {
  await queries
    .updateTable('transcripts')
    .set({ revision: sql<number>`revision + 1`, updated_at: nowMs })
    .where('recording_id', '=', recordingId)
    .execute();
}

/** What an engine heard, or a stretch that it did not get. */
export type StoredChunk = Omit<HeardChunk, 'cause'> & { cause: TranscriptLineRow['cause'] };

/** The rows of what was heard. A chunk with a cause, or without words in it, has none but its hole. */
export function rowsOfChunk(
  recordingId: string,
  chunk: StoredChunk,
  lines: readonly Line[],
): TranscriptLineRow[] {
  const { timing, doubt, cause, language } = chunk;
  const heard =
    lines.length > 0 || cause === null
      ? lines
      : [{ fromMs: chunk.fromMs, toMs: chunk.toMs, text: '', times: [] }];
  return heard.map(({ fromMs, toMs, text, times }) => ({
    recording_id: recordingId,
    from_ms: Math.round(fromMs),
    to_ms: Math.round(toMs),
    chunk_from_ms: Math.round(chunk.fromMs),
    chunk_to_ms: Math.round(chunk.toMs),
    timing,
    doubt,
    cause: lines.length > 0 ? null : cause,
    language,
    text,
    times: JSON.stringify(times.map(([from, to, length]) => [Math.round(from), Math.round(to), length])),
    ...wordColumnsOf(text),
  }));
}

/**
 * Lets a stretch without speech that ends where this chunk starts last as long as the chunk. Returns false if there is
 * none. An hour of music is one line, not 130.
 */
export async function extendSilence(
  queries: Queries,
  recordingId: string,
  { fromMs, toMs }: Pick<StoredChunk, 'fromMs' | 'toMs'>,
): Promise<boolean> {
  const to = Math.round(toMs);
  const { numUpdatedRows } = await queries
    .updateTable('transcript_lines')
    .set({ to_ms: to, chunk_to_ms: to })
    .where('recording_id', '=', recordingId)
    .where('cause', '=', 'no-speech')
    .where('to_ms', '=', Math.round(fromMs))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Replaces the lines that begin in a span by others. */
export async function replaceLines(
  queries: Queries,
  { recordingId, fromMs, toMs }: { recordingId: string; fromMs: number; toMs: number },
  rows: readonly TranscriptLineRow[],
): Promise<void> {
  await queries
    .deleteFrom('transcript_lines')
    .where('recording_id', '=', recordingId)
    .where('from_ms', '>=', fromMs)
    .where('from_ms', '<', toMs)
    .execute();
  for (const piece of statementPieces(rows))
    await queries
      .insertInto('transcript_lines')
      .values(piece)
      .onConflict((conflict) => conflict.columns(['recording_id', 'from_ms']).doNothing())
      .execute();
}

/** Deletes a transcript with its corrections. Returns whether there was anything. */
export async function deleteTranscript(queries: Queries, recordingId: string): Promise<boolean> {
  let deleted = 0n;
  for (const table of ['transcripts', 'transcript_lines', 'transcript_corrections'] as const) {
    const { numDeletedRows } = await queries
      .deleteFrom(table)
      .where('recording_id', '=', recordingId)
      .executeTakeFirst();
    deleted += numDeletedRows;
  }
  return deleted > 0n;
}

const dayOf = (nowMs: number): string => instantOf(nowMs).slice(0, 'yyyy-mm-dd'.length);

/** How much sound was transcribed for a user today, in milliseconds. */
export async function transcribedTodayMs(
  queries: Queries,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<number> {
  const row = await queries
    .selectFrom('transcribed_days')
    .select('sound_ms')
    .where('user_id', '=', userId)
    .where('day', '=', dayOf(nowMs))
    .executeTakeFirst();
  return row === undefined ? 0 : believableCount(row.sound_ms);
}

/** Counts sound that was transcribed for a user. Earlier days are forgotten. */
export async function countTranscribed(
  queries: Queries,
  { userId, nowMs, soundMs }: { userId: string; nowMs: number; soundMs: number },
): Promise<void> {
  if (soundMs <= 0) return;
  const day = dayOf(nowMs);
  await queries
    .insertInto('transcribed_days')
    .values({ user_id: userId, day, sound_ms: soundMs })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'day'])
        .doUpdateSet({ sound_ms: sql<number>`transcribed_days.sound_ms + ${soundMs}` }),
    )
    .execute();
  await queries.deleteFrom('transcribed_days').where('user_id', '=', userId).where('day', '<', day).execute();
}

/** The row of a new correction. */
export const correctionRow = (
  correction: Correction & { recordingId: string; userId: string; nowMs: number },
): TranscriptCorrectionRow => ({
  id: correction.id,
  recording_id: correction.recordingId,
  from_ms: correction.fromMs,
  to_ms: correction.toMs,
  text: correction.text,
  revision: correction.revision,
  created_by: correction.userId,
  created_at: correction.nowMs,
  updated_at: correction.nowMs,
  ...wordColumnsOf(correction.text),
});
