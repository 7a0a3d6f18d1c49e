import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { pyramidKeyOf } from '#server/storage/blobs/derived-keys.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { OggSegmentReader } from '#server/features/recordings/media/ogg-segment.ts';
import {
  publishFinished,
  setReady,
  settlePublication,
} from '#server/features/recordings/publish-recording.ts';
import { type ReadyColumns, readyColumns } from '#server/features/recordings/ready-columns.ts';
import type { RecordingsDeps } from '#server/features/recordings/recordings-service.ts';
import { type RecordingWithCounts, updateFile } from '#server/features/recordings/recordings-store.ts';
import type { DiscardOtherRemuxes } from '#server/features/recordings/remux/remux-segments.ts';
import { sealedAudio } from '#server/features/recordings/sealed-audio.ts';
import { fileFacts, judgedVersion } from './file-facts.ts';
import type { AudioImport, FailureReason, PreparationResult } from './prepared-import.ts';

/** What the jobs that prepare and publish imports use. */
export interface ImportJobDeps extends RecordingsDeps {
  measure: OggSegmentReader;
  /** Stops at the disk reserve; work on imports writes through it. */
  importBlobs: BlobStore;
  reserve: Pick<DiskReserve, 'admit'>;
  prepareImport: (
    segments: readonly StoredSegment[],
    context: { signal: AbortSignal },
  ) => Promise<PreparationResult>;
  discardOtherRemuxes: DiscardOtherRemuxes;
}

/** What the device uploaded of an import, and what was prepared of it. */
interface Prepared {
  stored: readonly StoredSegment[];
  prepared: AudioImport;
}

/** The size of stored files that something better replaces: the device's peaks, if the server made its own. */
const hiddenBytesOf = (stored: readonly StoredSegment[], shown: readonly StoredSegment[]): number =>
  stored
    .filter(({ blobKey }) => shown.every((each) => each.blobKey !== blobKey))
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Stores what is played of a prepared import, and its facts. */
async function storePrepared(queries: Queries, id: string, prepared: AudioImport): Promise<void> {
  await updateFile(queries, id, fileFacts(prepared));
  for (const { uploadId, remuxedBytes } of sealedAudio(prepared.segments))
    if (remuxedBytes === null)
      await queries
        .updateTable('uploads')
        .set({ remuxed_bytes: null, remuxed_container: null })
        .where('id', '=', uploadId)
        .execute();
}

/** Deletes the files of an import that were played before, or turned out not to be needed. */
async function discardOthers({ discardOtherRemuxes }: ImportJobDeps, prepared: AudioImport): Promise<void> {
  for (const segment of sealedAudio(prepared.segments)) await discardOtherRemuxes(segment);
}

/** The row of an import with the facts found in its file. */
const readRow = (row: RecordingWithCounts, { format, durationMs }: AudioImport): RecordingWithCounts => ({
  ...row,
  container: format.container,
  codec: format.codec,
  sample_rate_hz: format.sampleRateHz,
  channels: format.channels,
  duration_ms: durationMs ?? row.duration_ms,
});

/** The columns of a prepared import that becomes ready. */
const columnsOf = (
  { importBlobs, clock, measure }: ImportJobDeps,
  row: RecordingWithCounts,
  { stored, prepared }: Prepared,
): Promise<ReadyColumns> =>
  readyColumns({ blobs: importBlobs, clock, measure }, row, {
    ...prepared,
    hiddenBytes: hiddenBytesOf(stored, prepared.segments),
  });

/**
 * Marks an import as failed. Its file is kept and can be downloaded, but nothing in it can be played. A retry
 * would have the same result.
 */
async function rejectImport(
  { database, clock, announce }: ImportJobDeps,
  row: RecordingWithCounts,
  facts: { failure_reason: FailureReason; judged_version: number },
): Promise<void> {
  await updateFile(database.queries, row.id, { rendition: 'failed', ...facts });
  await database.queries
    .updateTable('recordings')
    .set({ state: 'failed', updated_at: clock.nowMs() })
    .where('id', '=', row.id)
    .where('state', '=', 'finishing')
    .execute();
  announce.recordingChanged(row.owner_id, row.id);
}

/** Publishes an import that has just been uploaded, or shows why nothing in it can be played. */
export async function publishImport(
  deps: ImportJobDeps,
  found: RecordingWithCounts,
  { stored, result: { prepared, isJudged } }: { stored: readonly StoredSegment[]; result: PreparationResult },
): Promise<void> {
  const judged = judgedVersion(isJudged);
  if (prepared.kind === 'rejected')
    return rejectImport(deps, found, { failure_reason: prepared.reason, ...judged });
  await storePrepared(deps.database.queries, found.id, prepared);
  await updateFile(deps.database.queries, found.id, judged);
  await discardOthers(deps, prepared);
  const row = readRow(found, prepared);
  await publishFinished(deps, row, await columnsOf(deps, row, { stored, prepared }));
}

/**
 * Publishes the new judgement of an import that is ready, or failed because of its contents. The change is atomic, and
 * does not happen if the recording has changed in the meantime.
 */
export async function publishRejudged(
  deps: ImportJobDeps,
  found: RecordingWithCounts,
  { stored, prepared }: Prepared,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  // Part of the new pyramid's key, so that both pyramids exist until the switch.
  const finishedAtMs = Math.max(nowMs, (found.finished_at ?? 0) + 1);
  const row = { ...readRow(found, prepared), finished_at: finishedAtMs };
  const ready = await columnsOf(deps, row, { stored, prepared });
  const isPublished = await deps.database.transaction(async (transaction) => {
    const isReady = await setReady(transaction, found, {
      from: ['ready', 'failed'],
      change: { ...ready, finished_at: finishedAtMs, updated_at: nowMs },
    });
    if (isReady) await storePrepared(transaction, found.id, prepared);
    return isReady;
  });
  await settlePublication(deps, row, isPublished);
  if (!isPublished) return;
  // Until the switch its links play one of them.
  await discardOthers(deps, prepared);
  await deps.blobs.remove(pyramidKeyOf(found));
}
