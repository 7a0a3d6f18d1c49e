import type { z } from 'zod';
import { instantOf } from '#base/instant.ts';
import {
  changeMarker,
  createMarker,
  listMarkers,
  type Marker,
  type NewMarker,
  type newMarkerSchema,
  removeMarker,
} from '#contract/markers-api.ts';
import type { Principal } from '#server/http/principal.ts';
import { route, type Route } from '#server/http/route.ts';
import { rejectField } from '#server/http/validation.ts';
import { believableMarker } from '#server/storage/rows/believable.ts';
import { knownColour } from '#server/storage/rows/known-values.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { MarkerRow } from '#server/storage/database/schema.ts';
import { markerColumns, markerPages } from '#server/storage/rows/labels.ts';
import { latestMomentMs, type RecordingBounds } from '#server/storage/rows/recording-bounds.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';
import type { AnnotationsDeps, LabelKey } from './annotated-recording.ts';
import { createLabelService } from './label-service.ts';

type ColumnChange = { label?: string; at_ms?: number; colour?: NonNullable<NewMarker['colour']> };

async function findMarker(queries: Queries, id: string): Promise<MarkerRow | undefined> {
  const row = await queries
    .selectFrom('markers')
    .select(markerColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && believableMarker(row);
}

/** Adds a marker. Does nothing if the id exists. */
async function insertMarker(queries: Queries, row: MarkerRow): Promise<void> {
  await queries
    .insertInto('markers')
    .values({ ...row, ...wordColumnsOf(row.label) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Updates a marker of this recording. */
async function updateMarker(queries: Queries, marker: LabelKey, change: ColumnChange): Promise<void> {
  const words = change.label === undefined ? {} : wordColumnsOf(change.label);
  await queries
    .updateTable('markers')
    .set({ ...change, ...words })
    .where('id', '=', marker.id)
    .where('recording_id', '=', marker.recordingId)
    .execute();
}

type AddedMarker = z.output<typeof newMarkerSchema>;
type MarkerChange = z.output<typeof changeMarker.body>;

const present = (row: MarkerRow): Marker => ({
  id: row.id,
  recordingId: row.recording_id,
  atMs: row.at_ms,
  label: row.label,
  colour: knownColour(row.colour),
  createdAt: instantOf(row.created_at),
});

/** Checks that a marker is within its recording. */
function rejectBeyondEnd(recording: RecordingBounds, atMs: number): void {
  const largest = latestMomentMs(recording);
  if (atMs > largest) throw rejectField('/atMs', 'too-large', { largest });
}

/** Lists, creates, changes and removes markers for a caller who may do so. */
function createMarkersService(deps: AnnotationsDeps) {
  const { access, database, announce } = deps;
  const labels = createLabelService<MarkerRow, AddedMarker, Marker>(deps, {
    table: 'markers',
    find: findMarker,
    pages: markerPages,
    insert: insertMarker,
    rowOf: ({ id, atMs, label, colour }, { recordingId, ownerId, nowMs }) => ({
      id,
      recording_id: recordingId,
      at_ms: atMs,
      label,
      colour,
      created_by: ownerId,
      created_at: nowMs,
    }),
    textOf: ({ label }) => label,
    present,
    rejectPlace: (recording, { atMs }) => rejectBeyondEnd(recording, atMs),
    mayExceedQuota: () => true,
    announce: (ownerId, recordingId) => announce.markersChanged(ownerId, recordingId),
  });

  return {
    ...labels,
    async change(
      principal: Principal | null,
      marker: LabelKey,
      { label, atMs, colour }: MarkerChange,
    ): Promise<Marker> {
      const recording = await access.recording(principal, marker.recordingId, 'change');
      if (atMs !== undefined) rejectBeyondEnd(recording, atMs);
      const change = {
        ...(label === undefined ? {} : { label }),
        ...(atMs === undefined ? {} : { at_ms: atMs }),
        ...(colour === undefined ? {} : { colour }),
      };
      await labels.change(recording, marker, async (transaction) => {
        const existing = await labels.get(transaction, marker);
        if (Object.keys(change).length > 0) await updateMarker(transaction, marker, change);
        return label === undefined ? null : { before: existing.label, after: label, mayExceedQuota: true };
      });
      return present(await labels.get(database.queries, marker));
    },
  };
}

/** The routes for markers. */
export function markersRoutes(deps: AnnotationsDeps): Route[] {
  const markers = createMarkersService(deps);
  return [
    route(listMarkers, async ({ principal, params }) => ({
      body: { items: await markers.list(principal, params.recordingId) },
    })),
    route(createMarker, async ({ principal, params, body }) => {
      const { created, label } = await markers.create(principal, params.recordingId, body);
      return { status: created ? 201 : 200, body: label };
    }),
    route(changeMarker, async ({ principal, params, body }) => ({
      body: await markers.change(principal, { id: params.markerId, recordingId: params.recordingId }, body),
    })),
    route(removeMarker, async ({ principal, params }) => {
      await markers.remove(principal, { id: params.markerId, recordingId: params.recordingId });
      return {};
    }),
  ];
}
