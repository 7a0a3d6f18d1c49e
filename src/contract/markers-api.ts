import { z } from 'zod';
import { labelColours } from '#base/labels/label.ts';
import { endpoint } from './endpoint.ts';
import { durationMsSchema, idSchema, instantSchema, markerLabelSchema } from './values.ts';

export const markerColourSchema = z.enum(labelColours);

export const markerSchema = z.object({
  id: idSchema,
  recordingId: idSchema,
  atMs: durationMsSchema,
  label: z.string(),
  colour: markerColourSchema,
  createdAt: instantSchema,
});
export type Marker = z.output<typeof markerSchema>;

export const newMarkerSchema = z.strictObject({
  id: idSchema,
  atMs: durationMsSchema,
  label: markerLabelSchema.default(''),
  colour: markerColourSchema.default('blue'),
});
export type NewMarker = z.input<typeof newMarkerSchema>;

export const listMarkers = endpoint('listMarkers', {
  access: 'session',
  summary: 'All markers of a recording, in order of time.',
  reply: z.object({ items: z.array(markerSchema) }),
  statuses: [200],
  errors: ['not-found'],
});

export const createMarker = endpoint('createMarker', {
  access: 'session-or-upload-capability',
  summary: 'Add a marker under an id created on the device; repeating an id returns the existing marker.',
  isKeyed: true,
  body: newMarkerSchema,
  reply: markerSchema,
  statuses: [201, 200],
  errors: ['validation', 'not-found', 'already-finished', 'too-much-text'],
});

export const changeMarker = endpoint('changeMarker', {
  access: 'session',
  summary: 'Change a marker.',
  body: z.strictObject({
    label: markerLabelSchema.optional(),
    atMs: durationMsSchema.optional(),
    colour: markerColourSchema.optional(),
  }),
  reply: markerSchema,
  statuses: [200],
  errors: ['validation', 'not-found', 'too-much-text'],
});

export const removeMarker = endpoint('removeMarker', {
  access: 'session',
  summary: 'Delete a marker; idempotent.',
  statuses: [204],
  errors: ['not-found'],
});
