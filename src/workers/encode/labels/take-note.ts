/** A text about a moment of the take. */
export interface TakeNote { id: string; atMs: number; text: string }
