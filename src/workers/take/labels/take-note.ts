/** A text about a moment of the take. */
export interface TakeNote {
  id: string;
  atMs: number;
  text: string;
}

/** The notes of a stored take, without what the device knows of their sending. */
export const notesOf = ({ notes = [] }: { notes?: readonly TakeNote[] | undefined }): TakeNote[] =>
  notes.map(({ id, atMs, text }) => ({ id, atMs, text }));
