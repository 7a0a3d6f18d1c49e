import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  changeRecordingSchema, finishRecordingSchema, listRecordingsQuerySchema, recordingDetailsSchema, recordingPageSchema,
  recordingSchema, registeredRecordingSchema, registerRecordingSchema,
} from './recordings.ts';
import { wholeNumberSchema } from './values.ts';

export const registerRecording = endpoint({
  method: 'PUT', path: '/api/recordings/:recordingId', access: 'session',
  summary: 'Register a take under the id made on the device; idempotent, also mid-take or long after. Answers with a fresh upload capability.',
  body: registerRecordingSchema, reply: registeredRecordingSchema, statuses: [200, 201],
  errors: ['validation', 'not-found', 'purged'],
});

export const finishRecording = endpoint({
  method: 'POST', path: '/api/recordings/:recordingId/finish', access: 'session-or-upload-capability',
  summary: 'Say that every segment is complete; idempotent.',
  body: finishRecordingSchema, reply: recordingSchema, statuses: [200],
  errors: ['validation', 'not-found', 'offset-mismatch'],
});

export const listRecordings = endpoint({
  method: 'GET', path: '/api/recordings', access: 'session', summary: 'List recordings, newest first, a page at a time.',
  query: listRecordingsQuerySchema, reply: recordingPageSchema, statuses: [200], errors: ['validation', 'malformed-request'],
});

export const getRecording = endpoint({
  method: 'GET', path: '/api/recordings/:recordingId', access: 'session', summary: 'One recording with its segments, gaps and pauses.',
  reply: recordingDetailsSchema, statuses: [200], errors: ['not-found'],
});

export const changeRecording = endpoint({
  method: 'PATCH', path: '/api/recordings/:recordingId', access: 'session', summary: 'Rename a recording or set its spoken language.',
  body: changeRecordingSchema, reply: recordingSchema, statuses: [200], errors: ['validation', 'not-found'],
});

export const trashRecording = endpoint({
  method: 'DELETE', path: '/api/recordings/:recordingId', access: 'session', summary: 'Move a recording to the trash; idempotent.',
  reply: recordingSchema, statuses: [200], errors: ['not-found'],
});

export const restoreRecording = endpoint({
  method: 'POST', path: '/api/recordings/:recordingId/restore', access: 'session', summary: 'Take a recording out of the trash; idempotent.',
  reply: recordingSchema, statuses: [200], errors: ['not-found'],
});

export const purgeRecording = endpoint({
  method: 'POST', path: '/api/recordings/:recordingId/purge', access: 'session', summary: 'Delete a trashed recording for good, its bytes included.',
  statuses: [204], errors: ['not-found', 'not-in-trash'],
});

export const getAudio = endpoint({
  method: 'GET', path: '/api/recordings/:recordingId/audio', access: 'session', replyKind: 'bytes',
  summary: 'The audio as Ogg/Opus, by byte range (RFC 9110 §14), also while it is being recorded: then the whole pages stored so far.',
  query: z.strictObject({ download: z.enum(['true', 'false']).default('false') }),
  statuses: [200, 206, 304], errors: ['not-found', 'range-not-satisfiable', 'validation'],
});

export const getPeaks = endpoint({
  method: 'GET', path: '/api/recordings/:recordingId/peaks', access: 'session', replyKind: 'bytes',
  summary: 'The peaks pyramid, by byte range. `points` asks for the pyramid of just the first points, so that a growing recording can be read consistently.',
  query: z.strictObject({ points: wholeNumberSchema(0, 1_000_000_000).optional() }),
  statuses: [200, 206, 304], errors: ['not-found', 'range-not-satisfiable', 'validation'],
});
