import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { instantOf } from '#base/instant.ts';
import type { changeNote, newNoteSchema, Note } from '#contract/notes-api.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { NoteRow } from '#server/storage/database/notes-schema.ts';
import type { AdmitText } from '#server/storage/ownership/admit-text.ts';
import { exceededLimit } from '#server/storage/ownership/limited-rows.ts';
import {
  findBounds,
  misplacementOf,
  type RecordingBounds,
} from '#server/storage/ownership/recording-bounds.ts';
import { lockRecordings, reindexRecording } from '#server/storage/search/search-index.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import * as store from './notes-store.ts';

export interface NotesDeps {
  database: Database;
  clock: Clock;
  announce: ChangeAnnouncer;
  admitText: AdmitText;
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

/** A transaction during which nobody else changes what this recording is found by. */
const alone = (
  database: Database,
  recordingId: string,
  work: (transaction: Queries) => Promise<void>,
): Promise<void> =>
  database.transaction(async (transaction) => {
    await lockRecordings(transaction, [recordingId]);
    await work(transaction);
  });

const isOver = ({ state }: RecordingBounds): boolean => state !== 'receiving' && state !== 'abandoned';

/** A bearer learns of a note only what it has just said: its owner may have changed the note since. */
function answerTo(
  principal: Principal | null,
  row: NoteRow,
  { fromMs, toMs, text }: z.output<typeof newNoteSchema>,
): Note {
  const note = present(row);
  return principal?.kind === 'session' ? note : { ...note, fromMs, toMs, text };
}

/** Adds a note where there is space for it. */
function insert({ database, admitText }: NotesDeps, note: NoteRow, mayExceedQuota: boolean): Promise<void> {
  const { recording_id: recordingId, created_by: ownerId } = note;
  return database.transaction(async (transaction) => {
    const full = await exceededLimit(database, transaction, { table: 'notes', recordingId, added: 1 });
    if (full) throw rejectField('/id', 'too-many', full);
    await store.insertNote(transaction, note);
    await admitText(transaction, { recordingId, ownerId, mayExceedQuota });
    await reindexRecording(transaction, recordingId);
  });
}

async function ownRecording(
  { database }: NotesDeps,
  principal: Principal | null,
  recordingId: string,
): Promise<RecordingBounds> {
  const recording =
    principal?.kind === 'session'
      ? await findBounds(database.queries, recordingId, principal.userId)
      : undefined;
  if (!recording) throw new ProblemError('not-found');
  return recording;
}

/** The recording that a caller may add notes to: its owner's session, or its own capability. */
async function notableRecording(
  deps: NotesDeps,
  principal: Principal | null,
  recordingId: string,
): Promise<RecordingBounds> {
  if (principal?.kind !== 'upload-capability') return ownRecording(deps, principal, recordingId);
  if (principal.recordingId !== recordingId) throw new ProblemError('forbidden');
  const recording = await findBounds(deps.database.queries, recordingId);
  if (!recording) throw new ProblemError('not-found');
  return recording;
}

export interface NotesService {
  list(principal: Principal | null, recordingId: string): Promise<Note[]>;
  /**
   * The owner's session, or the bearer of a running recording's capability: already-finished (409)
   * afterwards, unless the note exists.
   */
  create(
    principal: Principal | null,
    recordingId: string,
    note: z.output<typeof newNoteSchema>,
  ): Promise<{ created: boolean; note: Note }>;
  change(
    principal: Principal | null,
    note: { id: string; recordingId: string },
    change: NoteChange,
  ): Promise<Note>;
  remove(principal: Principal | null, note: { id: string; recordingId: string }): Promise<void>;
}

/** What the owner of a recording may do with its notes. */
export function createNotesService(deps: NotesDeps): NotesService {
  const { database, clock, announce, admitText } = deps;
  const { queries } = database;

  async function noteOf({ id, recordingId }: { id: string; recordingId: string }): Promise<NoteRow> {
    const row = await store.findNote(queries, id);
    if (row?.recording_id !== recordingId) throw new ProblemError('not-found');
    return row;
  }

  return {
    async list(principal, recordingId) {
      await ownRecording(deps, principal, recordingId);
      return (await store.listNotes(queries, recordingId)).map(present);
    },
    async create(principal, recordingId, added) {
      const { id, fromMs, toMs, text } = added;
      const recording = await notableRecording(deps, principal, recordingId);
      const before = await store.findNote(queries, id);
      if (before && before.recording_id !== recordingId) throw rejectField('/id', 'taken');
      if (before) return { created: false, note: answerTo(principal, before, added) };
      const isBearer = principal?.kind !== 'session';
      if (isBearer && isOver(recording)) throw new ProblemError('already-finished');
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
    async change(principal, note, { revision, text, fromMs, toMs }) {
      const recording = await ownRecording(deps, principal, note.recordingId);
      const before = await noteOf(note);
      if (before.revision !== revision) throw new ProblemError('note-changed');
      const after = {
        text: text ?? before.text,
        from_ms: fromMs ?? before.from_ms,
        to_ms: toMs === undefined ? before.to_ms : toMs,
        updated_at: clock.nowMs(),
      };
      rejectPlace(recording, after);
      await alone(database, note.recordingId, async (transaction) => {
        if (!(await store.replaceNote(transaction, before, after))) throw new ProblemError('note-changed');
        if (Buffer.byteLength(after.text) > Buffer.byteLength(before.text))
          await admitText(transaction, { recordingId: note.recordingId, ownerId: recording.owner_id });
        if (after.text !== before.text) await reindexRecording(transaction, note.recordingId);
      });
      announce.notesChanged(recording.owner_id, note.recordingId);
      return present({ ...before, ...after, revision: revision + 1 });
    },
    async remove(principal, note) {
      const recording = await ownRecording(deps, principal, note.recordingId);
      await alone(database, note.recordingId, async (transaction) => {
        await store.deleteNote(transaction, note);
        await reindexRecording(transaction, note.recordingId);
      });
      announce.notesChanged(recording.owner_id, note.recordingId);
    },
  };
}
