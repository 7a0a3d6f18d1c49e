import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { newMarkerSchema } from './markers-api.ts';
import { newNoteSchema } from './notes-api.ts';
import { idSchema } from './values.ts';

/** An optional list with the limit for one request. */
const many = <Item extends z.ZodType>(item: Item) => z.array(item).max(limits.labelsTogether).optional();

export const addLabels = endpoint('addLabels', {
  access: 'session',
  maxBodyBytes: limits.bulkBodySizeBytes,
  summary:
    'Add many markers and notes under ids created on the device, all of them or none; existing ones do not change.',
  body: z.strictObject({ markers: many(newMarkerSchema), notes: many(newNoteSchema) }),
  reply: z.object({ added: z.int().min(0) }),
  statuses: [200],
  errors: ['validation', 'not-found', 'too-much-text', 'quota-exceeded'],
});

export const removeLabels = endpoint('removeLabels', {
  access: 'session',
  summary: 'Delete many markers and notes; idempotent.',
  body: z.strictObject({ markerIds: many(idSchema), noteIds: many(idSchema) }),
  statuses: [204],
  errors: ['validation', 'not-found'],
});
