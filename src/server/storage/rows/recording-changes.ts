import { believableCount, believableLength } from './believable.ts';
import { missingMsOf } from '#contract/gap-summary.ts';
import type { Gap } from '#contract/recordings.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { RecordingChangeRow } from '#server/storage/database/schema.ts';

/** The longest stored history per recording; later changes are dropped because the first ones matter most. */
const maxHistoryEntries = 1000;

type Change = Pick<RecordingChangeRow, 'recording_id' | 'at' | 'kind' | 'device_label'> &
  Partial<Pick<RecordingChangeRow, 'from_ms' | 'duration_ms' | 'count'>>;

/**
 * Adds a change of a finished recording to its history. Call it in the transaction that makes the change, after
 * the recording's row was changed or locked.
 */
export async function recordChange(queries: Queries, change: Change): Promise<void> {
  // Appends after the last readable position: with a corrupt row in between, a count would give a position that is
  // taken.
  const last = await queries
    .selectFrom('recording_changes')
    .select('position')
    .where('recording_id', '=', change.recording_id)
    .where('position', '>=', 0)
    .where('position', '<', maxHistoryEntries)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  const position = last === undefined ? 0 : last.position + 1;
  if (position >= maxHistoryEntries) return;
  await queries
    .insertInto('recording_changes')
    .values({ position, from_ms: null, duration_ms: null, count: null, ...change })
    .execute();
}

const kinds: readonly string[] = [
  'reopened',
  'segment-added',
  'gaps-added',
  'finished-again',
] satisfies readonly RecordingChangeRow['kind'][];

type Span = Pick<Gap, 'atMs' | 'durationMs' | 'cutMs'>;

/** Records the gaps of a list that an earlier list did not have. Does nothing if there are none. */
export async function recordAddedGaps(
  queries: Queries,
  change: Pick<Change, 'recording_id' | 'at' | 'device_label'>,
  { before, after }: { before: readonly Span[]; after: readonly Span[] },
): Promise<void> {
  const added = after.filter(
    (gap) =>
      !before.some((earlier) => earlier.atMs === gap.atMs && missingMsOf(earlier) === missingMsOf(gap)),
  );
  if (added.length === 0) return;
  const durationMs = added.reduce((sum, gap) => sum + missingMsOf(gap), 0);
  await recordChange(queries, {
    ...change,
    kind: 'gaps-added',
    from_ms: Math.min(...added.map(({ atMs }) => atMs)),
    duration_ms: believableLength(durationMs),
    count: added.length,
  });
}

/**
 * Returns the changes of a recording after it was finished, earliest first. Kinds that this version does not know
 * are left out.
 */
export async function changesOf(queries: Queries, recordingId: string): Promise<RecordingChangeRow[]> {
  const rows = await queries
    .selectFrom('recording_changes')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .orderBy('position')
    .execute();
  return rows
    .filter(({ kind }) => kinds.includes(kind))
    .map((row) => ({
      ...row,
      from_ms: row.from_ms === null ? null : believableLength(row.from_ms),
      duration_ms: row.duration_ms === null ? null : believableLength(row.duration_ms),
      count: row.count === null ? null : Math.max(1, believableCount(row.count)),
    }));
}

/** Returns whether a recording was ever reopened. */
export async function wasReopened(queries: Queries, recordingId: string): Promise<boolean> {
  return (
    (await queries
      .selectFrom('recording_changes')
      .select('position')
      .where('recording_id', '=', recordingId)
      .where('kind', '=', 'reopened')
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}
