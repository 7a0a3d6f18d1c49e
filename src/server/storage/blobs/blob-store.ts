import type { Readable } from 'node:stream';

export interface ByteRange {
  startByte: number;
  endByteExclusive: number;
}

/** Of the file system that stores the blobs; `freeBytes` is what this process may still use. */
export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

export interface BlobHead {
  sizeBytes: number;
  changedAtMs: number;
}

/** A blob where a program of this machine can read it, until it is released. It is never written there. */
export interface LocalFile {
  path: string;
  release: () => Promise<void>;
}

/** The append did not begin where the blob ends; `sizeBytes` is the truth. */
export class BlobOffsetError extends Error {
  readonly sizeBytes: number;
  constructor(sizeBytes: number) {
    super(`the blob ends at ${sizeBytes}`);
    this.name = 'BlobOffsetError';
    this.sizeBytes = sizeBytes;
  }
}

/** The volume is full, or what is left of it is reserved for others. */
export class BlobSpaceError extends Error {
  readonly code = 'ENOSPC';
  constructor(cause: unknown) {
    super('no space left for blobs', { cause });
    this.name = 'BlobSpaceError';
  }
}

/**
 * Where bytes rest. A key is lower-case path segments, `recordings/<uuid>/audio-0000`; adapters refuse
 * anything else. Whatever a promise of this port reports as stored is durable: synced, with the names that
 * lead to it.
 */
export interface BlobStore {
  /** Makes an empty blob; nothing happens where there is one. */
  create(key: string): Promise<void>;
  /** Size and last change, or null where there is none. */
  head(key: string): Promise<BlobHead | null>;
  /**
   * Adds bytes at the end; `offsetBytes` must be the present size, else BlobOffsetError. Answers with the new
   * size.
   */
  append(key: string, piece: { offsetBytes: number; bytes: Uint8Array }): Promise<number>;
  /** Reads one range into memory; shorter at the blob's end. */
  read(key: string, range: ByteRange): Promise<Uint8Array>;
  /** Streams one range; destroy it to stop. */
  stream(key: string, range: ByteRange): Readable;
  /**
   * Gives a blob as a file of this machine, for a program that has to seek in it. Release it after use: where
   * blobs are no files this is a copy. Rejects where there is no such blob.
   */
  localFile(key: string): Promise<LocalFile>;
  /** Writes a whole blob at once, atomically: readers see the old one or the new one. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Gives a whole blob another key, atomically, in the place of what is there. Rejects where there is no such
   * blob.
   */
  move(fromKey: string, toKey: string): Promise<void>;
  /** Cuts a torn tail off. */
  truncate(key: string, sizeBytes: number): Promise<void>;
  /** Removes a blob, or everything below a prefix that ends in `/`; nothing happens where there is none. */
  remove(keyOrPrefix: string): Promise<void>;
  /** How much space there is. */
  space(): Promise<DiskSpace>;
  /** Answers when the store can be written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
