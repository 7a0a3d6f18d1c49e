import type { z } from 'zod';
import { instantOf } from '#base/instant.ts';
import { mapPages, type Pages } from '#base/pages.ts';
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
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { rejectField } from '#server/http/validation.ts';
import { believableMarker } from '#server/storage/rows/believable.ts';
import { knownColour } from '#server/storage/rows/known-values.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { MarkerRow } from '#server/storage/database/schema.ts';
import { markerColumns, markerPages } from '#server/storage/rows/labels.ts';
import { exceededLimit } from '#server/storage/rows/limited-rows.ts';
import { latestMomentMs, type RecordingBounds } from '#server/storage/rows/recording-bounds.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';
import {
  type AnnotationsDeps,
  deleteLabels,
  type LabelKey,
  rejectFinishedForBearer,
  withLockedRecording,
} from './annotated-recording.ts';

type ColumnChange = { label?: string; at_ms?: number; colour?: NonNullable<NewMarker['colour']> };

/** Finds a marker by its id alone: ids are generated on devices and globally unique. */
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

/**
 * A capability's response only repeats what was sent, because the owner may have renamed or moved the marker
 * since.
 */
function answerTo(
  principal: Principal | null,
  row: MarkerRow,
  { atMs, label, colour }: z.output<typeof newMarkerSchema>,
): Marker {
  const marker = present(row);
  return principal?.kind === 'session' ? marker : { ...marker, atMs, label, colour };
}

/** Whether a label takes more bytes than the stored one. */
async function isLonger(queries: Queries, id: string, label: string): Promise<boolean> {
  const before = await findMarker(queries, id);
  return before !== undefined && Buffer.byteLength(label) > Buffer.byteLength(before.label);
}

async function update(
  { database, admitText }: AnnotationsDeps,
  { id, recordingId, ownerId }: { id: string; recordingId: string; ownerId: string },
  change: ColumnChange,
): Promise<void> {
  const { label } = change;
  await withLockedRecording(database, recordingId, async (transaction) => {
    const longer = label !== undefined && (await isLonger(transaction, id, label));
    await updateMarker(transaction, { id, recordingId }, change);
    if (longer) await admitText(transaction, { recordingId, ownerId, mayExceedQuota: true });
    if (label !== undefined) await reindexRecording(transaction, recordingId);
  });
}

/** Lists, creates, changes and removes markers for a caller who may do so. */
function createMarkersService(deps: AnnotationsDeps) {
  const { access, database, clock, announce } = deps;
  const { queries } = database;

  async function there(id: string, recordingId: string): Promise<MarkerRow | undefined> {
    const row = await findMarker(queries, id);
    if (row && row.recording_id !== recordingId) throw rejectField('/id', 'taken');
    return row;
  }

  return {
    async list(principal: Principal | null, recordingId: string): Promise<Pages<Marker>> {
      await access.recording(principal, recordingId, 'listen');
      return mapPages(markerPages(queries, { recordingId }), (page) => page.map(({ row }) => present(row)));
    },
    /** A bearer adds markers until the take is finished: already-finished (409) afterwards, unless the marker exists. */
    async create(
      principal: Principal | null,
      recordingId: string,
      marker: z.output<typeof newMarkerSchema>,
    ): Promise<{ created: boolean; marker: Marker }> {
      const recording = await access.recording(principal, recordingId, 'change');
      const before = await there(marker.id, recordingId);
      if (before) return { created: false, marker: answerTo(principal, before, marker) };
      rejectFinishedForBearer(principal, recording);
      rejectBeyondEnd(recording, marker.atMs);
      const added = {
        id: marker.id,
        recording_id: recordingId,
        at_ms: marker.atMs,
        label: marker.label,
        colour: marker.colour,
        created_by: recording.owner_id,
        created_at: clock.nowMs(),
      };
      await database.transaction(async (transaction) => {
        const full = await exceededLimit(database, transaction, { table: 'markers', recordingId, added: 1 });
        if (full) throw rejectField('/id', 'too-many', full);
        await insertMarker(transaction, added);
        if (marker.label !== '')
          await deps.admitText(transaction, {
            recordingId,
            ownerId: recording.owner_id,
            mayExceedQuota: true,
          });
        if (marker.label !== '') await reindexRecording(transaction, recordingId);
      });
      announce.markersChanged(recording.owner_id, recordingId);
      const row = await there(marker.id, recordingId);
      if (!row) throw new ProblemError('not-found');
      return { created: true, marker: answerTo(principal, row, marker) };
    },
    async change(
      principal: Principal | null,
      { id, recordingId }: LabelKey,
      { label, atMs, colour }: MarkerChange,
    ): Promise<Marker> {
      const recording = await access.recording(principal, recordingId, 'change');
      if (atMs !== undefined) rejectBeyondEnd(recording, atMs);
      const change = {
        ...(label === undefined ? {} : { label }),
        ...(atMs === undefined ? {} : { at_ms: atMs }),
        ...(colour === undefined ? {} : { colour }),
      };
      if (Object.keys(change).length > 0) {
        await update(deps, { id, recordingId, ownerId: recording.owner_id }, change);
      }
      const row = await findMarker(queries, id);
      if (row?.recording_id !== recordingId) throw new ProblemError('not-found');
      announce.markersChanged(recording.owner_id, recordingId);
      return present(row);
    },
    async remove(principal: Principal | null, marker: LabelKey): Promise<void> {
      const recording = await access.recording(principal, marker.recordingId, 'change');
      await withLockedRecording(database, marker.recordingId, async (transaction) => {
        await deleteLabels(transaction, 'markers', { recordingId: marker.recordingId, ids: [marker.id] });
        await reindexRecording(transaction, marker.recordingId);
      });
      announce.markersChanged(recording.owner_id, marker.recordingId);
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
      const { created, marker } = await markers.create(principal, params.recordingId, body);
      return { status: created ? 201 : 200, body: marker };
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
