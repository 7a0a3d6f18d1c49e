import { minute, second } from '#base/duration.ts';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import type { Feature } from '#server/features/feature.ts';
import {
  fileUrlOf,
  type KnownModel,
  modelBytes,
  type ModelName,
} from '#server/features/speech-models/known-models.ts';
import { missingSpace, type MissingSpace } from '#server/features/speech-models/model-space.ts';
import { removeModelFiles } from '#server/features/speech-models/remove-model.ts';
import { changeModelRow, type ModelCause, readModelRows } from '#server/features/speech-models/model-rows.ts';
import { getModelJob, type ModelsDeps } from '#server/features/speech-models/models-deps.ts';
import {
  isEngineMissing,
  ModelBrokenError,
  tryModel,
} from '#server/features/speech-models/trial/try-model.ts';
import { patchAttention } from '#server/transcribers/attention/patch-attention.ts';
import { needsModel, TranscriberError } from '#server/transcribers/transcriber.ts';
import { defaultRetryDelaysMs, type FileDownloadDeps, downloadFile } from './download-file.ts';
import { UnreachableError, WrongFileError } from './fetch-file.ts';

/** How often the row says how much is stored, and tells whether an administrator paused the download. */
const notedEveryMs = second;
const scheduledEveryMs = 5 * minute;
const maxDetailLength = 300;
const trialTimeoutMs = 10 * minute;

/** An administrator paused the download, or deleted the model. */
class NoLongerWantedError extends Error {
  override readonly name = 'NoLongerWantedError';
}

/** There is too little space for the rest of a model. */
class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError';
  constructor({ neededBytes, freeBytes }: MissingSpace) {
    super(`${neededBytes} bytes are needed, ${freeBytes} are free`);
  }
}

interface JobParts {
  signal: AbortSignal;
  progressed: () => Promise<void>;
}

/** Downloads the files of models, compares them with their hashes, and tests what is complete. */
export class ModelGetter {
  readonly #deps: ModelsDeps;
  readonly #download: FileDownloadDeps;
  readonly #running = new Map<ModelName, AbortController>();

