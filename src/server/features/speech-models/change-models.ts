import { BlobOffsetError, BlobSpaceError } from '#server/storage/blobs/blob-store.ts';
import { ProblemError } from '#server/http/problem.ts';
import { type KnownFile, type KnownModel, modelBytes } from './known-models.ts';
import type { LocalModels } from './local-models.ts';
import { missingSpace } from './model-space.ts';
import { changeModelRow, type ModelState, readModelRows, writeModelRow } from './model-rows.ts';
import { isModelInUse, removeModelFiles } from './remove-model.ts';
import { type ModelsDeps, requestWork } from './models-deps.ts';

export interface ChangeModelsDeps extends ModelsDeps {
  local: Pick<LocalModels, 'remove'>;
  /** Ends what a job does for a model. */
  stopWork: (name: KnownModel['name']) => void;
}

const offsetMismatch = (storedBytes: number): ProblemError =>
  new ProblemError('offset-mismatch', { headers: { 'Upload-Offset': String(storedBytes) } });

/** What administrators do with models. */
export class ModelChanges {
  readonly #deps: ChangeModelsDeps;

  constructor(deps: ChangeModelsDeps) {
    this.#deps = deps;
  }

  /**
   * Starts or continues a download, also of a model that failed. Does nothing if the model is complete.
   * @throws storage-full with the numbers
   */
  async download(model: KnownModel): Promise<void> {
    const state = await this.#stateOf(model);
    if (state !== null && !['paused', 'failed'].includes(state)) return;
    await this.#rejectFullStore(model);
    await this.#start(model, 'downloading');
  }

  /** Stops a download. What is stored stays. */
  async pause(model: KnownModel): Promise<void> {
    const { database, clock, files, announce } = this.#deps;
    const isPaused = await changeModelRow(
      database.queries,
      { name: model.name, from: ['downloading'] },
      {
        state: 'paused',
        stored_bytes: await files.storedBytesOf(model.files),
        updated_at: clock.nowMs(),
      },
    );
    if (!isPaused) return;
    this.#deps.stopWork(model.name);
    announce.transcriberChanged();
  }

  /**
   * Compares the files of a complete model with their hashes, and tests it.
   * @throws not-found if it is not complete
   */
  async test(model: KnownModel): Promise<void> {
    const state = await this.#stateOf(model);
    if (state === 'checking') return;
    if ((await this.#deps.files.storedBytesOf(model.files)) < modelBytes(model))
      throw new ProblemError('not-found');
    await this.#start(model, 'checking');
  }

  /**
   * Deletes the files of a model.
   * @throws model-in-use while a transcription runs with it
   */
  async remove(model: KnownModel): Promise<void> {
    const { database, announce, local } = this.#deps;
    if (await isModelInUse(database.queries, model)) throw new ProblemError('model-in-use');
    await database.queries.deleteFrom('speech_models').where('name', '=', model.name).execute();
    this.#deps.stopWork(model.name);
    await removeModelFiles(this.#deps, model);
    await local.remove(model);
    announce.transcriberChanged();
  }

  /**
   * Stores a part of a file that an administrator has.
   * @returns how much of the file is stored
   * @throws offset-mismatch, checksum-mismatch, storage-full
   */
  async append(
    model: KnownModel,
    file: KnownFile,
    { offsetBytes, bytes }: { offsetBytes: number; bytes: Uint8Array },
  ): Promise<number> {
    const { files } = this.#deps;
    await this.#prepareUpload(model);
    const storedBytes = await files.storedBytes(file);
    if (offsetBytes !== storedBytes) throw offsetMismatch(storedBytes);
    if (offsetBytes + bytes.byteLength > file.sizeBytes) throw new ProblemError('checksum-mismatch');
    const nextBytes = await this.#store(file, offsetBytes, bytes);
    if (nextBytes === file.sizeBytes) await this.#completeFile(model, file);
    return nextBytes;
  }

  async #store(file: KnownFile, offsetBytes: number, bytes: Uint8Array): Promise<number> {
    try {
      return await this.#deps.files.append(file, offsetBytes, bytes);
    } catch (error) {
      if (error instanceof BlobOffsetError) throw offsetMismatch(error.sizeBytes);
      if (error instanceof BlobSpaceError) throw new ProblemError('storage-full', { cause: error });
      throw error;
    }
  }

  /** An upload takes the place of a download. */
  async #prepareUpload(model: KnownModel): Promise<void> {
    const state = await this.#stateOf(model);
    if (state === 'downloading') await this.pause(model);
    if (state !== null && state !== 'failed') return;
    await this.#rejectFullStore(model);
    const { database, clock } = this.#deps;
    await writeModelRow(database.queries, model.name, {
      state: 'paused',
      cause: null,
      detail: null,
      updated_at: clock.nowMs(),
    });
    this.#deps.announce.transcriberChanged();
  }

  /** Continues if the client disconnects, because the file is stored. */
  async #completeFile(model: KnownModel, file: KnownFile): Promise<void> {
    const { files } = this.#deps;
    if (!(await files.isIntact(file, new AbortController().signal))) {
      await files.remove(file);
      throw new ProblemError('checksum-mismatch');
    }
    if ((await files.storedBytesOf(model.files)) === modelBytes(model)) await this.#start(model, 'checking');
  }

  async #start(model: KnownModel, state: 'downloading' | 'checking'): Promise<void> {
    const { database, clock, queue, files, announce } = this.#deps;
    await writeModelRow(database.queries, model.name, {
      state,
      stored_bytes: await files.storedBytesOf(model.files),
      cause: null,
      detail: null,
      updated_at: clock.nowMs(),
    });
    await requestWork(queue, database);
    queue.wake();
    announce.transcriberChanged();
  }

  async #stateOf({ name }: KnownModel): Promise<ModelState | null> {
    return (await readModelRows(this.#deps.database.queries)).get(name)?.state ?? null;
  }

  async #rejectFullStore(model: KnownModel): Promise<void> {
    const missing = await missingSpace(this.#deps, model);
    if (missing === null) return;
    throw new ProblemError('storage-full', {
      errors: [{ pointer: '', code: 'space', params: { ...missing } }],
    });
  }
}
