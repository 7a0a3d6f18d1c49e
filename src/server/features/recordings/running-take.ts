import { serverLimits } from '#contract/server-limits.ts';
import type { Gap, ReopenedRecording } from '#contract/recordings.ts';
import type { Principal, SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { deviceLabelOf, callerRecording, readRecording } from './caller-recording.ts';
import { pyramidKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { boundLinks } from '#server/storage/rows/bound-links.ts';
import { recordAddedGaps, recordChange } from '#server/storage/rows/recording-changes.ts';
import { storeAllSent } from '#server/storage/rows/sent-until.ts';
import { isUnfinished, unfinishedStates } from '#server/storage/rows/unfinished.ts';
import { namedGapsOf } from './media/named-gaps.ts';
import type { RecordingView } from './recording-view.ts';
import type { RecordingsDeps } from './recordings-service.ts';
import type { RecordingWithCounts } from './recordings-store.ts';

/** What a device reports about a running or reopened take besides its bytes. */
export interface RunningTake {
  /**
   * Replaces the list of gaps.
   * @throws already-finished (409) if the take is finished
   */
  nameGaps(principal: Principal | null, id: string, gaps: readonly Gap[]): Promise<void>;
  /**
   * Reopens a finished recording so that it receives bytes again, revokes all earlier upload capabilities and
   * issues a new one. Idempotent.
   * @throws already-finished (409) more than `reopenedWithinMs` after it was finished
   */
  reopen(
    principal: SessionPrincipal,
    id: string,
    options: { links: 'bound' | 'continue' },
  ): Promise<ReopenedRecording>;
}

/** The operations on a running or reopened take. */
export function createRunningTake(deps: RecordingsDeps & { view: RecordingView }): RunningTake {
  const { database, clock, announce } = deps;

  /**
   * Reopens a recording. Revokes older capabilities, which would otherwise become valid again although their
   * holders may no longer be entitled to append.
   */
  async function receiveAgain(
    transaction: Queries,
    { row, sessionId, links }: { row: RecordingWithCounts; sessionId: string; links: 'bound' | 'continue' },
  ): Promise<void> {
    const nowMs = clock.nowMs();
    if (row.finished_at === null || nowMs - row.finished_at > serverLimits.reopenedWithinMs)
      throw new ProblemError('already-finished');
    const { numUpdatedRows } = await transaction
      .updateTable('recordings')
      .set({ state: 'receiving', sha256: null, overview: null, updated_at: nowMs })
      .where('id', '=', row.id)
      .where('finished_at', '=', row.finished_at)
      .where('state', 'in', ['ready', 'finishing', 'failed'])
      .executeTakeFirstOrThrow();
    if (Number(numUpdatedRows) === 0) return;
    await storeAllSent(transaction, { ...row, finished_at: row.finished_at });
    // In the transaction that reopens the recording: no sound of the new part arrives before.
    if (links === 'bound') await boundLinks(transaction, row, nowMs);
    await deps.uploads.revokeCapabilities(transaction, row.id);
    await recordChange(transaction, {
      recording_id: row.id,
      at: nowMs,
      kind: 'reopened',
      device_label: await deviceLabelOf(transaction, { kind: 'session', sessionId }),
    });
  }

  return {
    async nameGaps(principal, id, gaps) {
      const row = await callerRecording(deps, principal, { id, right: 'change' });
      const nowMs = clock.nowMs();
      await database.transaction(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('recordings')
          .set({ gaps: JSON.stringify(gaps), updated_at: nowMs })
          .where('id', '=', id)
          .where('state', 'in', unfinishedStates)
          .executeTakeFirstOrThrow();
        if (Number(numUpdatedRows) === 0) throw new ProblemError('already-finished');
        if (row.finished_at === null) return;
        await recordAddedGaps(
          transaction,
          { recording_id: id, at: nowMs, device_label: await deviceLabelOf(transaction, principal) },
          { before: namedGapsOf(row), after: gaps },
        );
      });
      announce.recordingChanged(row.owner_id, id);
    },
    async reopen(principal, id, { links }) {
      const { sessionId } = principal;
      const row = await callerRecording(deps, principal, { id, right: 'own' });
      const isReopened = !isUnfinished(row);
      const upload = await database.transaction(async (transaction) => {
        if (isReopened) await receiveAgain(transaction, { row, sessionId, links });
        return deps.uploads.issueCapability(transaction, { ...principal, recordingId: id });
      });
      if (isReopened) {
        deps.uploads.forget(id, { revoke: true });
        await deps.blobs.remove(pyramidKeyOf(row));
        announce.recordingChanged(row.owner_id, id);
        announce.sharesChanged(row.owner_id, id);
      }
      return { recording: await deps.view.recording(await readRecording(database.queries, id)), upload };
    },
  };
}
