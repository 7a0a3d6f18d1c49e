import { changeNote, createNote, listNotes, removeNote } from '#contract/notes-api.ts';
import { route, type Route } from '#server/http/route.ts';
import { createNotesService, type NotesDeps } from './notes-service.ts';

/** The calls about notes. */
export function notesRoutes(deps: NotesDeps): Route[] {
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
