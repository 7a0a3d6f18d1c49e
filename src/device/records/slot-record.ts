/** A slot file and the stream it holds: a value of the IndexedDB store `slots`. */
export interface SlotRecord {
  name: string;
  createdAtMs: number;
  /** The upload whose stream it holds; null while the slot is free. */
  takenBy: string | null;
  takenAtMs: number | null;
}
