import type { Database } from '#server/storage/database/database.ts';
import type { SpeechModel } from '#server/transcribers/transcriber.ts';
import { modelsFor } from './choose-model.ts';
import type { KnownModel, ModelName } from './known-models.ts';
import type { LocalModels } from './local-models.ts';
import type { ModelFiles } from './model-files.ts';
import { isUsable, readModelRows } from './model-rows.ts';

/** A model that can transcribe. */
export interface StoredModel {
  name: ModelName;
  title: string;
  /** The primary subtags of its languages. */
  languages: readonly string[];
  /** How long a second of sound takes on this installation; null before a test. */
  secondsPerSecond: number | null;
}

interface StoredModelsDeps {
  database: Database;
  known: readonly KnownModel[];
  files: ModelFiles;
  local: LocalModels;
}

/** The speech models that transcriptions may use. */
export class StoredModels {
  readonly #deps: StoredModelsDeps;

  constructor(deps: StoredModelsDeps) {
    this.#deps = deps;
  }

  async list(): Promise<StoredModel[]> {
    const rows = await readModelRows(this.#deps.database.queries);
    return this.#deps.known.flatMap(({ name, title, languages }) => {
      const row = rows.get(name);
      if (row === undefined || !isUsable(row)) return [];
      const secondsPerSecond = row.ms_per_second === null ? null : row.ms_per_second / 1000;
      return [{ name, title, languages, secondsPerSecond }];
    });
  }

  /** The languages of all stored models. */
  async languages(): Promise<string[]> {
    return [...new Set((await this.list()).flatMap(({ languages }) => languages))].sort();
  }

  /**
   * Chooses the stored model for a language, and provides its files. Null if no stored model knows the language.
   * @param language a primary subtag; null if it is not known
   */
  async modelFor(language: string | null): Promise<SpeechModel | null> {
    const stored = new Set((await this.list()).map(({ name }) => name));
    for (const model of modelsFor(
      language,
      this.#deps.known.filter(({ name }) => stored.has(name)),
    ))
      if (await this.#isComplete(model)) return this.#deps.local.provide(model);
    return null;
  }

  /** The store may have lost files, for example when an operator deleted them. */
  async #isComplete({ files }: KnownModel): Promise<boolean> {
    for (const file of files) if ((await this.#deps.files.storedBytes(file)) !== file.sizeBytes) return false;
    return true;
  }
}
