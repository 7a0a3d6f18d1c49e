/**
 * What the server sends to a process that reads one file: first the task, then one reply per request. `bytes` is
 * null for a stored piece.
 */
export type ToFileProcess<Options> =
  | { type: 'start'; sizeBytes: number; options: Options }
  | { type: 'answer'; bytes: Uint8Array | null };

/** What the process sends to the server: one request at a time, and the result at the end. */
export type FromFileProcess<Result> =
  | { type: 'read'; startByte: number; endByteExclusive: number }
  | { type: 'audio'; bytes: Uint8Array }
  | { type: 'peaks'; bytes: Uint8Array }
  | { type: 'ended'; result: Result }
  | { type: 'broken'; error: string };
