import { type Transaction, sql } from 'kysely';
import type { ExportedCorrection, ExportedLine, ExportedTranscript } from '#contract/account-export.ts';
import type { RejectedWords, RestoredTranscript } from '#contract/restores-api.ts';
import { correctionTextSchema } from '#contract/values.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import type {
  TranscriptCorrectionRow,
  TranscriptLineRow,
  TranscriptRow,
} from '#server/storage/database/transcript-tables.ts';
import { momentOfClient } from '#server/storage/rows/moments.ts';
import { statementPieces } from '#server/storage/rows/pieces.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { withTextWords } from '#server/storage/search/text-words.ts';
import { alone } from './alone.ts';
import { isCutShort } from './compare-recordings.ts';
import { conflict } from './restore-recording.ts';
import type { AccountImportDeps } from './account-import-deps.ts';
import {
  type RestoredCorrection,
  type RestoredLine,
  type SortedWords,
  sortWords,
  type StoredCorrection,
  type TextCount,
} from './restored-words.ts';

/** A correction with its text as it is stored, if it can be. */
const withStoredText = (correction: ExportedCorrection): ExportedCorrection => ({
  ...correction,
  text: correctionTextSchema.safeParse(correction.text).data ?? correction.text,
});

interface Target {
  recordingId: string;
  ownerId: string;
  nowMs: number;
}

/** The row of a transcript. One that waited or ran where it was exported is stopped: this server has no job for it. */
function transcriptRow({ recordingId, nowMs }: Target, transcript: ExportedTranscript): TranscriptRow {
  const isOver = transcript.state !== 'waiting' && transcript.state !== 'running';
  const updatedAtMs = momentOfClient(transcript.updatedAt, nowMs);
  const endedAtMs = transcript.endedAt === null ? null : momentOfClient(transcript.endedAt, nowMs);
  return {
    recording_id: recordingId,
    ...(isOver
      ? { state: transcript.state, cause: transcript.cause, ended_at: endedAtMs }
      : { state: 'stopped', cause: null, ended_at: updatedAtMs }),
    language: transcript.language,
    model: transcript.model,
    from_ms: transcript.fromMs,
    to_ms: transcript.toMs,
    hears_all: transcript.hearsAll ? 1 : 0,
    heard_to_ms: transcript.heardToMs,
    revision: 1,
    created_at: momentOfClient(transcript.createdAt, nowMs),
    updated_at: updatedAtMs,
  };
}

const lineRow = (
  recordingId: string,
  { fromMs, toMs, chunkFromMs, chunkToMs, times, ...line }: RestoredLine,
): TranscriptLineRow => ({
  ...line,
  recording_id: recordingId,
  from_ms: fromMs,
  to_ms: toMs,
  chunk_from_ms: chunkFromMs,
  chunk_to_ms: chunkToMs,
  times: JSON.stringify(times),
});

const correctionRow = (
  { recordingId, ownerId, nowMs }: Target,
  { fromMs, toMs, createdAt, updatedAt, ...correction }: RestoredCorrection,
): TranscriptCorrectionRow => ({
  ...correction,
  recording_id: recordingId,
  from_ms: fromMs,
  to_ms: toMs,
  created_by: ownerId,
  created_at: momentOfClient(createdAt, nowMs),
  updated_at: momentOfClient(updatedAt, nowMs),
});

async function countTexts(
  queries: Queries,
  table: 'transcript_lines' | 'transcript_corrections',
  recordingId: string,
): Promise<TextCount> {
  const { rows } = await sql<{
    n: number | string;
    characters: number | string | null;
  }>`select count(*) as n, sum(length(text)) as characters from ${sql.table(table)} where recording_id = ${recordingId}`.execute(
    queries,
  );
  return { count: Number(rows[0]?.n), textLength: Number(rows[0]?.characters ?? 0) };
}

