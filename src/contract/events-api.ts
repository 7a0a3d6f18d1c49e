import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idSchema } from './values.ts';

/**
 * Events are hints that something changed and should be read again. `recordingId` is set if they concern one
 * recording; `library-changed` concerns tags, saved views, favourites, or many recordings at once. `shares-changed`:
 * something of the links changed, also who has them open. `transcriber-changed`: whether and how recordings can be
 * transcribed changed, for all users.
 */
export const liveEventSchema = z.object({
  type: z.enum([
    'hello',
    'recording-changed',
    'recording-removed',
    'markers-changed',
    'notes-changed',
    'transcript-changed',
    'transcriber-changed',
    'position-changed',
    'library-changed',
    'shares-changed',
    'profile-changed',
    'session-ended',
  ]),
  recordingId: idSchema.optional(),
  /** With `position-changed`: the player that wrote the position and can ignore the event. */
  playerId: idSchema.optional(),
});
export type LiveEvent = z.output<typeof liveEventSchema>;

export const getEvents = endpoint('getEvents', {
  access: 'session',
  replyKind: 'event-stream',
  summary:
    'Server-sent events for the user: each `data` line is a LiveEvent. A hint to read again, never the data itself.',
  statuses: [200],
  errors: [],
});
