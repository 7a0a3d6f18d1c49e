import type { Transaction } from 'kysely';
import { z } from 'zod';
import { overviewOfSource } from '#audio/peaks/peaks-overview.ts';
import { minute } from '#base/duration.ts';
import { isStorageOutage } from '#base/errors/storage-outage.ts';
import { limits } from '#contract/limits.ts';
import type { FinishReceipt, finishRecordingSchema, Gap } from '#contract/recordings.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { RecordingRow, Schema } from '#server/storage/database/schema.ts';
import { storedBytesWithDerived } from '#server/storage/rows/derived-bytes.ts';
import { recordAddedGaps, recordChange, wasReopened } from '#server/storage/rows/recording-changes.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { isUnfinished, unfinishedStates } from '#server/storage/rows/unfinished.ts';
import { deviceLabelOf, callerRecording } from './caller-recording.ts';
import { isEmptyTake } from './empty-take.ts';
import type { PreparationResult, FailureReason, AudioImport } from './imports/prepared-import.ts';
import { fileFacts, judgedVersion } from './imports/file-facts.ts';
import type { OggSegmentReader } from './media/ogg-segment.ts';
import { peaksSource, storePyramid } from './media/peaks-of.ts';
import { pyramidKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { namedGapsOf } from './media/named-gaps.ts';
import { ownBytesOf } from './own-bytes.ts';
import type { RecordingView } from './recording-view.ts';
import { purge, type RecordingsDeps } from './recordings-service.ts';
import type { DiscardOtherRemuxes, PlayableSegments, RemuxSegments } from './remux/remux-segments.ts';
import * as store from './recordings-store.ts';
import { timelineOf } from './media/timeline.ts';

const finishTakeJob = 'finish-recording';
/** A separate kind, so that hours of ffmpeg work on a folder of files don't delay takes. */
const finishImportJob = 'finish-import';
const payloadSchema = z.object({ recordingId: z.string() });
/** From this attempt on the recording is shown as failed. Retries continue. */
const attemptsUntilShown = 3;
const maxStatedMs = limits.maxTakeMs + minute;

const sealedAudio = (segments: readonly StoredSegment[]): StoredSegment[] =>
  segments.filter(({ stream, sealedAtMs }) => stream === 'audio' && sealedAtMs !== null);

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

/**
 * A gap caused by a killed page is at the end. If the server has more sound than the device had left, moves the
 * gap behind it.
 */
const behindSound = (gaps: readonly Gap[], statedMs: number, soundMs: number): Gap[] =>
  gaps.map((gap) =>
    gap.cause === 'page-killed' && gap.atMs >= statedMs ? { ...gap, atMs: Math.max(gap.atMs, soundMs) } : gap,
  );

/** The columns of a recording that becomes ready. `stored_bytes` counts its own files alone. */
type ReadyColumns = Partial<RecordingRow> & Pick<RecordingRow, 'stored_bytes'>;
type Become = (change: ReadyColumns) => Promise<boolean>;

/** Makes a recording ready, unless it was reopened, finished again or deleted in the meantime. */
async function setReady(
  transaction: Transaction<Schema>,
  row: store.RecordingWithCounts,
  { from, change }: { from: readonly RecordingRow['state'][]; change: ReadyColumns },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('recordings')
    .set({
      ...change,
      state: 'ready',
      stored_bytes: await storedBytesWithDerived(transaction, row.id, change.stored_bytes),
    })
    .where('id', '=', row.id)
    .where('state', 'in', from)
    .where('finished_at', row.finished_at === null ? 'is' : '=', row.finished_at)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Only the newest finish may make a recording ready. A recording that was reopened in the meantime is receiving,
 * or waits for its next finish.
 */
async function becomeReady(
  deps: RecordingsDeps,
  row: store.RecordingWithCounts,
  change: ReadyColumns,
): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  return deps.database.transaction(async (transaction) => {
    const isReady = await setReady(transaction, row, {
      from: ['finishing', 'failed'],
      change: { ...change, updated_at: nowMs },
    });
    if (!isReady) return false;
    if (await wasReopened(transaction, row.id))
      await recordChange(transaction, {
        recording_id: row.id,
        at: nowMs,
        kind: 'finished-again',
        device_label: '',
        duration_ms: change.duration_ms ?? null,
      });
    return true;
  });
}

/** The size of stored files that something better replaces: the device's peaks, if the server made its own. */
const hiddenBytesOf = (stored: readonly StoredSegment[], shown: readonly StoredSegment[]): number =>
  stored
    .filter(({ blobKey }) => shown.every((each) => each.blobKey !== blobKey))
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

async function finish(deps: FinishJobDeps, id: string, signal: AbortSignal): Promise<void> {
  const found = await store.findAny(deps.database.queries, id);
  if (!found || (found.state !== 'finishing' && found.state !== 'failed')) return;
  const stored = await deps.uploads.storedSegments(id);
  if (found.source === 'microphone') {
    await makeReady(deps, found, await deps.remux(stored, { signal }));
    return;
  }
  await deps.reserve.admit(0);
  const { prepared, isJudged } = await deps.prepareImport(stored, { signal });
  const judged = judgedVersion(isJudged);
  if (prepared.kind === 'rejected')
    return rejectImport(deps, found, { failure_reason: prepared.reason, ...judged });
  await storePrepared(deps.database.queries, id, prepared);
  await store.updateFile(deps.database.queries, id, judged);
  await discardOthers(deps, prepared);
  await makeReady({ ...deps, blobs: deps.importBlobs }, readRow(found, prepared), {
    ...prepared,
    hiddenBytes: hiddenBytesOf(stored, prepared.segments),
  });
}

/** Stores what is played of a prepared import, and its facts. */
async function storePrepared(queries: Queries, id: string, prepared: AudioImport): Promise<void> {
  await store.updateFile(queries, id, fileFacts(prepared));
  for (const { uploadId, remuxedBytes } of sealedAudio(prepared.segments))
    if (remuxedBytes === null)
      await queries
        .updateTable('uploads')
        .set({ remuxed_bytes: null, remuxed_container: null })
        .where('id', '=', uploadId)
        .execute();
}

/** Deletes the files of an import that were played before, or turned out not to be needed. */
async function discardOthers({ discardOtherRemuxes }: FinishJobDeps, prepared: AudioImport): Promise<void> {
  for (const segment of sealedAudio(prepared.segments)) await discardOtherRemuxes(segment);
}

/** The row of an import with the facts found in its file. */
const readRow = (
  row: store.RecordingWithCounts,
  { format, durationMs }: AudioImport,
): store.RecordingWithCounts => ({
  ...row,
  container: format.container,
  codec: format.codec,
  sample_rate_hz: format.sampleRateHz,
  channels: format.channels,
  duration_ms: durationMs ?? row.duration_ms,
});

/**
 * Shows the new judgement of an import that is ready, or failed because of its contents. The change is atomic, and
 * does not happen if the recording has changed in the meantime.
 */
export async function showJudgedAgain(
  deps: FinishJobDeps,
  row: store.RecordingWithCounts,
  { stored, prepared }: { stored: readonly StoredSegment[]; prepared: AudioImport },
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  // Part of the new pyramid's key, so that both pyramids exist until the switch.
  const finishedAtMs = Math.max(nowMs, (row.finished_at ?? 0) + 1);
  const become: Become = (change) =>
    deps.database.transaction(async (transaction) => {
      const isReady = await setReady(transaction, row, {
        from: ['ready', 'failed'],
        change: { ...change, finished_at: finishedAtMs, updated_at: nowMs },
      });
      if (!isReady) return false;
      await storePrepared(transaction, row.id, prepared);
      return true;
    });
  const judged = { ...readRow(row, prepared), finished_at: finishedAtMs };
  const isShown = await makeReady({ ...deps, blobs: deps.importBlobs }, judged, {
    ...prepared,
    hiddenBytes: hiddenBytesOf(stored, prepared.segments),
    become,
  });
  if (!isShown) return;
  // Until the switch its links play one of them.
  await discardOthers(deps, prepared);
  await deps.blobs.remove(pyramidKeyOf(row));
}

/**
 * Marks an import as failed. Its file is kept and can be downloaded, but nothing in it can be played. A retry
 * would have the same result.
 */
async function rejectImport(
  { database, clock, announce }: FinishJobDeps,
  row: store.RecordingWithCounts,
  facts: { failure_reason: FailureReason; judged_version: number },
): Promise<void> {
  await store.updateFile(database.queries, row.id, { rendition: 'failed', ...facts });
  await database.queries
    .updateTable('recordings')
    .set({ state: 'failed', updated_at: clock.nowMs() })
    .where('id', '=', row.id)
    .where('state', '=', 'finishing')
    .execute();
  announce.recordingChanged(row.owner_id, row.id);
}

/**
 * Makes a recording ready. If its timestamps are absurd it is shown as damaged: its playable part is played, the
 * original is kept, and nothing is retried.
 */
async function makeReady(
  deps: FinishJobDeps,
  row: store.RecordingWithCounts,
  {
    segments,
    hasAbsurdTimes,
    gaps,
    hiddenBytes = 0,
    become = (change) => becomeReady(deps, row, change),
  }: PlayableSegments & { gaps?: Gap[]; hiddenBytes?: number; become?: Become },
): Promise<boolean> {
  const audio = sealedAudio(segments);
  const named = gaps ?? namedGapsOf(row);
  const { durationMs } = await timelineOf(segments, deps.measure, {
    durationMs: row.duration_ms,
    gaps: named,
  });
  const sizeBytes = audio.reduce((sum, segment) => sum + segment.sizeBytes, 0);
  if (row.source === 'microphone' && isEmptyTake(row, { durationMs, audio })) {
    await purge(deps, row.id, null);
    return false;
  }
  const peaks = peaksSource(deps.blobs, segments);
  const pyramidSizeBytes = await storePyramid(deps.blobs, pyramidKeyOf(row), peaks);
  const [only] = audio;
  const isReady = await become({
    duration_ms: durationMs,
    gaps: JSON.stringify(behindSound(named, row.duration_ms, durationMs)),
    size_bytes: sizeBytes,
    stored_bytes: ownBytesOf(segments, pyramidSizeBytes + hiddenBytes),
    sha256: audio.length === 1 && only ? only.sha256 : null,
    peaks_points: peaks.points,
    overview: Buffer.from(await overviewOfSource(peaks)).toString('base64'),
    distrusted_at: hasAbsurdTimes ? deps.clock.nowMs() : null,
    container: row.container,
    codec: row.codec,
    sample_rate_hz: row.sample_rate_hz,
    channels: row.channels,
  });
  if (isReady) deps.announce.recordingChanged(row.owner_id, row.id);
  else await deps.blobs.remove(pyramidKeyOf(row));
  return isReady;
}

export type FinishJobDeps = RecordingsDeps & {
  measure: OggSegmentReader;
  remux: RemuxSegments;
  /** Stops at the disk reserve; work on imports writes through it. */
  importBlobs: BlobStore;
  reserve: Pick<DiskReserve, 'admit'>;
  prepareImport: (
    segments: readonly StoredSegment[],
    context: { signal: AbortSignal },
  ) => Promise<PreparationResult>;
  discardOtherRemuxes: DiscardOtherRemuxes;
};

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
