/** One append-only stream of a segment as its writer sees it. */
export interface SegmentStream {
  /** Appended so far, flushed or not. */
  readonly sizeBytes: number;
  /**
   * Appends all of the bytes, to the disk or, on a full device, to memory; throws only when neither has room.
   */
  append: (bytes: Uint8Array) => void;
  /**
   * Writes a provisional Ogg page beyond the end: it counts after a kill, and the next append takes its
   * place.
   */
  sketch: (page: Uint8Array) => void;
  /** Puts what was appended on the disk. */
  flush: () => void;
}
