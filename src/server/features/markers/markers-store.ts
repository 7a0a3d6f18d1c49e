import type { NewMarker } from '#contract/markers-api.ts';
import { believableMarker } from '#server/storage/believable/believable.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { markerColumns } from '#server/storage/ownership/label-columns.ts';
import type { MarkerRow } from '#server/storage/database/schema.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';

export { markersOf as listMarkers } from '#server/storage/ownership/read-labels.ts';

export type MarkerChange = { label?: string; at_ms?: number; colour?: NonNullable<NewMarker['colour']> };

/** One marker by its id alone: ids are made on devices and unique everywhere. */
export async function findMarker(queries: Queries, id: string): Promise<MarkerRow | undefined> {
  const row = await queries
    .selectFrom('markers')
    .select(markerColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && believableMarker(row);
}

/** Adds a marker; nothing happens where its id is taken. */
export async function insertMarker(queries: Queries, row: MarkerRow): Promise<void> {
  await queries
    .insertInto('markers')
    .values({ ...row, ...wordColumnsOf(row.label) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Changes a marker of this recording. */
export async function updateMarker(
  queries: Queries,
  marker: { id: string; recordingId: string },
  change: MarkerChange,
): Promise<void> {
  const words = change.label === undefined ? {} : wordColumnsOf(change.label);
  await queries
    .updateTable('markers')
    .set({ ...change, ...words })
    .where('id', '=', marker.id)
    .where('recording_id', '=', marker.recordingId)
    .execute();
}

/** Removes a marker of this recording, if it is there. */
export async function deleteMarker(
  queries: Queries,
  marker: { id: string; recordingId: string },
): Promise<void> {
  await queries
    .deleteFrom('markers')
    .where('id', '=', marker.id)
    .where('recording_id', '=', marker.recordingId)
    .execute();
}
