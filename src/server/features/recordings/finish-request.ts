import type { z } from 'zod';
import { minute } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import type { FinishReceipt, finishRecordingSchema } from '#contract/recordings.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import { storedBytesWithDerived } from '#server/storage/rows/derived-bytes.ts';
import { recordAddedGaps } from '#server/storage/rows/recording-changes.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { isUnfinished, unfinishedStates } from '#server/storage/rows/unfinished.ts';
import { deviceLabelOf, callerRecording } from './caller-recording.ts';
import { finishImportJob, finishTakeJob } from './finish-jobs.ts';
import { namedGapsOf } from './media/named-gaps.ts';
import { ownBytesOf } from './own-bytes.ts';
import type { RecordingView } from './recording-view.ts';
import type { RecordingsDeps } from './recordings-service.ts';
import { sealedAudio } from './sealed-audio.ts';
import * as store from './recordings-store.ts';

const maxStatedMs = limits.maxTakeMs + minute;

/**
 * Rejects finishing unless every segment from 0 to `segmentCount - 1` is sealed, because finishing states that no
 * more bytes will follow.
 */
function rejectUnsealed(segments: readonly StoredSegment[], segmentCount: number): void {
  const sealed = new Set(sealedAudio(segments).map(({ index }) => index));
  const missing = Array.from({ length: segmentCount }, (_, index) => index).find(
    (index) => !sealed.has(index),
  );
  if (missing === undefined) return;
  const offset =
    segments.find(({ stream, index }) => stream === 'audio' && index === missing)?.sizeBytes ?? 0;
  throw new ProblemError('offset-mismatch', {
    headers: { 'Upload-Offset': String(offset) },
    errors: [{ pointer: '/segmentCount', code: 'unsealed', params: { index: missing } }],
  });
}

/** Rejects a file other than the announced one. */
function rejectAnotherFile(
  { file_size_bytes: sizeBytes, file_sha256: sha256 }: store.RecordingWithCounts,
  segments: readonly StoredSegment[],
): void {
  const [file] = sealedAudio(segments);
  if (!file || (file.sizeBytes === sizeBytes && (sha256 === null || file.sha256 === sha256))) return;
  throw new ProblemError('checksum-mismatch');
}

export type RecordingFinisher = (
  principal: Principal | null,
  id: string,
  wanted: z.output<typeof finishRecordingSchema>,
) => Promise<FinishReceipt>;

/** Marks a take as finished and enqueues the finishing job, in one transaction. Idempotent. */
export function createFinishRecording(deps: RecordingsDeps & { view: RecordingView }): RecordingFinisher {
  return async (principal, id, wanted) => {
    const row = await callerRecording(deps, principal, { id, right: 'change' });
    const receipt = async (): Promise<FinishReceipt> => ({
      id,
      durationMs: (await deps.view.figures((await store.findAny(deps.database.queries, id)) ?? row))
        .durationMs,
    });
    if (!isUnfinished(row)) return receipt();
    const segments = await deps.uploads.storedSegments(id);
    rejectUnsealed(segments, wanted.segmentCount);
    if (row.source === 'import') rejectAnotherFile(row, segments);
    else if (wanted.durationMs !== null && wanted.durationMs > maxStatedMs)
      throw rejectField('/durationMs', 'too-large', { largest: maxStatedMs });
    const nowMs = deps.clock.nowMs();
    // Identifies this finish among those of a reopened take, so it must increase even if the clock goes back.
    const finishedAtMs = Math.max(nowMs, (row.finished_at ?? 0) + 1);
    await deps.database.transaction(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('recordings')
        .set({
          state: 'finishing',
          stored_bytes: await storedBytesWithDerived(transaction, id, ownBytesOf(segments, 0)),
          // The column holds 0 until the server has measured the files.
          duration_ms: wanted.durationMs ?? 0,
          gaps: JSON.stringify(wanted.gaps),
          pauses: JSON.stringify(wanted.pauses),
          microphone_silence_ms: wanted.microphoneSilenceMs ?? null,
          finished_at: finishedAtMs,
          updated_at: nowMs,
        })
        .where('id', '=', id)
        .where('state', 'in', unfinishedStates)
        .executeTakeFirstOrThrow();
      if (Number(numUpdatedRows) === 0) return;
      await transaction.deleteFrom('announced_recordings').where('recording_id', '=', id).execute();
      if (row.finished_at !== null) {
        await recordAddedGaps(
          transaction,
          { recording_id: id, at: nowMs, device_label: await deviceLabelOf(transaction, principal) },
          { before: namedGapsOf(row), after: wanted.gaps },
        );
      }
      await deps.queue.enqueue(transaction, {
        kind: row.source === 'import' ? finishImportJob : finishTakeJob,
        payload: { recordingId: id },
        userId: row.owner_id,
        dedupeKey: `${id} ${finishedAtMs}`,
      });
    });
    // The response is built before the job starts, because the job's duration grows with the length of the take
    // and Stop's must not.
    const stored = await receipt();
    deps.uploads.forget(id);
    await deps.uploads.settle(row.owner_id, id);
    deps.queue.wake();
    deps.announce.recordingChanged(row.owner_id, id);
    return stored;
  };
}
