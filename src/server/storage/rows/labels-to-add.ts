import type { Transaction } from 'kysely';
import type { Database } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { exceededLimit } from './limited-rows.ts';

/** Labels to add to one recording. */
interface NewLabels<Label> {
  recordingId: string;
  table: LabelTable;
  labels: readonly Label[];
  reject: RejectLabels;
}

/** The two tables of labels. */
export type LabelTable = 'markers' | 'notes';

/** Makes the error for a place in a body that has the labels by the name of their table. */
type RejectLabels = (pointer: string, code: 'taken' | 'too-many', params?: { largest: number }) => Error;

/**
 * Returns the labels to add to a recording that are not stored yet, each id once. Call it in the transaction that
 * adds them.
 * @throws the error of `reject` if one belongs to another recording, or if the recording would have too many
 */
export async function labelsToAdd<Label extends { id: string }>(
  database: Pick<Database, 'lockUser'>,
  transaction: Transaction<Schema>,
  { recordingId, table, labels, reject }: NewLabels<Label>,
): Promise<readonly Label[]> {
  if (labels.length === 0) return labels;
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
  if (taken !== -1) throw reject(`/${table}/${taken}/id`, 'taken');
  const unstored = [
    ...new Map(labels.filter(({ id }) => !recordingOf.has(id)).map((label) => [label.id, label])).values(),
  ];
  const full = await exceededLimit(database, transaction, { table, recordingId, added: unstored.length });
  if (full) throw reject(`/${table}`, 'too-many', full);
  return unstored;
}
