/** A piece of a stream in the IndexedDB store `log`, keyed by stream and place. */
export interface LogEntry {
  uploadId: string;
  /** Where in the stream it begins. */
  offsetBytes: number;
  bytes: Uint8Array<ArrayBuffer>;
  /** A provisional page at the end of the stream, not part of it yet. */
  isSketch?: true;
}

/** Where an entry ends in its stream. */
export const endOf = (entry: Pick<LogEntry, 'offsetBytes' | 'bytes'>): number =>
  entry.offsetBytes + entry.bytes.length;
