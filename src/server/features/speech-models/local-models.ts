import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import { KeyedQueue } from '#base/keyed-queue.ts';
import { makeFolder } from '#server/storage/make-folder.ts';
import type { SpeechModel } from '#server/transcribers/transcriber.ts';
import type { FileRole, KnownFile, KnownModel } from './known-models.ts';
import type { ModelFiles } from './model-files.ts';

/** Copies of more models are deleted, the one used least recently first. */
const maxCopies = 2;

interface LocalModelsDeps {
  files: ModelFiles;
  clock: Clock;
  /** Where models of a store without files are copied to; null if the store has files. */
  copiesFolder: string | null;
}

/** Provides speech models as files on this machine's disk. */
export class LocalModels {
  readonly #files: ModelFiles;
  readonly #clock: Clock;
  readonly #copiesFolder: string | null;
  readonly #queue = new KeyedQueue();

  constructor(deps: LocalModelsDeps) {
    this.#files = deps.files;
    this.#clock = deps.clock;
    this.#copiesFolder = deps.copiesFolder;
  }

  /** Provides a model whose files are all stored. */
  async provide(model: KnownModel): Promise<SpeechModel> {
    const { name, kind, memoryBytes } = model;
    const folder = this.#copiesFolder === null ? null : join(this.#copiesFolder, name);
    const pathOf =
      folder === null
        ? async (file: KnownFile) => this.#files.pathOf(await this.#files.keyOf(file))
        : (file: KnownFile) => this.#copyOf(file, folder);
    const paths: Partial<Record<FileRole, string>> = {};
    for (const file of model.files) paths[file.role] = await pathOf(file);
    if (folder !== null) {
      const nowSeconds = this.#clock.nowMs() / second;
      await utimes(folder, nowSeconds, nowSeconds);
      await this.#queue.run('sweep', () => this.#sweep(name));
    }
    const { encoder = '', decoder = '', joiner = null, tokens = '' } = paths;
    return { name, kind, files: { encoder, decoder, joiner, tokens }, memoryBytes };
  }

  /** Deletes the copy of a model. */
  async remove({ name }: Pick<KnownModel, 'name'>): Promise<void> {
    if (this.#copiesFolder === null) return;
    await rm(join(this.#copiesFolder, name), { recursive: true, force: true });
  }

  /** Copies a file unless its copy is complete. The name contains the key, so that a patched file is another one. */
  #copyOf(file: KnownFile, folder: string): Promise<string> {
    return this.#queue.run(folder, async () => {
      const key = await this.#files.keyOf(file);
      const path = join(folder, key.slice(key.lastIndexOf('/') + 1));
      const copied = await stat(path).catch(() => null);
      if (copied?.isFile() === true) return path;
      await makeFolder(folder);
      const unfinished = `${path}.unfinished`;
      await pipeline(Readable.from(this.#files.readKey(key)), createWriteStream(unfinished));
      await rename(unfinished, path);
      return path;
    });
  }

  async #sweep(used: string): Promise<void> {
    const folder = this.#copiesFolder;
    if (folder === null) return;
    const copies: { name: string; usedAtMs: number }[] = [];
    for (const name of await readdir(folder))
      copies.push({ name, usedAtMs: name === used ? Infinity : (await stat(join(folder, name))).mtimeMs });
    const old = copies.toSorted((a, b) => b.usedAtMs - a.usedAtMs).slice(maxCopies);
    for (const { name } of old) await rm(join(folder, name), { recursive: true, force: true });
  }
}
