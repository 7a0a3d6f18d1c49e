import type { Readable } from 'node:stream';
import { isCausedBy } from '#base/errors/caused-by.ts';

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

/** There is no blob with this key. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
  constructor(key: string) {
    super(`no such blob: ${key}`);
  }
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

/**
 * The append belongs to a writer that another one superseded, or the blob is sealed. `epoch` is the lowest epoch that
 * may append.
 */
export class BlobFencedError extends Error {
  readonly epoch: number;
  constructor(epoch: number) {
    super(epoch >= sealedEpoch ? 'the blob is sealed' : `the blob belongs to the writer of epoch ${epoch}`);
    this.name = 'BlobFencedError';
    this.epoch = epoch;
  }
}

/** The epoch of a sealed blob, above that of every writer. */
export const sealedEpoch = 2 ** 31;

/** The longest note that an append may carry. */
export const maxNoteBytes = 256;

/** A store returns a note that at most this many bytes of the blob follow. */
export const noteLagBytes = 256 * 1024;

/** What the writer noted about the first `atBytes` bytes of a blob. */
export interface BlobNote {
  atBytes: number;
  bytes: Uint8Array;
}

export interface BlobTail {
  sizeBytes: number;
  /** The newest stored note; null if no append carried one, or the store has lost it. */
  note: BlobNote | null;
}

export interface Append {
  /** Where the bytes begin; has to be the current size. */
  offsetBytes: number;
  bytes: Uint8Array;
  /** The epoch of the writer; without one, only a sealed blob refuses the append. */
  epoch?: number;
  /** Describes all bytes up to the end of this append, for the next writer. At most `maxNoteBytes`. */
  note?: Uint8Array;
}

/** The volume is full, or the remaining space is reserved for other writes. */
export class BlobSpaceError extends Error {
  readonly code = 'ENOSPC';
  constructor(cause: unknown) {
    super('no space left for blobs', { cause });
    this.name = 'BlobSpaceError';
  }
}

/** The blob exists, but its store has lost some of its bytes. Reading them again does not help. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
}

/** Whether bytes of a blob are lost, or on a sector that the disk cannot read. */
export const isDamagedBlob = (error: unknown): boolean =>
  isCausedBy(
    error,
    (cause) => cause instanceof BlobDamagedError || ('code' in cause && cause.code === 'EIO'),
  );

/**
 * Stores blobs. A key is lower-case path segments, `recordings/<uuid>/audio-0000`; adapters reject any other key.
 * Once a promise of this port resolves, the bytes and the directory entries that lead to them are synced to disk.
 * While a store does not respond, methods reject with an error that `isUnavailableError` accepts.
 */
/** Requests to an object store by this process. `outcome`: `ok`, `4xx`, `5xx`, or `lost` without an answer. */
export interface ObjectRequests {
  /** The name of the command, such as `PutObject`. */
  operation: string;
  outcome: 'ok' | '4xx' | '5xx' | 'lost';
  count: number;
}

/** What a store that moves bytes to an object store in the background knows of them. */
export interface MovingFigures {
  /** Acknowledged bytes of all servers that are not in the object store yet. */
  tailBytes: number;
  /** The last append to the blob whose bytes have waited longest; null if none wait. */
  oldestTailAtMs: number | null;
  /** How many transactions of this process stored appends; each stores what has arrived meanwhile. */
  appendCommits: number;
  /** How many calls of this process wait for a connection to the database of the tails. */
  waitingForConnection: number;
  requests: readonly ObjectRequests[];
}

export interface BlobStore {
  /**
   * Whether other processes write to the same blobs. What one process remembers of a blob is then a guess. A store
   * without other writers can find a torn tail after a crash, one with others never has any.
   */
  readonly hasOtherWriters: boolean;
  /** Creates an empty blob. Does nothing if the blob exists. */
  create(key: string): Promise<void>;
  /** Returns the size and time of the last change, or null if the blob does not exist. */
  head(key: string): Promise<BlobHead | null>;
  /**
   * Appends bytes. Offset and epoch are compared and raised in the same step as the bytes are stored.
   * @returns the new size
   * @throws BlobOffsetError when `offsetBytes` is not the current size
   * @throws BlobFencedError when the blob is sealed or belongs to a writer with a higher epoch
   */
  append(key: string, piece: Append): Promise<number>;
  /**
   * Refuses appends below an epoch from now on; `sealedEpoch` refuses all. Does nothing if the epoch is higher
   * already. A store that one process writes may forget epochs when that process ends, because the next one asks the
   * database before it appends.
   * @param sizeBytes the size that the blob must have
   * @throws BlobOffsetError when it has another size
   */
  fence(key: string, epoch: number, expected?: { sizeBytes: number }): Promise<void>;
  /** Returns the size and the newest note, from which a writer continues; null if the blob does not exist. */
  tail(key: string): Promise<BlobTail | null>;
  /**
   * Reads one range into memory. The result is shorter when the range ends after the blob.
   * @throws BlobDamagedError when bytes of the range are lost
   */
  read(key: string, range: ByteRange): Promise<Uint8Array>;
  /** Streams one range; destroy the stream to stop. Its errors are those of `read`. */
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
  /** What it knows of moving bytes; absent if it moves none. */
  movingFigures?(): Promise<MovingFigures>;
  /** Resolves when the store is writable. */
  ping(): Promise<void>;
  /** Resolves when every part of the store responds, also one that running takes do not need. */
  pingAll(): Promise<void>;
  close(): Promise<void>;
}
