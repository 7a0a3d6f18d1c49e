import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idSchema } from './values.ts';

/** Events are hints: something changed, read it again. `id` names the recording where there is one. */
export const liveEventSchema = z.object({
  type: z.enum(['hello', 'recording-changed', 'recording-removed', 'markers-changed', 'profile-changed', 'session-ended']),
  recordingId: idSchema.optional(),
});
export type LiveEvent = z.output<typeof liveEventSchema>;

export const getEvents = endpoint({
  method: 'GET', path: '/api/events', access: 'session', replyKind: 'event-stream',
  summary: 'Server-sent events for this person: each `data` line is a LiveEvent. A hint to read again, never the data itself.',
  statuses: [200], errors: [],
});
