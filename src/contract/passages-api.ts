import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { durationMsSchema, idSchema } from './values.ts';

/** A passage that is muted for listeners: no link plays it, or says anything of what is in it. Its owner plays all of it. */
export const passageSchema = z.object({
  id: idSchema,
  fromMs: durationMsSchema,
  /** Null: until the end, which may grow. */
  toMs: durationMsSchema.nullable(),
});
export type Passage = z.output<typeof passageSchema>;

/** A passage as the device of a running take names it. */
export const putPassageSchema = z.strictObject({
  /** When it was started, on the recording's timeline. The server lets it start as much earlier as no listener is. */
  atMs: durationMsSchema,
  /** When it was ended; null until then. */
  toMs: durationMsSchema.nullable(),
});
export type PutPassage = z.output<typeof putPassageSchema>;

export const putPassage = endpoint('putPassage', {
  access: 'upload-capability',
  summary:
    'Start a passage of a running take that is muted for listeners, under an id created on the device, or end it; idempotent. The reply is sent once no link gives anything from within. `fromMs` is earlier than `atMs` by what no listener of a live link had received: nothing after it was ever sent.',
  body: putPassageSchema,
  reply: passageSchema,
  statuses: [200, 201],
  errors: ['validation', 'upload-token-invalid', 'forbidden', 'not-found', 'already-finished'],
});

export const releasePassage = endpoint('releasePassage', {
  access: 'session',
  summary:
    'Put a passage of a finished recording back on the record: every link of the recording plays it from then on. Idempotent.',
  statuses: [204],
  errors: ['not-found', 'still-recording'],
});
