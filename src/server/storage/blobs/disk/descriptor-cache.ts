import type { FileHandle } from 'node:fs/promises';

/** An open blob. */
export interface OpenBlob {
  handle: FileHandle;
  /** The acknowledged size; the file may be longer during an append or after one failed. */
  sizeBytes: number;
  /**
   * Set after an append failed: the file may end in unacknowledged bytes, which are cut off before its next use.
   */
  torn: boolean;
}

/** Opens one blob's file. */
export type OpenFile = (path: string) => Promise<FileHandle>;

interface Entry {
  opening: Promise<OpenBlob>;
  users: number;
  opened: OpenBlob | null;
  dropped: boolean;
}

/** Caches open files between appends and reads. Evicts the least recently used file that is not in use. */
export class DescriptorCache {
  readonly #entries = new Map<string, Entry>();
  readonly #openFile: OpenFile;
  readonly #capacity: number;

  constructor(options: { openFile: OpenFile; capacity: number }) {
    this.#openFile = options.openFile;
    this.#capacity = options.capacity;
  }

  /** Runs `work` with the file open, cached under `key`. Rejects as `open` does if the file does not exist. */
  async use<T>(key: string, path: string, work: (blob: OpenBlob) => Promise<T>): Promise<T> {
    const entry = this.#entry(key, path);
    entry.users += 1;
    try {
      return await work(await entry.opening);
    } finally {
      entry.users -= 1;
      if (entry.dropped) await this.#closeWhenIdle(entry);
      else await this.#shrink();
    }
  }

  /** Returns the open blob of a key, or null if it is not open. */
  peek(key: string): OpenBlob | null {
    return this.#entries.get(key)?.opened ?? null;
  }

  /** Returns the keys of open files that satisfy a condition. */
  keys(matches: (key: string) => boolean): string[] {
    return [...this.#entries.keys()].filter(matches);
  }

  /**
   * Removes a blob's file from the cache and closes it once idle. Current readers read the old file to its end.
   */
  async drop(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    entry.dropped = true;
    await this.#closeWhenIdle(entry);
  }

  /** Closes everything. */
  async close(): Promise<void> {
    await Promise.all(this.keys(() => true).map((key) => this.drop(key)));
  }

  #entry(key: string, path: string): Entry {
    const known = this.#entries.get(key);
    const entry = known ?? { opening: this.#open(path), users: 0, opened: null, dropped: false };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (!known) {
      const forget = (): void => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      };
      entry.opening.then((opened) => {
        entry.opened = opened;
      }, forget);
    }
    return entry;
  }

  async #open(path: string): Promise<OpenBlob> {
    const handle = await this.#openFile(path);
    try {
      return { handle, sizeBytes: (await handle.stat()).size, torn: false };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #closeWhenIdle(entry: Entry): Promise<void> {
    if (entry.users > 0) return;
    await entry.opening.then(
      ({ handle }) => handle.close(),
      () => undefined,
    );
  }

  async #shrink(): Promise<void> {
    if (this.#entries.size <= this.#capacity) return;
    for (const [key, entry] of this.#entries) {
      // A torn file stays open: only this entry knows its acknowledged size.
      if (entry.users === 0 && entry.opened?.torn !== true) return this.drop(key);
    }
  }
}
