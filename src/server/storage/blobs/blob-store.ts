import type { Readable } from 'node:stream';

export interface ByteRange {
  startByte: number;
  endByteExclusive: number;
}

/** Space on the file system that stores the blobs; `freeBytes` is the part this process may still use. */
export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

export interface BlobHead {
  sizeBytes: number;
  changedAtMs: number;
}

/** A blob as a local file that another program can read until it is released. The file must not be written. */
export interface LocalFile {
  path: string;
  release: () => Promise<void>;
}

/** The append did not start at the end of the blob; `sizeBytes` is the actual size. */
export class BlobOffsetError extends Error {
  readonly sizeBytes: number;
  constructor(sizeBytes: number) {
    super(`the blob ends at ${sizeBytes}`);
    this.name = 'BlobOffsetError';
    this.sizeBytes = sizeBytes;
  }
}

/** The volume is full, or the remaining space is reserved for other writes. */
export class BlobSpaceError extends Error {
  readonly code = 'ENOSPC';
  constructor(cause: unknown) {
    super('no space left for blobs', { cause });
    this.name = 'BlobSpaceError';
  }
}

/**
 * Stores blobs. A key is lower-case path segments, `recordings/<uuid>/audio-0000`; adapters reject any other key.
 * Once a promise of this port resolves, the bytes and the directory entries that lead to them are synced to disk.
 */
export interface BlobStore {
  /** Creates an empty blob. Does nothing if the blob exists. */
  create(key: string): Promise<void>;
  /** Returns the size and time of the last change, or null if the blob does not exist. */
  head(key: string): Promise<BlobHead | null>;
  /**
   * Appends bytes.
   * @returns the new size
   * @throws BlobOffsetError when `offsetBytes` is not the current size
   */
  append(key: string, piece: { offsetBytes: number; bytes: Uint8Array }): Promise<number>;
  /** Reads one range into memory. The result is shorter when the range ends after the blob. */
  read(key: string, range: ByteRange): Promise<Uint8Array>;
  /** Streams one range; destroy the stream to stop. */
  stream(key: string, range: ByteRange): Readable;
  /**
   * Provides a blob as a local file for a program that has to seek in it. Release it after use: adapters that do
   * not store files make a copy. Rejects if the blob does not exist.
   */
  localFile(key: string): Promise<LocalFile>;
  /** Writes a whole blob atomically: readers see the old one or the new one. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Renames a blob atomically and replaces any blob at `toKey`. Rejects if the blob does not exist. */
  move(fromKey: string, toKey: string): Promise<void>;
  /** Shortens a blob, for example to cut off a torn tail. */
  truncate(key: string, sizeBytes: number): Promise<void>;
  /** Deletes a blob, or everything below a prefix that ends in `/`. Does nothing if there is no such blob. */
  remove(keyOrPrefix: string): Promise<void>;
  /** Returns the free and total space. */
  space(): Promise<DiskSpace>;
  /** Resolves when the store is writable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
