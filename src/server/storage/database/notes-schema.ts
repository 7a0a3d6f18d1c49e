import type { TextWords } from './library-schema.ts';

/** What people write at places of their recordings. */
export interface NotesSchema {
  notes: NoteRow & TextWords;
}

export interface NoteRow {
  id: string;
  recording_id: string;
  from_ms: number;
  /** Null where the note is about a moment. */
  to_ms: number | null;
  text: string;
  /** One more with every change. */
  revision: number;
  created_by: string;
  created_at: number;
  updated_at: number;
}
