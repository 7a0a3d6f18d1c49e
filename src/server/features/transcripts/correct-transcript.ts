import { sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Principal } from '#server/http/principal.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { misplacementOf } from '#server/storage/rows/recording-bounds.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { correctionsWithin } from '#server/storage/rows/transcript-lines.ts';
import { correctionRow, countRevision } from './transcript-store.ts';
import type { TranscriptsDeps } from './transcripts-deps.ts';

interface NamedCorrection {
  id: string;
  recordingId: string;
  fromMs: number;
  toMs: number;
  text: string;
  /** The revision that the change is based on; 0 for a new correction. */
  revision: number;
}

const find = (queries: Queries, id: string) =>
  queries
    .selectFrom('transcript_corrections')
    .select(['recording_id', 'from_ms', 'to_ms', 'text', 'revision'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Rejects corrections beyond the limits of a recording. */
async function rejectTooMany(queries: Queries, { recordingId, text }: NamedCorrection): Promise<void> {
  const { rows } = await sql<{
    n: number | string;
    characters: number | string | null;
  }>`select count(*) as n, sum(length(text)) as characters from transcript_corrections where recording_id = ${recordingId}`.execute(
    queries,
  );
  const largest = limits.transcript.correctionsPerRecording;
  if (Number(rows[0]?.n) >= largest) throw rejectField('/id', 'too-many', { largest });
  if (Number(rows[0]?.characters ?? 0) + text.length > limits.transcript.maxTextLength)
    throw new ProblemError('too-much-text');
}

/** Rejects a correction that overlaps another one. */
async function rejectOverlap(
  queries: Queries,
  { id, recordingId, fromMs, toMs }: NamedCorrection,
): Promise<void> {
  const others = await correctionsWithin(queries, { recordingId, fromMs, toMs });
  if (others.some((other) => other.id !== id)) throw rejectField('/fromMs', 'overlaps');
}

/** Writes a correction in a transaction that has locked the recording. Returns its revision. */
async function write(
  queries: Queries,
  correction: NamedCorrection & { userId: string; nowMs: number },
): Promise<{ created: boolean; revision: number }> {
  const before = await find(queries, correction.id);
  if (before && before.recording_id !== correction.recordingId) throw rejectField('/id', 'taken');
  const isSame =
    before?.text === correction.text &&
    before.from_ms === correction.fromMs &&
    before.to_ms === correction.toMs;
  // A repeated request: its first reply was lost.
  if (isSame) return { created: false, revision: before.revision };
  if ((before?.revision ?? 0) !== correction.revision) throw new ProblemError('correction-changed');
  await rejectOverlap(queries, correction);
  if (!before) await rejectTooMany(queries, correction);
  const revision = correction.revision + 1;
  const row = correctionRow({ ...correction, revision });
  const { created_at: _createdAt, created_by: _createdBy, id: _id, ...changed } = row;
  await queries
    .insertInto('transcript_corrections')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
    .execute();
  return { created: !before, revision };
}

/** Runs a change of corrections, then updates the search and announces it. */
async function change<Result>(
  { database, clock, announce }: TranscriptsDeps,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
  work: (transaction: Queries) => Promise<Result>,
): Promise<Result> {
  const result = await database.transaction(async (transaction) => {
    await lockRecordings(transaction, [recordingId]);
    const written = await work(transaction);
    await countRevision(transaction, { recordingId, nowMs: clock.nowMs() });
    await reindexRecording(transaction, recordingId);
    return written;
  });
  announce.transcriptChanged(ownerId, recordingId);
  return result;
}

/**
 * Writes other words in place of those of a span; idempotent.
 * @throws ProblemError validation (422) beyond the recording, over another correction or too short; correction-changed
 * (409); too-much-text (413)
 */
export async function putCorrection(
  deps: TranscriptsDeps,
  principal: Principal | null,
  correction: NamedCorrection,
): Promise<{ created: boolean; revision: number }> {
  const { recordingId, fromMs, toMs } = correction;
  const recording = await deps.access.recording(principal, recordingId, 'change');
  const wrong = misplacementOf(recording, { fromMs, toMs });
  if (wrong !== null) throw rejectField(`/${wrong.field}`, wrong.code, wrong.params);
  const ownerId = recording.owner_id;
  const nowMs = deps.clock.nowMs();
  return await change(deps, { ownerId, recordingId }, (transaction) =>
    write(transaction, { ...correction, userId: ownerId, nowMs }),
  );
}

/** Deletes a correction; idempotent. */
export async function removeCorrection(
  deps: TranscriptsDeps,
  principal: Principal | null,
  { id, recordingId }: { id: string; recordingId: string },
): Promise<void> {
  const { owner_id: ownerId } = await deps.access.recording(principal, recordingId, 'change');
  await change(deps, { ownerId, recordingId }, async (transaction) => {
    await transaction
      .deleteFrom('transcript_corrections')
      .where('id', '=', id)
      .where('recording_id', '=', recordingId)
      .execute();
  });
}
