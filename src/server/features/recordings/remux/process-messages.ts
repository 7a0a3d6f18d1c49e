/**
 * What the server sends to a process that reads one file: first what is wanted of it, then one answer to each
 * question. Bytes for a `read`, null for a piece that was stored.
 */
export type ToFileProcess<Options> =
  | { type: 'start'; sizeBytes: number; options: Options }
  | { type: 'answer'; bytes: Uint8Array | null };

/** What such a process asks of the server, one question at a time, or reports at the end. */
export type FromFileProcess<Result> =
  | { type: 'read'; startByte: number; endByteExclusive: number }
  | { type: 'audio'; bytes: Uint8Array }
  | { type: 'peaks'; bytes: Uint8Array }
  | { type: 'ended'; result: Result }
  | { type: 'broken'; error: string };
