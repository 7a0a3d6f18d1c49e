import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idSchema } from './values.ts';

/**
 * Events are hints: something changed, read it again. `recordingId` names the recording where it is one;
 * `library-changed` is about tags, saved views, favourites, or many recordings at once.
 */
export const liveEventSchema = z.object({
  type: z.enum([
    'hello',
    'recording-changed',
    'recording-removed',
    'markers-changed',
    'notes-changed',
    'position-changed',
    'library-changed',
    'profile-changed',
    'session-ended',
  ]),
  recordingId: idSchema.optional(),
  /** Of `position-changed`: the player that wrote it, which needs not hear of it. */
  playerId: idSchema.optional(),
});
export type LiveEvent = z.output<typeof liveEventSchema>;

export const getEvents = endpoint('getEvents', {
  access: 'session',
  replyKind: 'event-stream',
  summary:
    'Server-sent events for this person: each `data` line is a LiveEvent. A hint to read again, never the data itself.',
  statuses: [200],
  errors: [],
});