  constructor(
    deps: ModelsDeps,
    download: Partial<Pick<FileDownloadDeps, 'fetch' | 'retryDelaysMs' | 'silenceMs'>> = {},
  ) {
    this.#deps = deps;
    this.#download = {
      files: deps.files,
      fetch: (...request) => fetch(...request),
      retryDelaysMs: defaultRetryDelaysMs,
      ...download,
    };
  }

  /** Ends the work of this process for a model. Another process sees within a second that the row has changed. */
  stopWork(name: ModelName): void {
    this.#running.get(name)?.abort(new NoLongerWantedError('paused'));
  }

  get feature(): Pick<Feature, 'jobs' | 'schedules'> {
    return {
      jobs: [
        {
          kind: getModelJob,
          lane: 'long',
          run: (_job, context) => this.#workForAll(context),
          onSetAside: () => this.#stopTrials(),
        },
      ],
      // Continues what a press during the last moments of a job asked for.
      schedules: [{ kind: getModelJob, everyMs: scheduledEveryMs }],
    };
  }

  async #workForAll(parts: JobParts): Promise<void> {
    for (;;) {
      const rows = await readModelRows(this.#deps.database.queries);
      const next = this.#deps.known
        .map((model) => ({ model, row: rows.get(model.name) }))
        .filter(({ row }) => row?.state === 'downloading' || row?.state === 'checking')
        .toSorted((a, b) => (a.row?.updated_at ?? 0) - (b.row?.updated_at ?? 0))[0];
      if (next === undefined) return;
      await this.#workFor(next.model, parts);
    }
  }

  async #workFor(model: KnownModel, parts: JobParts): Promise<void> {
    const stopping = new AbortController();
    this.#running.set(model.name, stopping);
    const signal = AbortSignal.any([parts.signal, stopping.signal]);
    const watch = setInterval(() => {
      this.#isWanted(model).then(
        (isWanted) => {
          if (!isWanted) this.stopWork(model.name);
        },
        () => undefined,
      );
    }, notedEveryMs);
    try {
      await this.#complete(model, { ...parts, signal });
      await this.#patch(model);
      await this.#try(model, signal);
    } catch (error) {
      parts.signal.throwIfAborted();
      await this.#end(model, error);
    } finally {
      clearInterval(watch);
      this.#running.delete(model.name);
    }
    this.#deps.announce.transcriberChanged();
  }

  async #isWanted({ name }: KnownModel): Promise<boolean> {
    const row = (await readModelRows(this.#deps.database.queries)).get(name);
    return row?.state === 'downloading' || row?.state === 'checking';
  }

  /** Downloads what is missing. */
  async #complete(model: KnownModel, { signal, progressed }: JobParts): Promise<void> {
    const { files, modelsUrl } = this.#deps;
    const missing = await missingSpace(this.#deps, model);
    if (missing !== null) throw new NoSpaceError(missing);
    let notedAtMs = -Infinity;
    const onStored = async (): Promise<void> => {
      signal.throwIfAborted();
      if (performance.now() - notedAtMs < notedEveryMs) return;
      notedAtMs = performance.now();
      await this.#noteStored(model);
      await progressed();
    };
    for (const file of model.files) {
      const url = fileUrlOf(model, file, modelsUrl);
      const onLost = (error: Error): Promise<void> => this.#noteLost(model, error);
      await downloadFile({ ...this.#download, files }, { file, url, onStored, onLost, signal });
    }
    await this.#change(model, { state: 'checking', stored_bytes: modelBytes(model) });
    this.#deps.announce.transcriberChanged();
  }

  /** Says why the download waits. */
  async #noteLost({ name }: KnownModel, { message }: Error): Promise<void> {
    const { queries } = this.#deps.database;
    await changeModelRow(
      queries,
      { name, from: ['downloading'] },
      { detail: message.slice(0, maxDetailLength) },
    );
  }

  async #noteStored(model: KnownModel): Promise<void> {
    const stored = await this.#deps.files.storedBytesOf(model.files);
    const { queries } = this.#deps.database;
    const from = { name: model.name, from: ['downloading'] as const };
    await changeModelRow(queries, from, { stored_bytes: stored, detail: null });
  }

  /** Changes the row unless an administrator did meanwhile. */
  async #change(
    { name }: KnownModel,
    changes: Omit<Parameters<typeof changeModelRow>[2], 'updated_at'>,
  ): Promise<void> {
    const { database, clock } = this.#deps;
    const isChanged = await changeModelRow(
      database.queries,
      { name, from: ['downloading', 'checking'] },
      { cause: null, detail: null, ...changes, updated_at: clock.nowMs() },
    );
    if (!isChanged) throw new NoLongerWantedError('paused');
  }

  /** Tests a complete model, if this process can. */
  async #try(model: KnownModel, signal: AbortSignal): Promise<void> {
    const { transcriber, clock, provide } = this.#deps;
    if (transcriber === null || !needsModel(transcriber) || !transcriber.isInstalled())
      return this.#change(model, { state: 'untested' });
    const parts = { transcriber, model: await provide(model) };
    const limited = AbortSignal.any([signal, AbortSignal.timeout(trialTimeoutMs)]);
    try {
      const { wrongWords, msPerSecond, gives } = await tryModel(parts, limited);
      await this.#change(model, {
        state: 'ready',
        wrong_words: wrongWords,
        ms_per_second: msPerSecond,
        gives,
        tested_at: clock.nowMs(),
      });
    } catch (error) {
      if (!isEngineMissing(error)) throw error;
      await this.#change(model, { state: 'untested' });
    }
  }

  /** Gives the decoder the output that times of words are computed from. */
  async #patch({ files, needsAttentionPatch }: KnownModel): Promise<void> {
    const decoder = files.find(({ role }) => role === 'decoder');
    if (needsAttentionPatch && decoder !== undefined)
      await this.#deps.files.storePatched(decoder, patchAttention);
  }

  /** Says why a model failed. Errors of the stores are thrown, so that the job is repeated. */
  async #end(model: KnownModel, error: unknown): Promise<void> {
    if (error instanceof NoLongerWantedError || !(await this.#isWanted(model)))
      return this.#forgetDeleted(model);
    const cause = this.#causeOf(error);
    if (cause === null) throw error;
    const detail = error instanceof Error ? error.message.slice(0, maxDetailLength) : null;
    const stored = await this.#deps.files.storedBytesOf(model.files);
    const forgotten = { wrong_words: null, ms_per_second: null, gives: null, tested_at: null };
    await this.#change(model, { ...forgotten, state: 'failed', cause, detail, stored_bytes: stored });
  }

  #causeOf(error: unknown): ModelCause | null {
    if (error instanceof UnreachableError) return 'unreachable';
    if (error instanceof WrongFileError) return 'wrong-file';
    if (error instanceof NoSpaceError) return 'storage-full';
    if (error instanceof ModelBrokenError || error instanceof TranscriberError) return 'model-broken';
    if (error instanceof Error && error.name === 'TimeoutError') return 'model-broken';
    return isNoSpaceError(error) && !this.#deps.waitsForSpace ? 'storage-full' : null;
  }

  /** A piece that was under way when an administrator deleted the model may have been stored. */
  async #forgetDeleted(model: KnownModel): Promise<void> {
    const rows = await readModelRows(this.#deps.database.queries);
    if (!rows.has(model.name)) await removeModelFiles(this.#deps, model);
  }

  /** The server ended twice during a test. */
  async #stopTrials(): Promise<void> {
    const { database, clock } = this.#deps;
    for (const { name } of this.#deps.known)
      await changeModelRow(
        database.queries,
        { name, from: ['checking'] },
        {
          state: 'failed',
          cause: 'model-broken',
          detail: 'the server ended during the test',
          tested_at: null,
          updated_at: clock.nowMs(),
        },
      );
  }
}
