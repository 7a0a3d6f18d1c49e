/** A piece of a stream in the IndexedDB store `log`, keyed by upload and offset. */
export interface LogEntry {
  uploadId: string;
  /** Offset of the first byte in the stream. */
  offsetBytes: number;
  bytes: Uint8Array<ArrayBuffer>;
  /** Set for a provisional page after the end of the stream, which is not part of the stream yet. */
  isSketch?: true;
}

/** The offset in the stream at which an entry ends. */
export const endOf = (entry: Pick<LogEntry, 'offsetBytes' | 'bytes'>): number =>
  entry.offsetBytes + entry.bytes.length;
