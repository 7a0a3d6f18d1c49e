import type { Queries } from '#server/storage/database/database.ts';

export type LabelTable = 'markers' | 'notes';
/** Where a label is kept already. */
export interface Kept {
  id: string;
  recording_id: string;
}

/** Those of these labels that are there already, at whichever recording, by id. */
export async function knownOf(
  queries: Queries,
  table: LabelTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Kept>> {
  const rows = await queries
    .selectFrom(table)
    .select(['id', 'recording_id'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
