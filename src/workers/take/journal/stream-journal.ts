/**
 * Where a stream is stored: in a slot file and, until that alone is durable, also in the log; in the log only if
 * there are no files; or in memory only.
 */
export type JournalKind = 'files' | 'database' | 'memory';

/** Where a take is stored. `temporary`: in the log of a window that forgets it when it is closed. */
export type TakeJournal = JournalKind | 'temporary';

/** One append-only stream of a take on this device, read by the uploader and extended by the writer. */
export interface StreamJournal {
  readonly kind: JournalKind;
  /** The id of its upload, which is also its key on this device. */
  readonly uploadId: string;
  /** The name of its slot file; null if only the log stores it. */
  readonly slot: string | null;
  /** Bytes appended so far, flushed or not. */
  readonly sizeBytes: number;
  /** Bytes that survive a power cut. Only `truncate` reduces it. */
  readonly flushedBytes: number;
  /**
   * Appends all of the bytes, or throws and leaves the stream unchanged. Synchronous.
   * @throws DOMException `QuotaExceededError` on a full device, `InvalidStateError` when the file or the database
   * has accepted nothing for so long that the journal's own memory is full
   */
  append(bytes: Uint8Array): void;
  /**
   * Writes a provisional Ogg page after the end without changing the length, so that a killed browser loses less.
   * The next `append` or `writeProvisionalPage` replaces it. Recovery includes it if its CRC is right.
   * Synchronous, never throws.
   */
  writeProvisionalPage(page: Uint8Array): void;
  /**
   * Flushes the file immediately and requests a strict transaction of the log, one for both streams of a segment.
   * Does nothing if there are no new bytes. Never throws: the next flush retries failed writes.
   */
  flush(): void;
  /** The server holds this many bytes durably, so the log may delete its entries of them. */
  acknowledged(sizeBytes: number): void;
  /** Truncates the stream. Resolves when that is durable. */
  truncate(sizeBytes: number): Promise<void>;
  /** Reads bytes back, also after `close`; returns fewer if the stream ends before. */
  read(offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Writes a byte and removes it again. Rejects with `QuotaExceededError` if the device has no space even for
   * that.
   */
  proveSpace(): Promise<void>;
  /**
   * Flushes, and releases the file immediately. Resolves when all bytes are durable or, if `flushedBytes` is less
   * than `sizeBytes`, the rest can be read from memory alone. May be called more than once.
   */
  close(): Promise<void>;
}

/** The two streams of a segment, flushed in one transaction. */
export interface SegmentStreams {
  audio: StreamJournal;
  peaks: StreamJournal;
}
