/**
 * Where a stream is stored: in a slot file and, until that is safe alone, the log beside it; without files,
 * in the log alone; without any store, nowhere but in memory.
 */
export type JournalKind = 'files' | 'database' | 'memory';

/** One append-only stream of a take on this device: what the uploader reads and the writer grows. */
export interface StreamJournal {
  readonly kind: JournalKind;
  /** The upload that the stream is; what it is kept under here. */
  readonly uploadId: string;
  /** The name of its slot file; null where the log alone keeps it. */
  readonly slot: string | null;
  /** Appended so far, flushed or not. */
  readonly sizeBytes: number;
  /** What a power cut now would leave; it never becomes less but by `truncate`. */
  readonly flushedBytes: number;
  /**
   * Appends all of the bytes or throws (`QuotaExceededError` on a full device) and leaves the stream as it
   * was. Never waits.
   */
  append(bytes: Uint8Array): void;
  /**
   * Puts a provisional Ogg page behind the end without making the stream longer, so that a killed browser
   * loses less; the next `append` or `writeProvisionalPage` replaces it. Recovery counts it when its CRC is right.
   * Never throws, never waits.
   */
  writeProvisionalPage(page: Uint8Array): void;
  /**
   * Puts what was appended on the disk: the file's flush at once, the log's strict transaction soon, one for
   * both streams of a segment. Costs nothing when there is nothing new. Never throws: what could not be
   * written is tried again by the next flush.
   */
  flush(): void;
  /** The server holds so many bytes durably: what the log keeps of them may go. */
  acknowledged(sizeBytes: number): void;
  /** Cuts the stream to its first bytes; resolves when that is durable. */
  truncate(sizeBytes: number): Promise<void>;
  /** Reads back bytes that are there, also after `close`; fewer when the stream ends before. */
  read(offsetBytes: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Writes a little and takes it back: rejects (`QuotaExceededError`) where the device has no room even for a
   * beginning.
   */
  proveSpace(): Promise<void>;
  /** Flushes and lets go of the file at once; resolves when all of it is durable. It may be called again. */
  close(): Promise<void>;
}

/** The two streams of a segment; they are flushed in one transaction. */
export interface SegmentStreams {
  audio: StreamJournal;
  peaks: StreamJournal;
}
