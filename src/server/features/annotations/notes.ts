import type { z } from 'zod';
import { instantOf } from '#base/instant.ts';
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
import { misplacementOf, type RecordingBounds } from '#server/storage/rows/recording-bounds.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';
import type { AnnotationsDeps, LabelKey } from './annotated-recording.ts';
import { createLabelService } from './label-service.ts';

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

type AddedNote = z.output<typeof newNoteSchema>;
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

/** Lists, creates, changes and removes notes for a caller who may do so. */
function createNotesService(deps: AnnotationsDeps) {
  const { access, database, clock, announce } = deps;
  const labels = createLabelService<NoteRow, AddedNote, Note>(deps, {
    table: 'notes',
    find: findNote,
    pages: notePages,
    insert: insertNote,
    rowOf: ({ id, fromMs, toMs, text }, { recordingId, ownerId, nowMs }) => ({
      id,
      recording_id: recordingId,
      from_ms: fromMs,
      to_ms: toMs,
      text,
      revision: 1,
      created_by: ownerId,
      created_at: nowMs,
      updated_at: nowMs,
    }),
    textOf: ({ text }) => text,
    present,
    rejectPlace: (recording, { fromMs, toMs }) => rejectPlace(recording, { from_ms: fromMs, to_ms: toMs }),
    // A running recording adds its notes in any case.
    mayExceedQuota: (principal) => principal?.kind !== 'session',
    announce: (ownerId, recordingId) => announce.notesChanged(ownerId, recordingId),
  });

  return {
    ...labels,
    async change(
      principal: Principal | null,
      note: LabelKey,
      { revision, text, fromMs, toMs }: NoteChange,
    ): Promise<Note> {
      const recording = await access.recording(principal, note.recordingId, 'change');
      const before = await labels.get(database.queries, note);
      if (before.revision !== revision) throw new ProblemError('note-changed');
      const after = {
        text: text ?? before.text,
        from_ms: fromMs ?? before.from_ms,
        to_ms: toMs === undefined ? before.to_ms : toMs,
        updated_at: clock.nowMs(),
      };
      rejectPlace(recording, after);
      await labels.change(recording, note, async (transaction) => {
        if (!(await replaceNote(transaction, before, after))) throw new ProblemError('note-changed');
        return { before: before.text, after: after.text, mayExceedQuota: false };
      });
      return present({ ...before, ...after, revision: revision + 1 });
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
      const { created, label } = await notes.create(principal, params.recordingId, body);
      return { status: created ? 201 : 200, body: label };
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
