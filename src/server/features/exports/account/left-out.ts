import { z } from 'zod';
import { instantOf } from '#base/instant.ts';
import { type LeftOutRecording, type LeftOutReason, leftOutReasonSchema } from '#contract/exports-api.ts';
import { limits } from '#contract/limits.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { AccountExportRow, ImportedFileRow, RecordingRow } from '#server/storage/database/schema.ts';
import { believableCount, believableRow } from '#server/storage/rows/believable.ts';
import { readInPieces } from '#server/storage/rows/pieces.ts';
import { timeOfRow } from '#server/storage/rows/stored-time.ts';
import { hasAllSound } from '#server/features/exports/contents/whole-files.ts';
import { lastEntry } from './export-store.ts';

/**
 * Why a recording cannot be exported yet; null if it can. A file in which the server found nothing to play can: its
 * original is all that will ever be of it.
 */
function reasonByState(
  { state }: Pick<RecordingRow, 'state'>,
  rendition: ImportedFileRow['rendition'] | null,
): LeftOutReason | null {
  if (state === 'receiving') return 'receiving';
  if (state === 'abandoned') return 'interrupted';
  return state === 'ready' || (state === 'failed' && rendition === 'failed') ? null : 'processing';
}

/**
 * Why a recording is left out of an export; null if it is not.
 * @param files its sealed files, and those of them that have their whole length in the store
 */
export function reasonLeftOut(
  row: RecordingRow,
  file: ImportedFileRow | undefined,
  { sealed, whole }: { sealed: readonly StoredSegment[]; whole: readonly StoredSegment[] },
): LeftOutReason | null {
  const reason = reasonByState(row, file?.rendition ?? null);
  if (reason !== null) return reason;
  return whole.length === 0 || !hasAllSound(whole, sealed) ? 'damaged' : null;
}

/** A recording that is left out, as `export.json` and the API name it. */
export const describeLeftOut = (row: RecordingRow, reason: LeftOutReason): LeftOutRecording => ({
  id: row.id,
  title: row.title,
  recordedTime: timeOfRow(row),
  startedAt: instantOf(row.began_at ?? row.started_at),
  reason,
});

const storedSchema = z.object({
  leftOut: z.array(z.object({ id: z.string(), reason: leftOutReasonSchema })),
});

/** The recordings that an export names as left out; null if it names none, as those of earlier versions. */
async function storedLeftOut(
  queries: Queries,
  exportRow: AccountExportRow,
): Promise<z.output<typeof storedSchema>['leftOut'] | null> {
  const entry = await lastEntry(queries, exportRow);
  try {
    return storedSchema.parse(JSON.parse(entry?.content ?? '')).leftOut;
  } catch {
    return null;
  }
}

/** Whether a recording that an export names as left out was purged after the export was made. */
export async function hasPurgedName(queries: Queries, exportRow: AccountExportRow): Promise<boolean> {
  if (believableCount(exportRow.left_out) === 0) return false;
  const ids = ((await storedLeftOut(queries, exportRow)) ?? []).map(({ id }) => id);
  const rows = await readInPieces(ids, (some) =>
    queries.selectFrom('recordings').select('id').where('id', 'in', some).execute(),
  );
  return rows.length < ids.length;
}

/**
 * The recordings that are left out of an export and not deleted since, as they are now; null if they are not known.
 */
export async function leftOutNow(
  queries: Queries,
  exportRow: AccountExportRow,
): Promise<LeftOutRecording[] | null> {
  if (exportRow.state !== 'ready') return null;
  if (believableCount(exportRow.left_out) === 0) return [];
  const stored = (await storedLeftOut(queries, exportRow))?.slice(0, limits.leftOutNamed) ?? null;
  if (stored === null) return null;
  const rows = await queries
    .selectFrom('recordings')
    .leftJoin('imported_files', 'imported_files.recording_id', 'recordings.id')
    .selectAll('recordings')
    .select('imported_files.rendition')
    .where(
      'recordings.id',
      'in',
      stored.map(({ id }) => id),
    )
    .where('recordings.owner_id', '=', exportRow.owner_id)
    .where('recordings.deleted_at', 'is', null)
    .execute();
  const found = new Map(rows.map((row) => [row.id, believableRow(row)]));
  return stored.flatMap(({ id, reason }) => {
    const row = found.get(id);
    if (row === undefined) return [];
    const reasonNow = reason === 'damaged' ? reason : (reasonByState(row, row.rendition) ?? 'finished-since');
    return describeLeftOut(row, reasonNow);
  });
}