/** The stored starts of lines. */
async function startsOf(
  queries: Queries,
  recordingId: string,
  lines: readonly ExportedLine[],
): Promise<Set<number>> {
  if (lines.length === 0) return new Set();
  const rows = await queries
    .selectFrom('transcript_lines')
    .select('from_ms')
    .where('recording_id', '=', recordingId)
    .where(
      'from_ms',
      'in',
      lines.map(({ fromMs }) => fromMs),
    )
    .execute();
  return new Set(rows.map(({ from_ms: fromMs }) => fromMs));
}

/** The corrections of the recording, and those of any recording that have an id of these. */
async function spansOf(
  queries: Queries,
  recordingId: string,
  corrections: readonly ExportedCorrection[],
): Promise<StoredCorrection[]> {
  if (corrections.length === 0) return [];
  const ids = corrections.map(({ id }) => id);
  const rows = await queries
    .selectFrom('transcript_corrections')
    .select(['id', 'recording_id', 'from_ms', 'to_ms'])
    .where((eb) => eb.or([eb('recording_id', '=', recordingId), eb('id', 'in', ids)]))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    isOwn: row.recording_id === recordingId,
    fromMs: row.from_ms,
    toMs: row.to_ms,
  }));
}

type RestoredWords = Pick<RestoredTranscript, 'durationMs'> & Pick<SortedWords, 'lines' | 'corrections'>;

async function sort(queries: Queries, recordingId: string, words: RestoredWords): Promise<SortedWords> {
  const stored = {
    lines: await countTexts(queries, 'transcript_lines', recordingId),
    lineStarts: await startsOf(queries, recordingId, words.lines),
    corrections: await countTexts(queries, 'transcript_corrections', recordingId),
    correctionSpans: await spansOf(queries, recordingId, words.corrections),
  };
  return sortWords(stored, words);
}

async function insert(
  transaction: Transaction<Schema>,
  target: Target,
  { transcript, lines, corrections }: SortedWords & Pick<RestoredTranscript, 'transcript'>,
): Promise<void> {
  if (transcript !== null)
    await transaction
      .insertInto('transcripts')
      .values(transcriptRow(target, transcript))
      .onConflict((onConflict) => onConflict.column('recording_id').doNothing())
      .execute();
  for (const piece of statementPieces(lines))
    await transaction
      .insertInto('transcript_lines')
      .values(piece.map((line) => lineRow(target.recordingId, line)))
      .execute();
  for (const piece of statementPieces(corrections))
    await transaction
      .insertInto('transcript_corrections')
      .values(piece.map((each) => correctionRow(target, each)))
      .execute();
  // Pages compare revisions.
  await transaction
    .updateTable('transcripts')
    .set({ revision: sql<number>`revision + 1` })
    .where('recording_id', '=', target.recordingId)
    .execute();
}

/**
 * Adds lines and corrections of an export to a recording that is being imported. Returns what was left out.
 * @throws not-found (404), restore-conflict (409) once the recording is complete
 */
export async function addImportedTranscript(
  deps: AccountImportDeps,
  { principal, recordingId }: { principal: SessionPrincipal; recordingId: string },
  words: RestoredTranscript,
): Promise<RejectedWords[]> {
  const { userId: ownerId } = principal;
  const textOf = ({ text }: { text: string }): string => text;
  const restored = {
    durationMs: words.durationMs,
    lines: await withTextWords(words.lines, textOf),
    corrections: await withTextWords(words.corrections.map(withStoredText), textOf),
  };
  const rejected = await alone(deps, ownerId, async (transaction) => {
    const row = await deps.access.inTransaction(transaction).recording(principal, recordingId, 'own');
    if (!isCutShort(row)) throw conflict('conflict');
    const sorted = await sort(transaction, recordingId, restored);
    await insert(
      transaction,
      { recordingId, ownerId, nowMs: deps.clock.nowMs() },
      { ...sorted, transcript: words.transcript },
    );
    await reindexRecording(transaction, recordingId);
    return sorted.rejected;
  });
  deps.announce.transcriptChanged(ownerId, recordingId);
  return rejected;
}
