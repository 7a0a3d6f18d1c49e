import type { Clock } from '#base/clock.ts';
import { limits } from '#contract/limits.ts';
import type { Passage, PutPassage } from '#contract/passages-api.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { PassageRow, RecordingRow } from '#server/storage/database/schema.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { latestMomentMs } from '#server/storage/rows/recording-bounds.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';

/** Up to where listeners may have listened, also if everything before `atMs` has arrived. */
type ListenedUntil = (queries: Queries, recordingId: string, atMs?: number) => Promise<number>;

export interface PassagesDeps {
  access: Pick<RecordingAccess, 'recording'>;
  database: Database;
  clock: Clock;
  announce: Pick<ChangeAnnouncer, 'recordingChanged'>;
  listenedUntilMs: ListenedUntil;
}

interface NamedPassage extends PutPassage {
  id: string;
  recordingId: string;
}

type Lockable = Pick<RecordingRow, 'state' | 'duration_ms'>;

const present = ({ id, from_ms: fromMs, to_ms: toMs }: PassageRow): Passage => ({ id, fromMs, toMs });

const find = (queries: Queries, id: string): Promise<PassageRow | undefined> =>
  queries.selectFrom('passages').selectAll().where('id', '=', id).executeTakeFirst();

/**
 * Ends a passage that has not ended, and no earlier than listeners have got silence: bytes that were given never change.
 * Of a finished recording every link has given all, so only its owner shortens it, by releasing the passage. A repeated
 * request changes nothing.
 * @throws validation (422) if the id is one of another recording
 */
async function end(
  { listenedUntilMs }: PassagesDeps,
  queries: Queries,
  { row, recording, passage }: { row: PassageRow; recording: Lockable; passage: NamedPassage },
): Promise<PassageRow> {
  const { recordingId, toMs } = passage;
  if (row.recording_id !== recordingId) throw rejectField('/id', 'taken');
  if (row.to_ms !== null || toMs === null) return row;
  const givenMs = isUnfinished(recording)
    ? await listenedUntilMs(queries, recordingId)
    : recording.duration_ms;
  const ended = { ...row, to_ms: Math.max(row.from_ms, toMs, Math.ceil(givenMs)) };
  await queries.updateTable('passages').set({ to_ms: ended.to_ms }).where('id', '=', row.id).execute();
  return ended;
}

/**
 * Stores a new passage. It starts where no listener has listened yet: the bytes after `atMs` are sent only once this
 * is stored, so what links have given ends at their delay before it.
 * @throws validation (422) beyond the limit of passages
 */
async function insert(
  { clock, listenedUntilMs }: PassagesDeps,
  queries: Queries,
  { id, recordingId, atMs, toMs }: NamedPassage,
): Promise<PassageRow> {
  const { n } = await queries
    .selectFrom('passages')
    .select(({ fn }) => fn.countAll<number | string>().as('n'))
    .where('recording_id', '=', recordingId)
    .executeTakeFirstOrThrow();
  const largest = limits.passagesPerRecording;
  if (Number(n) >= largest) throw rejectField('/id', 'too-many', { largest });
  const givenMs = await listenedUntilMs(queries, recordingId);
  const givenAtPressMs = await listenedUntilMs(queries, recordingId, atMs);
  const fromMs = Math.ceil(Math.min(Math.max(atMs, givenMs), givenAtPressMs));
  const row: PassageRow = {
    id,
    recording_id: recordingId,
    from_ms: fromMs,
    to_ms: toMs === null ? null : Math.max(fromMs, toMs),
    created_at: clock.nowMs(),
    released_at: null,
  };
  await queries.insertInto('passages').values(row).execute();
  return row;
}

/**
 * Takes a passage of a running take off the record, or ends it. Idempotent.
 * @throws already-finished (409) for a new one of a finished recording; validation (422)
 */
export async function putPassage(
  deps: PassagesDeps,
  principal: Principal | null,
  passage: NamedPassage,
): Promise<{ created: boolean; passage: Passage }> {
  const { access, database, announce } = deps;
  const recording = await access.recording(principal, passage.recordingId, 'change');
  const largest = latestMomentMs(recording);
  if (passage.atMs > largest) throw rejectField('/atMs', 'too-large', { largest });
  if ((passage.toMs ?? 0) > largest) throw rejectField('/toMs', 'too-large', { largest });
  if (passage.toMs !== null && passage.toMs < passage.atMs)
    throw rejectField('/toMs', 'too-small', { smallest: passage.atMs });
  const stored = await database.transaction(async (transaction) => {
    await lockRecordings(transaction, [passage.recordingId]);
    const before = await find(transaction, passage.id);
    const locked = await transaction
      .selectFrom('recordings')
      .select(['state', 'duration_ms'])
      .where('id', '=', passage.recordingId)
      .executeTakeFirst();
    if (locked === undefined) throw new ProblemError('not-found');
    if (before !== undefined)
      return {
        created: false,
        row: await end(deps, transaction, { row: before, recording: locked, passage }),
      };
    if (!isUnfinished(locked)) throw new ProblemError('already-finished');
    return { created: true, row: await insert(deps, transaction, passage) };
  });
  announce.recordingChanged(recording.owner_id, passage.recordingId);
  return { created: stored.created, passage: present(stored.row) };
}
