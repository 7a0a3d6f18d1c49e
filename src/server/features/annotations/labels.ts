import type { Transaction } from 'kysely';
import type { z } from 'zod';
import { addLabels, removeLabels } from '#contract/labels-api.ts';
import type { newMarkerSchema } from '#contract/markers-api.ts';
import type { newNoteSchema } from '#contract/notes-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { exceededLimit } from '#server/storage/rows/limited-rows.ts';
import {
  latestMomentMs,
  misplacementOf,
  type RecordingBounds,
} from '#server/storage/rows/recording-bounds.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { withTextWords } from '#server/storage/search/text-words.ts';
import {
  type AnnotationsDeps,
  deleteLabels,
  type LabelTable,
  ownersRecording,
  withLockedRecording,
} from './annotated-recording.ts';

/** Maps the ids of existing labels to their recordings. */
async function recordingsOfLabels(
  queries: Queries,
  table: LabelTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await queries
    .selectFrom(table)
    .select(['id', 'recording_id'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, recording_id: recordingId }) => [id, recordingId]));
}

type NewMarkers = readonly z.output<typeof newMarkerSchema>[];
type NewNotes = readonly z.output<typeof newNoteSchema>[];

/** Operations of the owner on many markers and notes of one recording. */
interface LabelsService {
  /** Adds all of them or none. Returns the number of new ones. */
  add(
    ownerId: string,
    recordingId: string,
    labels: { markers: NewMarkers; notes: NewNotes },
  ): Promise<number>;
  remove(
    ownerId: string,
    recordingId: string,
    ids: { markerIds: readonly string[]; noteIds: readonly string[] },
  ): Promise<void>;
}

/**
 * Checks that each label is within the recording and ends after it begins.
 * @throws validation (422) for the first that is not
 */
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

interface AddedLabels<Item> {
  database: Database;
  recordingId: string;
  table: LabelTable;
  items: readonly Item[];
}

/**
 * Returns the items that do not exist yet, each id once.
 * @throws validation (422) if an id belongs to another recording, or there would be too many
 */
async function freshOf<Item extends { id: string }>(
  transaction: Transaction<Schema>,
  { database, recordingId, table, items }: AddedLabels<Item>,
): Promise<Item[]> {
  if (items.length === 0) return [];
  const known = await recordingsOfLabels(
    transaction,
    table,
    items.map(({ id }) => id),
  );
  const taken = items.findIndex(({ id }) => (known.get(id) ?? recordingId) !== recordingId);
  if (taken !== -1) throw rejectField(`/${table}/${taken}/id`, 'taken');
  const fresh = [...new Map(items.map((item) => [item.id, item])).values()].filter(
    ({ id }) => !known.has(id),
  );
  const full = await exceededLimit(database, transaction, { table, recordingId, added: fresh.length });
  if (full) throw rejectField(`/${table}`, 'too-many', full);
  return fresh;
}

/** Stores labels, and indexes the recording once for all of them. */
function createLabelsService({ database, clock, announce, admitText }: AnnotationsDeps): LabelsService {
  const { queries } = database;

  function notifyChanged(
    ownerId: string,
    recordingId: string,
    changed: { markers: number; notes: number },
  ): void {
    if (changed.markers > 0) announce.markersChanged(ownerId, recordingId);
    if (changed.notes > 0) announce.notesChanged(ownerId, recordingId);
  }

  return {
    async add(ownerId, recordingId, labels) {
      rejectPlaces(await ownersRecording(queries, ownerId, recordingId), labels);
      const nowMs = clock.nowMs();
      const about = { recording_id: recordingId, created_by: ownerId, created_at: nowMs };
      const [newMarkers, newNotes] = [
        await withTextWords(labels.markers, ({ label }) => label),
        await withTextWords(labels.notes, ({ text }) => text),
      ];
      const added = await database.transaction(async (transaction) => {
        const markers = await freshOf(transaction, {
          database,
          recordingId,
          table: 'markers',
          items: newMarkers,
        });
        const notes = await freshOf(transaction, { database, recordingId, table: 'notes', items: newNotes });
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
    async remove(ownerId, recordingId, { markerIds, noteIds }) {
      await ownersRecording(queries, ownerId, recordingId);
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
          added: await labels.add(sessionOf(context).userId, context.params.recordingId, { markers, notes }),
        },
      };
    }),
    route(removeLabels, async (context) => {
      const { markerIds = [], noteIds = [] } = context.body;
      await labels.remove(sessionOf(context).userId, context.params.recordingId, { markerIds, noteIds });
      return {};
    }),
  ];
}
