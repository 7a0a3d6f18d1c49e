import { z } from 'zod';
import { overviewOf } from '#audio/peaks/peaks-overview.ts';
import { buildPyramid } from '#audio/peaks/peaks-pyramid.ts';
import type { finishRecordingSchema, Recording } from '#contract/recordings.ts';
import type { Principal } from '../../http/principal.ts';
import { ProblemError } from '../../http/problem.ts';
import type { JobHandler } from '../../jobs/job-queue.ts';
import type { StoredSegment } from '../uploads/stored-segments.ts';
import type { OggSegmentReader } from './ogg-segment.ts';
import { pyramidKeyOf, readPeaks } from './peaks-of.ts';
import type { RecordingView } from './recording-view.ts';
import { ownedRecording, purge, type RecordingsDeps } from './recordings-service.ts';
import * as store from './recordings-store.ts';

const finishJob = 'finish-recording';
const payloadSchema = z.object({ recordingId: z.string() });
/** No more than the two header pages that open a stream (RFC 7845 §3). */
const headersBytes = 512;
/** From then on the recording says that something is wrong; the attempts go on. */
const attemptsUntilShown = 3;

async function recordingFor(deps: RecordingsDeps, principal: Principal | null, id: string): Promise<store.RecordingWithCounts> {
  if (principal?.kind === 'session') return ownedRecording(deps.database, principal.userId, id);
  if (principal?.recordingId !== id) throw new ProblemError('forbidden');
  const row = await store.findAny(deps.database.queries, id);
  if (!row) throw new ProblemError('not-found');
  return row;
}

const sealedAudio = (segments: readonly StoredSegment[]): StoredSegment[] => segments.filter(({ stream, sealedAtMs }) => stream === 'audio' && sealedAtMs !== null);

/** Every segment from 0 to `segmentCount - 1` must be sealed: finishing says that nothing more will come. */
function refuseUnsealed(segments: readonly StoredSegment[], segmentCount: number): void {
  const sealed = new Set(sealedAudio(segments).map(({ index }) => index));
  const missing = Array.from({ length: segmentCount }, (_, index) => index).find((index) => !sealed.has(index));
  if (missing === undefined) return;
  const offset = segments.find(({ stream, index }) => stream === 'audio' && index === missing)?.sizeBytes ?? 0;
  throw new ProblemError('offset-mismatch', { headers: { 'Upload-Offset': String(offset) }, errors: [{ pointer: '/segmentCount', code: 'unsealed', params: { index: missing } }] });
}

export type FinishRecording = (principal: Principal | null, id: string, wanted: z.output<typeof finishRecordingSchema>) => Promise<Recording>;

/** Takes note that a take is over and puts the finishing aside as a job, in one transaction. Idempotent. */
export function createFinishRecording(deps: RecordingsDeps & { view: RecordingView }): FinishRecording {
  return async (principal, id, wanted) => {
    const row = await recordingFor(deps, principal, id);
    const presented = async () => deps.view.recording(await store.findAny(deps.database.queries, id) ?? row);
    if (row.state !== 'receiving' && row.state !== 'abandoned') return presented();
    refuseUnsealed(await deps.uploads.storedSegments(id), wanted.segmentCount);
    await deps.database.transaction(async (transaction) => {
      const { numUpdatedRows } = await transaction.updateTable('recordings').set({
        state: 'finishing', duration_ms: wanted.durationMs, gaps: JSON.stringify(wanted.gaps), pauses: JSON.stringify(wanted.pauses), updated_at: deps.clock.nowMs(),
      }).where('id', '=', id).where('state', 'in', ['receiving', 'abandoned']).executeTakeFirstOrThrow();
      if (Number(numUpdatedRows) > 0) await deps.queue.enqueue(transaction, { kind: finishJob, payload: { recordingId: id }, dedupeKey: id });
    });
    // The answer is made before the job wakes: its work grows with the length, Stop's must not.
    const recording = await presented();
    deps.uploads.forget(id);
    deps.queue.wake();
    deps.announce.recordingChanged(row.owner_id, id);
    return recording;
  };
}

async function durationOf(segments: readonly StoredSegment[], measure: OggSegmentReader): Promise<number> {
  const ends = await Promise.all(segments.map(async ({ blobKey, sizeBytes, startMs }) => startMs + (await measure(blobKey, sizeBytes)).durationMs));
  return Math.max(0, ...ends);
}

async function finish(deps: RecordingsDeps & { measure: OggSegmentReader }, id: string): Promise<void> {
  const row = await store.findAny(deps.database.queries, id);
  if (!row || (row.state !== 'finishing' && row.state !== 'failed')) return;
  const segments = await deps.uploads.storedSegments(id);
  const audio = sealedAudio(segments);
  const points = await readPeaks(deps.blobs, segments, Infinity);
  await deps.blobs.put(pyramidKeyOf(id), buildPyramid(points));
  const [only] = audio;
  const durationMs = await durationOf(audio, deps.measure);
  const sizeBytes = audio.reduce((sum, segment) => sum + segment.sizeBytes, 0);
  // The device has no sound of it either: a take whose tab died before anything was said.
  if (durationMs === 0 && row.duration_ms === 0 && sizeBytes <= headersBytes) {
    await purge(deps, row);
    return;
  }
  await store.update(deps.database.queries, id, {
    state: 'ready', duration_ms: durationMs, size_bytes: sizeBytes,
    sha256: audio.length === 1 && only ? only.sha256 : null, peaks_points: points.length / 2,
    overview: Buffer.from(overviewOf(points)).toString('base64'), updated_at: deps.clock.nowMs(),
  });
  deps.announce.recordingChanged(row.owner_id, id);
}

/** The job that makes a finished take ready: duration, size, hash, peaks pyramid, thumbnail. Safe to run again. */
export function finishRecordingJob(deps: RecordingsDeps & { measure: OggSegmentReader }): JobHandler {
  return {
    kind: finishJob,
    async run({ payload, attempts }) {
      const { recordingId } = payloadSchema.parse(payload);
      try {
        await finish(deps, recordingId);
      } catch (error) {
        if (attempts >= attemptsUntilShown) {
          await deps.database.queries.updateTable('recordings').set({ state: 'failed', updated_at: deps.clock.nowMs() }).where('id', '=', recordingId).where('state', '=', 'finishing').execute();
        }
        throw error;
      }
    },
  };
}
