import type { FileHandle } from 'node:fs/promises';

/** An open blob. */
export interface OpenBlob {
  handle: FileHandle;
  /** What has been acknowledged; the file may be longer while an append is under way or after one failed. */
  sizeBytes: number;
  /**
   * Set after an append failed: the file may end in bytes nobody was told of, and is cut before it is used
   * again.
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

/** Keeps files open between appends and reads, the least recently used leaving first; files in use stay. */
export class DescriptorCache {
  readonly #entries = new Map<string, Entry>();
  readonly #openFile: OpenFile;
  readonly #capacity: number;

  constructor(options: { openFile: OpenFile; capacity: number }) {
    this.#openFile = options.openFile;
    this.#capacity = options.capacity;
  }

  /** Runs `work` with the file open, under the name `key`. Rejects as `open` does when there is no file. */
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

  /** The open blob of a key, if it is open. */
  peek(key: string): OpenBlob | null {
    return this.#entries.get(key)?.opened ?? null;
  }

  /** The keys open now that satisfy a condition. */
  keys(matches: (key: string) => boolean): string[] {
    return [...this.#entries.keys()].filter(matches);
  }

  /** Forgets one blob's file and closes it; who still reads it reads on to the end of the old one. */
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
      // A torn file stays: what it was acknowledged to hold is known here only.
      if (entry.users === 0 && entry.opened?.torn !== true) return this.drop(key);
    }
  }
}
