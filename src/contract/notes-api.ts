import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { durationMsSchema, idSchema, instantSchema, noteTextSchema } from './values.ts';

/** A text for a moment or, with `toMs`, a range of a recording, in a small subset of Markdown. */
export const noteSchema = z.object({
  id: idSchema,
  recordingId: idSchema,
  fromMs: durationMsSchema,
  /** After `fromMs`; null for a moment. */
  toMs: durationMsSchema.nullable(),
  text: z.string(),
  /** Incremented by every change. */
  revision: z.int().min(1),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type Note = z.output<typeof noteSchema>;

export const newNoteSchema = z.strictObject({
  id: idSchema,
  fromMs: durationMsSchema,
  toMs: durationMsSchema.nullable().default(null),
  text: noteTextSchema,
});
export type NewNote = z.input<typeof newNoteSchema>;

export const listNotes = endpoint('listNotes', {
  access: 'session',
  summary: 'All notes of a recording, in order of time.',
  reply: z.object({ items: z.array(noteSchema) }),
  statuses: [200],
  errors: ['not-found'],
});

export const createNote = endpoint('createNote', {
  access: 'session-or-upload-capability',
  summary:
    'Add a note under an id created on the device; repeating an id returns the existing note. A running recording adds its own notes with its upload capability, even beyond the quota.',
  isKeyed: true,
  body: newNoteSchema,
  reply: noteSchema,
  statuses: [201, 200],
  errors: ['validation', 'forbidden', 'not-found', 'already-finished', 'too-much-text', 'quota-exceeded'],
});

export const changeNote = endpoint('changeNote', {
  access: 'session',
  summary:
    'Change a note. `revision` is the one that the change is based on; if the note has a later one, nothing changes: note-changed.',
  body: z.strictObject({
    revision: z.int().min(1),
    text: noteTextSchema.optional(),
    fromMs: durationMsSchema.optional(),
    toMs: durationMsSchema.nullable().optional(),
  }),
  reply: noteSchema,
  statuses: [200],
  errors: ['validation', 'not-found', 'note-changed', 'too-much-text', 'quota-exceeded'],
});

export const removeNote = endpoint('removeNote', {
  access: 'session',
  summary: 'Delete a note; idempotent.',
  statuses: [204],
  errors: ['not-found'],
});
