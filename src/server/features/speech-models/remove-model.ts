import type { Queries } from '#server/storage/database/database.ts';
import type { KnownModel } from './known-models.ts';
import { readModelRows } from './model-rows.ts';
import type { ModelsDeps } from './models-deps.ts';

/** Deletes the files of a model that no other model has. */
export async function removeModelFiles(
  { database, known, files }: Pick<ModelsDeps, 'database' | 'known' | 'files'>,
  model: KnownModel,
): Promise<void> {
  const rows = await readModelRows(database.queries);
  const others = known.filter(({ name }) => name !== model.name && rows.has(name));
  const shared = new Set(others.flatMap((other) => other.files.map(({ sha256 }) => sha256)));
  for (const file of model.files) if (!shared.has(file.sha256)) await files.remove(file);
}

/** Whether a transcription runs with a model. */
export async function isModelInUse(queries: Queries, { name }: KnownModel): Promise<boolean> {
  const row = await queries
    .selectFrom('transcripts')
    .select('recording_id')
    .where('state', '=', 'running')
    .where('model', '=', name)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
