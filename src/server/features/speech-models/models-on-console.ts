import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { gatherBytes } from '#server/storage/blobs/gather-bytes.ts';
import type { Database } from '#server/storage/database/database.ts';
import { type KnownFile, type KnownModel, knownModels, modelBytes } from './known-models.ts';
import { ModelFiles, pieceBytes } from './model-files.ts';
import { readModelRows, writeModelRow } from './model-rows.ts';
import { requestWork } from './models-deps.ts';
import { isModelInUse, removeModelFiles } from './remove-model.ts';

interface Stores {
  database: Database;
  blobs: BlobStore;
}
interface Working {
  database: Database;
  clock: Clock;
  queue: JobQueue;
}

const never = new AbortController().signal;

/** A model as the console shows it. */
export interface ListedModel {
  model: KnownModel;
  state: string;
  sizeBytes: number;
  storedBytes: number;
  /** Why it failed, in English. */
  problem: string | null;
}

export const findModel = (name: string | undefined): KnownModel | undefined =>
  knownModels.find((model) => model.name === name);

/** The known models and what is stored of them. */
export async function listModels({ database, blobs }: Stores): Promise<ListedModel[]> {
  const files = new ModelFiles(blobs);
  const rows = await readModelRows(database.queries);
  const listed: ListedModel[] = [];
  for (const model of knownModels) {
    const row = rows.get(model.name);
    listed.push({
      model,
      state: row?.state ?? 'absent',
      sizeBytes: modelBytes(model),
      storedBytes: row === undefined ? 0 : await files.storedBytesOf(model.files),
      problem: row?.state === 'failed' ? (row.detail ?? row.cause) : null,
    });
  }
  return listed;
}

/** Asks the server to download a model, or to test one that is complete. */
export async function requestModel({ database, clock, queue }: Working, model: KnownModel): Promise<void> {
  const row = (await readModelRows(database.queries)).get(model.name);
  if (row !== undefined && ['ready', 'untested', 'checking'].includes(row.state)) return;
  await writeModelRow(database.queries, model.name, {
    state: 'downloading',
    cause: null,
    detail: null,
    updated_at: clock.nowMs(),
  });
  await requestWork(queue, database);
}

/** How far a requested model is. */
export async function requestedState(
  { queries }: Database,
  { name }: KnownModel,
): Promise<Pick<ListedModel, 'state' | 'storedBytes' | 'problem'>> {
  const row = (await readModelRows(queries)).get(name);
  return {
    state: row?.state ?? 'absent',
    storedBytes: row?.stored_bytes ?? 0,
    problem: row?.detail ?? row?.cause ?? null,
  };
}

/** Whether a server runs jobs of this installation. */
export async function isServerRunning({ queries }: Database, sinceMs: number): Promise<boolean> {
  const node = await queries
    .selectFrom('nodes')
    .select('id')
    .where('role', '!=', 'web')
    .where('seen_at', '>', sinceMs)
    .limit(1)
    .executeTakeFirst();
  return node !== undefined;
}

/** The models whose files are all in a folder, found by their lengths, because files are renamed. */
export async function modelsInFolder(
  folder: string,
): Promise<{ model: KnownModel; paths: Map<KnownFile, string> }[]> {
  const pathBySize = new Map<number, string>();
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const file = await stat(path);
    if (file.isFile()) pathBySize.set(file.size, path);
  }
  return knownModels.flatMap((model) => {
    const paths = new Map<KnownFile, string>();
    for (const file of model.files) {
      const path = pathBySize.get(file.sizeBytes);
      if (path !== undefined) paths.set(file, path);
    }
    return paths.size === model.files.length ? [{ model, paths }] : [];
  });
}

/**
 * Stores the files of a model.
 * @returns the file that is not the expected one; null if all are
 */
export async function storeModel(
  { blobs, ...working }: Working & Stores,
  { model, paths }: { model: KnownModel; paths: ReadonlyMap<KnownFile, string> },
): Promise<string | null> {
  const files = new ModelFiles(blobs);
  for (const [file, path] of paths) {
    if (await files.isIntact(file, never)) continue;
    await files.remove(file);
    let offsetBytes = 0;
    for await (const bytes of gatherBytes(createReadStream(path), pieceBytes))
      offsetBytes = await files.append(file, offsetBytes, bytes);
    if (await files.isIntact(file, never)) continue;
    await files.remove(file);
    return path;
  }
  await writeModelRow(working.database.queries, model.name, {
    state: 'checking',
    stored_bytes: modelBytes(model),
    cause: null,
    detail: null,
    updated_at: working.clock.nowMs(),
  });
  await requestWork(working.queue, working.database);
  return null;
}

/** Deletes a model. Returns false while a transcription uses it. */
export async function removeModel({ database, blobs }: Stores, model: KnownModel): Promise<boolean> {
  if (await isModelInUse(database.queries, model)) return false;
  await database.queries.deleteFrom('speech_models').where('name', '=', model.name).execute();
  await removeModelFiles({ database, known: knownModels, files: new ModelFiles(blobs) }, model);
  return true;
}

/** Reads and hashes every byte of the complete files of these models. Yields each file and whether it is intact. */
export async function* verifyModels(
  { blobs }: Stores,
  models: readonly KnownModel[],
): AsyncGenerator<{ model: KnownModel; file: KnownFile; isIntact: boolean }> {
  const files = new ModelFiles(blobs);
  for (const model of models)
    for (const file of model.files)
      if ((await files.storedBytes(file)) === file.sizeBytes)
        yield { model, file, isIntact: await files.isIntact(file, never) };
}
