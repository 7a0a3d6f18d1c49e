import type { z } from 'zod';
import { instantOf } from '#base/instant.ts';
import { mapPages, type Pages } from '#base/pages.ts';
import {
  changeNote,
  createNote,
  listNotes,
  type newNoteSchema,
  type Note,
  removeNote,
} from '#contract/notes-api.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { rejectField } from '#server/http/validation.ts';
import { believableNote } from '#server/storage/rows/believable.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { NoteRow } from '#server/storage/database/schema.ts';
import { noteColumns, notePages } from '#server/storage/rows/labels.ts';
import { exceededLimit } from '#server/storage/rows/limited-rows.ts';
import { misplacementOf, type RecordingBounds } from '#server/storage/rows/recording-bounds.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';
import {
  type AnnotationsDeps,
  deleteLabels,
  type LabelKey,
  rejectFinishedForBearer,
  withLockedRecording,
} from './annotated-recording.ts';

/** Finds a note by its id alone: ids are generated on devices and globally unique. */
async function findNote(queries: Queries, id: string): Promise<NoteRow | undefined> {
  const row = await queries.selectFrom('notes').select(noteColumns).where('id', '=', id).executeTakeFirst();
  return row && believableNote(row);
}

/** Adds a note. Does nothing if the id exists. */
async function insertNote(queries: Queries, row: NoteRow): Promise<void> {
  await queries
    .insertInto('notes')
    .values({ ...row, ...wordColumnsOf(row.text) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Writes the next revision of a note. Returns false if the row has changed since `before` was read. */
async function replaceNote(
  queries: Queries,
  before: NoteRow,
  after: Pick<NoteRow, 'text' | 'from_ms' | 'to_ms' | 'updated_at'>,
): Promise<boolean> {
  const { text, from_ms, to_ms, updated_at } = after;
  const words = text === before.text ? {} : wordColumnsOf(text);
  const { numUpdatedRows } = await queries
    .updateTable('notes')
    .set({ ...words, text, from_ms, to_ms, updated_at, revision: before.revision + 1 })
    .where('id', '=', before.id)
    .where('revision', '=', before.revision)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type NoteChange = z.output<typeof changeNote.body>;
type Place = Pick<NoteRow, 'from_ms' | 'to_ms'>;

const present = (row: NoteRow): Note => ({
  id: row.id,
  recordingId: row.recording_id,
  fromMs: row.from_ms,
  toMs: row.to_ms,
  text: row.text,
  revision: row.revision,
  createdAt: instantOf(row.created_at),
  updatedAt: instantOf(row.updated_at),
});

function rejectPlace(recording: RecordingBounds, { from_ms: fromMs, to_ms: toMs }: Place): void {
  const wrong = misplacementOf(recording, { fromMs, toMs });
  if (wrong !== null) throw rejectField(`/${wrong.field}`, wrong.code, wrong.params);
}

/** A capability's response only repeats what was sent, because the owner may have changed the note since. */
function answerTo(
  principal: Principal | null,
  row: NoteRow,
  { fromMs, toMs, text }: z.output<typeof newNoteSchema>,
): Note {
  const note = present(row);
  return principal?.kind === 'session' ? note : { ...note, fromMs, toMs, text };
}

/** Adds a note if the limits allow it. */
function insert(
  { database, admitText }: AnnotationsDeps,
  note: NoteRow,
  mayExceedQuota: boolean,
): Promise<void> {
  const { recording_id: recordingId, created_by: ownerId } = note;
  return database.transaction(async (transaction) => {
    const full = await exceededLimit(database, transaction, { table: 'notes', recordingId, added: 1 });
    if (full) throw rejectField('/id', 'too-many', full);
    await insertNote(transaction, note);
    await admitText(transaction, { recordingId, ownerId, mayExceedQuota });
    await reindexRecording(transaction, recordingId);
  });
}

/** Lists, creates, changes and removes notes for a caller who may do so. */
function createNotesService(deps: AnnotationsDeps) {
  const { access, database, clock, announce, admitText } = deps;
  const { queries } = database;

  async function noteOf({ id, recordingId }: LabelKey): Promise<NoteRow> {
    const row = await findNote(queries, id);
    if (row?.recording_id !== recordingId) throw new ProblemError('not-found');
    return row;
  }

  return {
    async list(principal: Principal | null, recordingId: string): Promise<Pages<Note>> {
      await access.recording(principal, recordingId, 'listen');
      return mapPages(notePages(queries, { recordingId }), (page) => page.map(({ row }) => present(row)));
    },
    /**
     * For the owner's session, or the bearer of a running recording's capability: already-finished (409)
     * afterwards, unless the note exists.
     */
    async create(
      principal: Principal | null,
      recordingId: string,
      added: z.output<typeof newNoteSchema>,
    ): Promise<{ created: boolean; note: Note }> {
      const { id, fromMs, toMs, text } = added;
      const recording = await access.recording(principal, recordingId, 'change');
      const before = await findNote(queries, id);
      if (before && before.recording_id !== recordingId) throw rejectField('/id', 'taken');
      if (before) return { created: false, note: answerTo(principal, before, added) };
      const isBearer = principal?.kind !== 'session';
      rejectFinishedForBearer(principal, recording);
      rejectPlace(recording, { from_ms: fromMs, to_ms: toMs });
      const nowMs = clock.nowMs();
      await insert(
        deps,
        {
          id,
          recording_id: recordingId,
          from_ms: fromMs,
          to_ms: toMs,
          text,
          revision: 1,
          created_by: recording.owner_id,
          created_at: nowMs,
          updated_at: nowMs,
        },
        isBearer,
      );
      announce.notesChanged(recording.owner_id, recordingId);
      return { created: true, note: answerTo(principal, await noteOf({ id, recordingId }), added) };
    },
    async change(
      principal: Principal | null,
      note: LabelKey,
      { revision, text, fromMs, toMs }: NoteChange,
    ): Promise<Note> {
      const recording = await access.recording(principal, note.recordingId, 'change');
      const before = await noteOf(note);
      if (before.revision !== revision) throw new ProblemError('note-changed');
      const after = {
        text: text ?? before.text,
        from_ms: fromMs ?? before.from_ms,
        to_ms: toMs === undefined ? before.to_ms : toMs,
        updated_at: clock.nowMs(),
      };
      rejectPlace(recording, after);
      await withLockedRecording(database, note.recordingId, async (transaction) => {
        if (!(await replaceNote(transaction, before, after))) throw new ProblemError('note-changed');
        if (Buffer.byteLength(after.text) > Buffer.byteLength(before.text))
          await admitText(transaction, { recordingId: note.recordingId, ownerId: recording.owner_id });
        if (after.text !== before.text) await reindexRecording(transaction, note.recordingId);
      });
      announce.notesChanged(recording.owner_id, note.recordingId);
      return present({ ...before, ...after, revision: revision + 1 });
    },
    async remove(principal: Principal | null, note: LabelKey): Promise<void> {
      const recording = await access.recording(principal, note.recordingId, 'change');
      await withLockedRecording(database, note.recordingId, async (transaction) => {
        await deleteLabels(transaction, 'notes', { recordingId: note.recordingId, ids: [note.id] });
        await reindexRecording(transaction, note.recordingId);
      });
      announce.notesChanged(recording.owner_id, note.recordingId);
    },
  };
}

/** The routes for notes. */
export function notesRoutes(deps: AnnotationsDeps): Route[] {
  const notes = createNotesService(deps);
  return [
    route(listNotes, async ({ principal, params }) => ({
      body: { items: await notes.list(principal, params.recordingId) },
    })),
    route(createNote, async ({ principal, params, body }) => {
      const { created, note } = await notes.create(principal, params.recordingId, body);
      return { status: created ? 201 : 200, body: note };
    }),
    route(changeNote, async ({ principal, params: { noteId: id, recordingId }, body }) => ({
      body: await notes.change(principal, { id, recordingId }, body),
    })),
    route(removeNote, async ({ principal, params: { noteId: id, recordingId } }) => {
      await notes.remove(principal, { id, recordingId });
      return {};
    }),
  ];
}
