import type { Queries } from '#server/storage/database/database.ts';
import type { SpeechModelRow } from '#server/storage/database/operations-tables.ts';
import { knownModels, type ModelName } from './known-models.ts';

export type ModelState = SpeechModelRow['state'];
export type ModelCause = NonNullable<SpeechModelRow['cause']>;

/** Returns the rows of known models. Rows of models of another version are left out. */
export async function readModelRows(queries: Queries): Promise<Map<ModelName, SpeechModelRow>> {
  const rows = new Map(
    (await queries.selectFrom('speech_models').selectAll().execute()).map((row) => [row.name, row]),
  );
  const known = new Map<ModelName, SpeechModelRow>();
  for (const { name } of knownModels) {
    const row = rows.get(name);
    if (row !== undefined) known.set(name, row);
  }
  return known;
}

const newRow = {
  stored_bytes: 0,
  cause: null,
  detail: null,
  wrong_words: null,
  ms_per_second: null,
  gives: null,
  tested_at: null,
};

type Changes = Partial<Omit<SpeechModelRow, 'name' | 'updated_at' | 'state'>> & {
  state: ModelState;
  updated_at: number;
};

/** Sets the state of a model, which may have no row yet. What is not given stays. */
export async function writeModelRow(queries: Queries, name: ModelName, changes: Changes): Promise<void> {
  await queries
    .insertInto('speech_models')
    .values({ ...newRow, name, ...changes })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(changes))
    .execute();
}

/**
 * Changes a model whose state is one of `from`.
 * @returns whether it was
 */
export async function changeModelRow(
  queries: Queries,
  { name, from }: { name: ModelName; from: readonly ModelState[] },
  changes: Partial<Omit<SpeechModelRow, 'name'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('speech_models')
    .set(changes)
    .where('name', '=', name)
    .where('state', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether transcriptions may use the model. A model that was tested before is used while it is tested again. */
export const isUsable = ({
  state,
  tested_at: testedAtMs,
}: Pick<SpeechModelRow, 'state' | 'tested_at'>): boolean =>
  state === 'ready' || state === 'untested' || (state === 'checking' && testedAtMs !== null);
