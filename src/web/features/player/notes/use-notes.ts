import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewNote, Note } from '#contract/notes-api.ts';
import { call } from '#web/api/call.ts';
import { viewerId } from '#web/api/viewer.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { applyOptimistically, type OptimisticChange } from '#web/api/queries/optimistic-change.ts';
import { newId } from '#device/new-id.ts';
import type { NoteCalls } from '#device/sync/send-note.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { noteCallsOf } from '#web/outbox/send-note.ts';
import { inTimeOrder } from '#web/features/player/time-order.ts';
import type { NoteMoment } from './note-place.tsx';

const noNotes: readonly Note[] = [];

/** The notes of a recording on the server, in time order. */
export function useNotes(recordingId: string, isEnabled = true): readonly Note[] {
  const { data = noNotes } = useQuery({
    queryKey: recordingKeys.notes(recordingId),
    queryFn: async ({ signal }) => (await call('listNotes', { params: { recordingId }, signal })).items,
    enabled: isEnabled,
    meta: { what: msg`Notes` },
  });
  return data;
}

type NoteFields = Partial<Pick<Note, 'text' | 'fromMs' | 'toMs'>>;

export interface NoteActions {
  /** The requests that save the text of a note. */
  callsOf: (note: { id: string; place: NoteMoment }) => NoteCalls;
  /** Deletes a note and offers an undo; a toast reports an error. */
  remove: (note: Note) => Promise<void>;
  /** Changes a note and offers an undo; a toast reports an error. */
  changeWithUndo: (note: Note, fields: NoteFields) => Promise<void>;
  /** Offers to restore an earlier text. */
  offerUndo: (before: Note) => void;
}

/** The actions of the owner on the notes of a recording. Every response updates the list immediately. */
export function useNoteActions(recordingId: string): NoteActions {
  const { t } = useLingui();
  const client = useQueryClient();
  const messageOf = useErrorMessage();
  const key = recordingKeys.notes(recordingId);
  const show = (change: (notes: readonly Note[]) => readonly Note[]) => {
    // A note that is saved late may be the only one known, and must not pass for the whole list.
    if (client.getQueryData(key) === undefined) void client.invalidateQueries({ queryKey: key });
    else client.setQueryData<readonly Note[]>(key, (notes = noNotes) => change(notes));
  };
  const put = (note: Note): Note => {
    show((notes) => inTimeOrder([...notes.filter(({ id }) => id !== note.id), note], ({ fromMs }) => fromMs));
    return note;
  };
  const report = async (act: Promise<unknown>, shown?: OptimisticChange): Promise<boolean> => {
    try {
      await act;
      shown?.commit();
      return true;
    } catch (error) {
      shown?.rollBack();
      showFailure(() => messageOf(error));
      void client.invalidateQueries({ queryKey: key });
      return false;
    }
  };

  const create = async (body: NewNote) => put(await call('createNote', { params: { recordingId }, body }));
  const change = async ({ id, revision }: Pick<Note, 'id' | 'revision'>, fields: NoteFields) =>
    put(await call('changeNote', { params: { recordingId, noteId: id }, body: { revision, ...fields } }));
  const offerUndo = (before: Note) => {
    const { id, text, fromMs, toMs } = before;
    const undo = async () => {
      const now = client.getQueryData<readonly Note[]>(key)?.find((note) => note.id === id);
      await report(now ? change(now, { text, fromMs, toMs }) : create({ id: newId(), text, fromMs, toMs }));
    };
    showToast({
      message: () => t`Note changed`,
      action: { label: () => t`Undo`, onAction: () => void undo() },
    });
  };

  return {
    callsOf: ({ id, place }) => {
      const { send, read } = noteCallsOf(viewerId(), { recordingId, noteId: id, ...place });
      return { send: async (text, revision) => put(await send(text, revision)), read };
    },
    offerUndo,
    async remove(note) {
      const { id, text, fromMs, toMs } = note;
      const change = applyOptimistically(client, () =>
        show((notes) => notes.filter((known) => known.id !== id)),
      );
      if (!(await report(call('removeNote', { params: { recordingId, noteId: id } }), change))) return;
      // A deleted id is never reused, so undo adds a new note with the same text.
      const undo = () => void report(create({ id: newId(), text, fromMs, toMs }));
      showToast({ message: () => t`Note deleted`, action: { label: () => t`Undo`, onAction: undo } });
    },
    async changeWithUndo(note, fields) {
      if (await report(change(note, fields))) offerUndo(note);
    },
  };
}
