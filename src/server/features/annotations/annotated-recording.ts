import type { Clock } from '#base/clock.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { AdmitText } from '#server/storage/rows/admit-text.ts';
import { findBounds, type RecordingBounds } from '#server/storage/rows/recording-bounds.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';

export interface AnnotationsDeps {
  database: Database;
  clock: Clock;
  announce: Pick<ChangeAnnouncer, 'markersChanged' | 'notesChanged' | 'positionChanged'>;
  admitText: AdmitText;
}

/**
 * Finds the recording of this owner.
 * @throws not-found (404)
 */
export async function ownersRecording(
  queries: Queries,
  ownerId: string,
  recordingId: string,
): Promise<RecordingBounds> {
  const recording = await findBounds(queries, recordingId, ownerId);
  if (!recording) throw new ProblemError('not-found');
  return recording;
}

/**
 * Finds the recording of the session's user.
 * @throws not-found (404), also for every other kind of principal
 */
export async function sessionsRecording(
  queries: Queries,
  principal: Principal | null,
  recordingId: string,
): Promise<RecordingBounds> {
  if (principal?.kind !== 'session') throw new ProblemError('not-found');
  return ownersRecording(queries, principal.userId, recordingId);
}

/** Finds the recording that a principal may annotate: its owner's session, or its own capability. */
export async function annotatedRecording(
  queries: Queries,
  principal: Principal | null,
  recordingId: string,
): Promise<RecordingBounds> {
  if (principal?.kind !== 'upload-capability') return sessionsRecording(queries, principal, recordingId);
  if (principal.recordingId !== recordingId) throw new ProblemError('forbidden');
  const recording = await findBounds(queries, recordingId);
  if (!recording) throw new ProblemError('not-found');
  return recording;
}

/** The bearer of a capability annotates a take until it is finished: already-finished (409) afterwards. */
export function rejectFinishedForBearer(principal: Principal | null, recording: RecordingBounds): void {
  if (principal?.kind !== 'session' && !isUnfinished(recording)) throw new ProblemError('already-finished');
}

/** Runs work in a transaction that locks the recording's search data. */
export const withLockedRecording = (
  database: Database,
  recordingId: string,
  work: (transaction: Queries) => Promise<void>,
): Promise<void> =>
  database.transaction(async (transaction) => {
    await lockRecordings(transaction, [recordingId]);
    await work(transaction);
  });

export type LabelTable = 'markers' | 'notes';

/** Deletes those of these markers or notes that exist. */
export async function deleteLabels(
  queries: Queries,
  table: LabelTable,
  { recordingId, ids }: { recordingId: string; ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return;
  await queries.deleteFrom(table).where('recording_id', '=', recordingId).where('id', 'in', ids).execute();
}
