/** What a thread that reads one file is started with; `wish` says what is wanted of the file. */
export interface FileThreadData<Wish> { sizeBytes: number; wish: Wish }

/** What such a thread asks of the server, one question at a time, or tells it at the end. */
export type FromFileThread<Result> =
  | { type: 'read'; startByte: number; endByteExclusive: number }
  | { type: 'audio'; bytes: Uint8Array }
  | { type: 'peaks'; bytes: Uint8Array }
  | { type: 'ended'; result: Result }
  | { type: 'broken'; error: string };

/** The answer to the last question: bytes for a `read`, none for a piece that was stored. */
export interface ToFileThread { bytes: Uint8Array | null }
