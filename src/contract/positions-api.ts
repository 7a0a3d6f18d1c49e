import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { durationMsSchema, idSchema, instantSchema } from './values.ts';

/**
 * Where a user stopped listening. `heardAt` is the listening device's time; of two positions the later one is
 * stored.
 */
export const playbackPositionSchema = z.strictObject({
  positionMs: durationMsSchema,
  heardAt: instantSchema,
  /** Created by each playing page to recognise its own events. */
  playerId: idSchema,
});
export type PlaybackPosition = z.output<typeof playbackPositionSchema>;

const positionReply = z.object({ position: playbackPositionSchema.nullable() });

export const getPosition = endpoint('getPosition', {
  access: 'session',
  summary: 'Where the user stopped listening to a recording; null if they have not listened.',
  reply: positionReply,
  statuses: [200],
  errors: ['not-found'],
});

export const putPosition = endpoint('putPosition', {
  access: 'session',
  summary:
    'Save where the user stopped listening. Of two positions the later `heardAt` wins, whichever arrives last; returns the stored position. A time in the future counts as now.',
  body: playbackPositionSchema,
  reply: positionReply,
  statuses: [200],
  errors: ['validation', 'not-found'],
});
