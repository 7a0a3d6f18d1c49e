import type { Readable } from 'node:stream';

export type BackupSource = AsyncIterable<Uint8Array>;

/** Bytes that were stored, named by their SHA-256 in hexadecimal. */
export interface StoredBytes {
  sha256: string;
  sizeBytes: number;
}

/**
 * Where backups are stored. A key is lower-case path segments, as in `snapshots/…/manifest.json`. Once a promise of
 * this port resolves, the bytes are durable; until then nobody sees them.
 */
export interface BackupTarget {
  /** Names the target in messages. */
  readonly name: string;
  /** Returns how many more bytes fit; null if that is not known, as in a bucket. */
  freeBytes(): Promise<number | null>;
  /** Deletes what an interrupted writer left unfinished. Only the one running backup calls it. */
  clean(): Promise<void>;
  /** Returns the size, or null if there is no such file. */
  sizeOf(key: string): Promise<number | null>;
  /** Returns the names directly below a prefix that ends in `/`, in any order. Empty if there are none. */
  list(prefix: string): Promise<string[]>;
  /** Reads a file. The stream fails if there is no such file. */
  read(key: string): Readable;
  /** Writes a file atomically and replaces an older one. */
  write(key: string, source: BackupSource): Promise<StoredBytes>;
  /** Stores bytes under `keyOfContent` of their hash, unless the target has them: then `isNew` is false. */
  store(source: BackupSource): Promise<StoredBytes & { isNew: boolean }>;
  /**
   * Renames damaged content to `setAsideKeyOf` its key, so that the next backup stores it again. Does nothing if
   * there is no such file.
   */
  setAside(key: string): Promise<void>;
  /** Deletes a file, or everything below a prefix that ends in `/`. Does nothing if there is no such file. */
  remove(keyOrPrefix: string): Promise<void>;
  /** Closes the connections. Its owner calls it once nothing is running. */
  close(): void;
}

const setAsideEnding = '.damaged';

/** The key of damaged content that was renamed. */
export const setAsideKeyOf = (key: string): string => `${key}${setAsideEnding}`;

/** The key that content had before it was renamed, or the same key. */
export const originalKeyOf = (key: string): string =>
  key.endsWith(setAsideEnding) ? key.slice(0, -setAsideEnding.length) : key;

/** The key of stored content: 256 folders hold a fraction of it each. */
export const keyOfContent = (sha256: string): string => `blobs/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
