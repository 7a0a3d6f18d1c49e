import type { Clock } from '#base/clock.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { AdmitText } from '#server/storage/rows/admit-text.ts';
import type { RecordingBounds } from '#server/storage/rows/recording-bounds.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import type { LabelTable } from '#server/storage/rows/labels-to-add.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';

export interface AnnotationsDeps {
  access: Pick<RecordingAccess, 'recording'>;
  database: Database;
  clock: Clock;
  announce: Pick<ChangeAnnouncer, 'markersChanged' | 'notesChanged' | 'positionChanged'>;
  admitText: AdmitText;
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

/** Names one marker or note. */
export interface LabelKey {
  id: string;
  recordingId: string;
}

/** Deletes those of these markers or notes that exist. */
export async function deleteLabels(
  queries: Queries,
  table: LabelTable,
  { recordingId, ids }: { recordingId: string; ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return;
  await queries.deleteFrom(table).where('recording_id', '=', recordingId).where('id', 'in', ids).execute();
}
