import type { Transaction } from 'kysely';
import type { Database } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { exceededLimit } from './limited-rows.ts';

/** Labels of one recording. */
export interface LabelsOf<Label> {
  recordingId: string;
  table: 'markers' | 'notes';
  labels: readonly Label[];
}

/** Why labels cannot be added; `pointer` names the place in a body that has them by the name of their table. */
interface LabelsRejection {
  pointer: string;
  code: 'taken' | 'too-many';
  params?: { largest: number };
}

/**
 * Of the labels to add to a recording, those that are not stored yet, each id once. They are rejected if one
 * belongs to another recording, or if the recording would have too many. Call it in the transaction that adds
 * them.
 */
export async function labelsToAdd<Label extends { id: string }>(
  database: Pick<Database, 'lockUser'>,
  transaction: Transaction<Schema>,
  { recordingId, table, labels }: LabelsOf<Label>,
): Promise<{ labels: readonly Label[]; rejection?: LabelsRejection }> {
  if (labels.length === 0) return { labels };
  const stored = await transaction
    .selectFrom(table)
    .select(['id', 'recording_id'])
    .where(
      'id',
      'in',
      labels.map(({ id }) => id),
    )
    .execute();
  const recordingOf = new Map(stored.map((row) => [row.id, row.recording_id]));
  const taken = labels.findIndex(({ id }) => (recordingOf.get(id) ?? recordingId) !== recordingId);
  if (taken !== -1) return { labels: [], rejection: { pointer: `/${table}/${taken}/id`, code: 'taken' } };
  const unstored = [
    ...new Map(labels.filter(({ id }) => !recordingOf.has(id)).map((label) => [label.id, label])).values(),
  ];
  const full = await exceededLimit(database, transaction, { table, recordingId, added: unstored.length });
  return full
    ? { labels: [], rejection: { pointer: `/${table}`, code: 'too-many', params: full } }
    : { labels: unstored };
}
