import { limits } from '#contract/limits.ts';
import type { Gap, Recording } from '#contract/recordings.ts';
import type { Principal } from '../../http/principal.ts';
import { ProblemError } from '../../http/problem.ts';
import { callerRecording } from './caller-recording.ts';
import { pyramidKeyOf } from './media/peaks-of.ts';
import type { RecordingView } from './recording-view.ts';
import type { RecordingsDeps } from './recordings-service.ts';
import * as store from './recordings-store.ts';

/** What a device says of a take besides its bytes, while it runs or goes on. */
export interface RunningTake {
  /** Replaces the list of gaps; already-finished (409) where the take is over. */
  nameGaps(principal: Principal | null, id: string, gaps: readonly Gap[]): Promise<void>;
  /** Makes a finished recording receive again; already-finished (409) later than a day after it was finished. Idempotent. */
  reopen(principal: Principal | null, id: string): Promise<Recording>;
}

/** The rules of a take that still runs, or runs again. */
export function createRunningTake(deps: RecordingsDeps & { view: RecordingView }): RunningTake {
  const { database, clock, announce } = deps;
  return {
    async nameGaps(principal, id, gaps) {
      const row = await callerRecording(database, principal, id);
      const { numUpdatedRows } = await database.queries.updateTable('recordings').set({ gaps: JSON.stringify(gaps), updated_at: clock.nowMs() })
        .where('id', '=', id).where('state', 'in', ['receiving', 'abandoned']).executeTakeFirstOrThrow();
      if (Number(numUpdatedRows) === 0) throw new ProblemError('already-finished');
      announce.recordingChanged(row.owner_id, id);
    },
    async reopen(principal, id) {
      const row = await callerRecording(database, principal, id);
      const isOver = row.state === 'ready' || row.state === 'finishing' || row.state === 'failed';
      const presented = async () => deps.view.recording(await store.findAny(database.queries, id) ?? row);
      if (!isOver) return presented();
      const nowMs = clock.nowMs();
      if (row.finished_at === null || nowMs - row.finished_at > limits.reopenedWithinMs) throw new ProblemError('already-finished');
      await database.queries.updateTable('recordings').set({ state: 'receiving', sha256: null, overview: null, updated_at: nowMs })
        .where('id', '=', id).where('finished_at', '=', row.finished_at).where('state', 'in', ['ready', 'finishing', 'failed']).execute();
      deps.uploads.forget(id);
      await deps.blobs.remove(pyramidKeyOf(row));
      announce.recordingChanged(row.owner_id, id);
      return presented();
    },
  };
}
