import { mapPages, type Pages } from '#base/pages.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { LabelTable } from '#server/storage/rows/labels-to-add.ts';
import { exceededLimit } from '#server/storage/rows/limited-rows.ts';
import type { RecordingBounds } from '#server/storage/rows/recording-bounds.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import {
  type AnnotationsDeps,
  deleteLabels,
  type LabelKey,
  rejectFinishedForBearer,
  withLockedRecording,
} from './annotated-recording.ts';

type Recording = Awaited<ReturnType<AnnotationsDeps['access']['recording']>>;

/** A text of a label before and after a change. */
interface TextChange {
  before: string;
  after: string;
  mayExceedQuota: boolean;
}

/** What differs between markers and notes. */
interface LabelKind<Row, Added, Shown> {
  table: LabelTable;
  /** Finds a label by its id alone: ids are generated on devices and globally unique. */
  find: (queries: Queries, id: string) => Promise<Row | undefined>;
  /** Reads the labels of a recording in order of time. */
  pages: (queries: Queries, wanted: { recordingId: string }) => Pages<{ row: Row }>;
  /** Adds a row. Does nothing if the id exists. */
  insert: (queries: Queries, row: Row) => Promise<void>;
  rowOf: (added: Added, of: { recordingId: string; ownerId: string; nowMs: number }) => Row;
  textOf: (added: Added) => string;
  present: (row: Row) => Shown;
  /** Rejects a label that is not within its recording. */
  rejectPlace: (recording: RecordingBounds, added: Added) => void;
  /** Whether a label of this sender is added although the owner's quota is used up. */
  mayExceedQuota: (principal: Principal | null) => boolean;
  announce: (ownerId: string, recordingId: string) => void;
}

/** Creates what lists, creates, changes and removes labels of one kind for a caller who may do so. */
export function createLabelService<
  Row extends { recording_id: string },
  Added extends { id: string },
  Shown extends object,
>({ access, database, clock, admitText }: AnnotationsDeps, kind: LabelKind<Row, Added, Shown>) {
  const { queries } = database;

  async function findIn(recordingId: string, id: string): Promise<Row | undefined> {
    const row = await kind.find(queries, id);
    if (row && row.recording_id !== recordingId) throw rejectField('/id', 'taken');
    return row;
  }

  /** A capability's response only repeats what was sent, because the owner may have changed the label since. */
  const answerTo = (principal: Principal | null, row: Row, added: Added): Shown =>
    principal?.kind === 'session' ? kind.present(row) : { ...kind.present(row), ...added };

  return {
    async list(principal: Principal | null, recordingId: string): Promise<Pages<Shown>> {
      await access.recording(principal, recordingId, 'listen');
      return mapPages(kind.pages(queries, { recordingId }), (page) =>
        page.map(({ row }) => kind.present(row)),
      );
    },
    /**
     * The bearer of a capability adds labels until the take is finished: already-finished (409) afterwards, unless the
     * label exists.
     */
    async create(
      principal: Principal | null,
      recordingId: string,
      added: Added,
    ): Promise<{ created: boolean; label: Shown }> {
      const recording = await access.recording(principal, recordingId, 'change');
      const existing = await findIn(recordingId, added.id);
      if (existing) return { created: false, label: answerTo(principal, existing, added) };
      rejectFinishedForBearer(principal, recording);
      kind.rejectPlace(recording, added);
      const { owner_id: ownerId } = recording;
      const row = kind.rowOf(added, { recordingId, ownerId, nowMs: clock.nowMs() });
      await database.transaction(async (transaction) => {
        const { table } = kind;
        const full = await exceededLimit(database, transaction, { table, recordingId, added: 1 });
        if (full) throw rejectField('/id', 'too-many', full);
        await kind.insert(transaction, row);
        if (kind.textOf(added) === '') return;
        await admitText(transaction, {
          recordingId,
          ownerId,
          mayExceedQuota: kind.mayExceedQuota(principal),
        });
        await reindexRecording(transaction, recordingId);
      });
      kind.announce(ownerId, recordingId);
      const stored = await findIn(recordingId, added.id);
      if (!stored) throw new ProblemError('not-found');
      return { created: true, label: answerTo(principal, stored, added) };
    },
    /** @throws ProblemError not-found, also for the label of another recording */
    async get(reader: Queries, { id, recordingId }: LabelKey): Promise<Row> {
      const row = await kind.find(reader, id);
      if (row?.recording_id !== recordingId) throw new ProblemError('not-found');
      return row;
    },
    /**
     * Runs a change of one label in a transaction that locks the recording's search data, then announces it.
     * @param change rejects or writes, and returns what happens to the label's text; null if it stays
     */
    async change(
      { owner_id: ownerId }: Recording,
      { recordingId }: LabelKey,
      change: (transaction: Queries) => Promise<TextChange | null>,
    ): Promise<void> {
      await withLockedRecording(database, recordingId, async (transaction) => {
        const text = await change(transaction);
        if (text === null || text.after === text.before) return;
        if (Buffer.byteLength(text.after) > Buffer.byteLength(text.before))
          await admitText(transaction, { recordingId, ownerId, mayExceedQuota: text.mayExceedQuota });
        await reindexRecording(transaction, recordingId);
      });
      kind.announce(ownerId, recordingId);
    },
    async remove(principal: Principal | null, { id, recordingId }: LabelKey): Promise<void> {
      const { owner_id: ownerId } = await access.recording(principal, recordingId, 'change');
      await withLockedRecording(database, recordingId, async (transaction) => {
        await deleteLabels(transaction, kind.table, { recordingId, ids: [id] });
        await reindexRecording(transaction, recordingId);
      });
      kind.announce(ownerId, recordingId);
    },
  };
}
