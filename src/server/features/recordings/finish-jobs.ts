import { z } from 'zod';
import { isStorageOutage } from '#base/errors/storage-outage.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { isEmptyTake } from './empty-take.ts';
import { type ImportJobDeps, publishImport } from './imports/publish-import.ts';
import { namedGapsOf } from './media/named-gaps.ts';
import { timelineOf } from './media/timeline.ts';
import { publishFinished } from './publish-recording.ts';
import { readyColumns } from './ready-columns.ts';
import { purge } from './recordings-service.ts';
import * as store from './recordings-store.ts';
import type { RemuxSegments } from './remux/remux-segments.ts';
import { sealedAudio } from './sealed-audio.ts';

export const finishTakeJob = 'finish-recording';
/** A separate kind, so that hours of ffmpeg work on a folder of files don't delay takes. */
export const finishImportJob = 'finish-import';
const payloadSchema = z.object({ recordingId: z.string() });
/** From this attempt on the recording is shown as failed. Retries continue. */
const attemptsUntilShown = 3;

export interface FinishJobDeps extends ImportJobDeps {
  remux: RemuxSegments;
}

async function isEmpty(
  { measure }: FinishJobDeps,
  row: store.RecordingWithCounts,
  segments: readonly StoredSegment[],
): Promise<boolean> {
  if (row.duration_ms !== 0) return false;
  const stated = { durationMs: row.duration_ms, gaps: namedGapsOf(row) };
  const { durationMs } = await timelineOf(segments, measure, stated);
  return isEmptyTake(row, { durationMs, audio: sealedAudio(segments) });
}

async function finishTake(
  deps: FinishJobDeps,
  row: store.RecordingWithCounts,
  { stored, signal }: { stored: readonly StoredSegment[]; signal: AbortSignal },
): Promise<void> {
  const playable = await deps.remux(stored, { signal });
  if (await isEmpty(deps, row, playable.segments)) {
    await purge(deps, row.id, null);
    return;
  }
  await publishFinished(deps, row, await readyColumns(deps, row, { ...playable, gaps: namedGapsOf(row) }));
}

async function finish(deps: FinishJobDeps, id: string, signal: AbortSignal): Promise<void> {
  const row = await store.findAny(deps.database.queries, id);
  if (!row || (row.state !== 'finishing' && row.state !== 'failed')) return;
  const stored = await deps.uploads.storedSegments(id);
  if (row.source === 'microphone') return finishTake(deps, row, { stored, signal });
  await deps.reserve.admit(0);
  await publishImport(deps, row, { stored, result: await deps.prepareImport(stored, { signal }) });
}

/** Shows a recording as failed so that its owner does not wait for it. Its bytes are complete and stored. */
async function showFailed({ database, clock, announce }: FinishJobDeps, id: string): Promise<void> {
  const changed = await database.queries
    .updateTable('recordings')
    .set({ state: 'failed', updated_at: clock.nowMs() })
    .where('id', '=', id)
    .where('state', '=', 'finishing')
    .returning('owner_id')
    .executeTakeFirst();
  if (changed) announce.recordingChanged(changed.owner_id, id);
}

/**
 * The jobs that make a finished take or import ready: duration, size, hash, peaks pyramid, thumbnail. They can be
 * repeated safely.
 */
export function finishRecordingJobs(deps: FinishJobDeps): JobHandler[] {
  const onSetAside = (payload: unknown) => showFailed(deps, payloadSchema.parse(payload).recordingId);
  const run: JobHandler['run'] = async ({ payload, attempts }, { signal }) => {
    const { recordingId } = payloadSchema.parse(payload);
    try {
      await finish(deps, recordingId, signal);
    } catch (error) {
      // A full disk, or a store that does not respond, is no fault of the recording, which becomes ready afterwards.
      if (attempts >= attemptsUntilShown && !isStorageOutage(error)) {
        await showFailed(deps, recordingId);
      }
      throw error;
    }
  };
  return [
    { kind: finishTakeJob, lane: 'normal', run, onSetAside },
    { kind: finishImportJob, lane: 'long', run, onSetAside },
  ];
}
