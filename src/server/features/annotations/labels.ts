import type { z } from 'zod';
import { addLabels, removeLabels } from '#contract/labels-api.ts';
import type { newMarkerSchema } from '#contract/markers-api.ts';
import type { newNoteSchema } from '#contract/notes-api.ts';
import type { Principal } from '#server/http/principal.ts';
import { route, type Route } from '#server/http/route.ts';
import { rejectField } from '#server/http/validation.ts';
import { labelsToAdd } from '#server/storage/rows/labels-to-add.ts';
import {
  latestMomentMs,
  misplacementOf,
  type RecordingBounds,
} from '#server/storage/rows/recording-bounds.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { withTextWords } from '#server/storage/search/text-words.ts';
import { type AnnotationsDeps, deleteLabels, withLockedRecording } from './annotated-recording.ts';

type NewMarkers = readonly z.output<typeof newMarkerSchema>[];
type NewNotes = readonly z.output<typeof newNoteSchema>[];

/** Rejects labels outside the recording, and notes that end before they start: validation (422) for the first. */
function rejectPlaces(
  bounds: RecordingBounds,
  { markers, notes }: { markers: NewMarkers; notes: NewNotes },
): void {
  const largest = latestMomentMs(bounds);
  const late = markers.findIndex(({ atMs }) => atMs > largest);
  if (late !== -1) throw rejectField(`/markers/${late}/atMs`, 'too-large', { largest });
  for (const [index, place] of notes.entries()) {
    const wrong = misplacementOf(bounds, place);
    if (wrong !== null) throw rejectField(`/notes/${index}/${wrong.field}`, wrong.code, wrong.params);
  }
}

/** Adds and removes many markers and notes of one recording; indexes the recording once for all of them. */
function createLabelsService({ access, database, clock, announce, admitText }: AnnotationsDeps) {
  function notifyChanged(
    ownerId: string,
    recordingId: string,
    changed: { markers: number; notes: number },
  ): void {
    if (changed.markers > 0) announce.markersChanged(ownerId, recordingId);
    if (changed.notes > 0) announce.notesChanged(ownerId, recordingId);
  }

  return {
    /** Adds all of them or none. Returns how many were not stored before. */
    async add(
      principal: Principal | null,
      recordingId: string,
      labels: { markers: NewMarkers; notes: NewNotes },
    ): Promise<number> {
      const recording = await access.recording(principal, recordingId, 'change');
      rejectPlaces(recording, labels);
      const { owner_id: ownerId } = recording;
      const nowMs = clock.nowMs();
      const about = { recording_id: recordingId, created_by: ownerId, created_at: nowMs };
      const [newMarkers, newNotes] = [
        await withTextWords(labels.markers, ({ label }) => label),
        await withTextWords(labels.notes, ({ text }) => text),
      ];
      const added = await database.transaction(async (transaction) => {
        const markers = await labelsToAdd(database, transaction, {
          recordingId,
          table: 'markers',
          labels: newMarkers,
          reject: rejectField,
        });
        const notes = await labelsToAdd(database, transaction, {
          recordingId,
          table: 'notes',
          labels: newNotes,
          reject: rejectField,
        });
        if (markers.length > 0)
          await transaction
            .insertInto('markers')
            .values(markers.map(({ atMs, ...marker }) => ({ ...about, ...marker, at_ms: atMs })))
            .execute();
        if (notes.length > 0) {
          await transaction
            .insertInto('notes')
            .values(
              notes.map(({ fromMs, toMs, ...note }) => ({
                ...about,
                ...note,
                from_ms: fromMs,
                to_ms: toMs,
                revision: 1,
                updated_at: nowMs,
              })),
            )
            .execute();
        }
        if (notes.length > 0 || markers.some(({ label }) => label !== '')) {
          await admitText(transaction, { recordingId, ownerId });
          await reindexRecording(transaction, recordingId);
        }
        return { markers: markers.length, notes: notes.length };
      });
      notifyChanged(ownerId, recordingId, added);
      return added.markers + added.notes;
    },
    async remove(
      principal: Principal | null,
      recordingId: string,
      { markerIds, noteIds }: { markerIds: readonly string[]; noteIds: readonly string[] },
    ): Promise<void> {
      const { owner_id: ownerId } = await access.recording(principal, recordingId, 'change');
      await withLockedRecording(database, recordingId, async (transaction) => {
        await deleteLabels(transaction, 'markers', { recordingId, ids: markerIds });
        await deleteLabels(transaction, 'notes', { recordingId, ids: noteIds });
        await reindexRecording(transaction, recordingId);
      });
      notifyChanged(ownerId, recordingId, { markers: markerIds.length, notes: noteIds.length });
    },
  };
}

/** The routes for many markers and notes of one recording. */
export function labelsRoutes(deps: AnnotationsDeps): Route[] {
  const labels = createLabelsService(deps);
  return [
    route(addLabels, async (context) => {
      const { markers = [], notes = [] } = context.body;
      return {
        body: {
          added: await labels.add(context.principal, context.params.recordingId, { markers, notes }),
        },
      };
    }),
    route(removeLabels, async (context) => {
      const { markerIds = [], noteIds = [] } = context.body;
      await labels.remove(context.principal, context.params.recordingId, { markerIds, noteIds });
      return {};
    }),
  ];
}
