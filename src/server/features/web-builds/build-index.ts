import { setTimeout as delay } from 'node:timers/promises';
import { second } from '#base/duration.ts';
import type { Database } from '#server/storage/database/database.ts';
import { type StoredFile, storedFilesSchema } from './build-files.ts';

/** Older builds than these are not served: tabs stay open for days, not for hundreds of updates. */
const maxBuilds = 50;
const readAtMostEveryMs = second;

export interface IndexedFile {
  buildId: string;
  file: StoredFile;
  /** All files of the build. */
  files: StoredFile[];
}

/** Parses a list of files; one that cannot be read counts as empty. */
function parsedFiles(json: string): StoredFile[] {
  try {
    return storedFilesSchema.parse(JSON.parse(json));
  } catch {
    return [];
  }
}

/**
 * Which stored build has which file, in memory. A path that is not in it costs no query of its own: all paths
 * requested within a second share one.
 */
export class BuildIndex {
  readonly #database: Database;
  readonly #files = new Map<string, StoredFile[]>();
  #byPath = new Map<string, IndexedFile>();
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #readAtMs = -Infinity;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the file of a path; null if no build had it when, or after, this was called. */
  async find(path: string): Promise<IndexedFile | null> {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    await this.#readAgain();
    return this.#byPath.get(path) ?? null;
  }

  /** Joins the next read, which begins after this call and at most once a second. */
  #readAgain(): Promise<void> {
    this.#next ??= this.#afterPause();
    return this.#next;
  }

  async #afterPause(): Promise<void> {
    await this.#reading.catch(() => undefined);
    await delay(Math.max(0, this.#readAtMs + readAtMostEveryMs - performance.now()));
    this.#next = null;
    this.#readAtMs = performance.now();
    this.#reading = this.#read();
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { queries } = this.#database;
    const rows = await queries
      .selectFrom('web_builds')
      .select('id')
      .orderBy('used_at', 'desc')
      .limit(maxBuilds)
      .execute();
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#files.keys()) if (!ids.has(id)) this.#files.delete(id);
    for (const id of ids) {
      if (this.#files.has(id)) continue;
      const row = await queries
        .selectFrom('web_builds')
        .select('files')
        .where('id', '=', id)
        .executeTakeFirst();
      if (row !== undefined) this.#files.set(id, parsedFiles(row.files));
    }
    // Of the builds that have a path, the one used last is deleted last.
    this.#byPath = new Map(
      [...ids].reverse().flatMap((buildId) => {
        const files = this.#files.get(buildId) ?? [];
        return files.map((file): [string, IndexedFile] => [file[0], { buildId, file, files }]);
      }),
    );
  }
}
