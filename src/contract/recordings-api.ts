import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { listRecordingsQuerySchema } from './recording-filter.ts';
import {
  changeRecordingSchema,
  finishReceiptSchema,
  finishRecordingSchema,
  nameGapsSchema,
  recordingDetailsSchema,
  recordingPageSchema,
  recordingSchema,
  registeredRecordingSchema,
  registerRecordingSchema,
  reopenedRecordingSchema,
} from './recordings.ts';
import { wholeNumberSchema } from './values.ts';

export const registerRecording = endpoint('registerRecording', {
  access: 'session',
  summary:
    'Register a take, or the import of a file, under the id made on the device; idempotent, also mid-take or long after. Answers with a fresh upload capability, or, where the recording is finished, with its receipts and no capability. An import that is over the quota or too large is refused here, before its bytes; a take never is.',
  body: registerRecordingSchema,
  reply: registeredRecordingSchema,
  statuses: [200, 201],
  errors: [
    'validation',
    'not-found',
    'purged',
    'quota-exceeded',
    'too-large',
    'rate-limited',
    'storage-full',
  ],
});

export const finishRecording = endpoint('finishRecording', {
  access: 'session-or-upload-capability',
  summary: 'Say that every segment is complete; idempotent. Answers with how much of it is stored.',
  body: finishRecordingSchema,
  reply: finishReceiptSchema,
  statuses: [200],
  errors: ['validation', 'not-found', 'offset-mismatch', 'checksum-mismatch'],
});

export const nameGaps = endpoint('nameGaps', {
  access: 'session-or-upload-capability',
  summary: 'Name the gaps of a take that still runs; replaces the list, idempotent.',
  body: nameGapsSchema,
  statuses: [204],
  errors: ['validation', 'not-found', 'already-finished'],
});

export const reopenRecording = endpoint('reopenRecording', {
  access: 'session',
  summary:
    'Say that a take which was finished goes on: it receives again, until it is finished again. Within 24 hours; idempotent. Answers with a fresh upload capability; those from before no longer count. Written into the history of the recording.',
  reply: reopenedRecordingSchema,
  statuses: [200],
  errors: ['not-found', 'already-finished'],
});

export const listRecordings = endpoint('listRecordings', {
  access: 'session',
  summary:
    'List recordings, a page at a time: filtered, searched and sorted. With `search`, `hit` says of each which of its texts matched best, and where.',
  query: listRecordingsQuerySchema,
  reply: recordingPageSchema,
  statuses: [200],
  errors: ['validation', 'malformed-request'],
});

export const getRecording = endpoint('getRecording', {
  access: 'session',
  summary: 'One recording with its segments, gaps and pauses.',
  reply: recordingDetailsSchema,
  statuses: [200],
  errors: ['not-found'],
});

export const changeRecording = endpoint('changeRecording', {
  access: 'session',
  summary: 'Change the title, the time, the spoken language, the people or the tags of a recording.',
  body: changeRecordingSchema,
  reply: recordingSchema,
  statuses: [200],
  errors: ['validation', 'not-found'],
});

export const trashRecording = endpoint('trashRecording', {
  access: 'session',
  summary: 'Move a recording to the trash; idempotent.',
  reply: recordingSchema,
  statuses: [200],
  errors: ['not-found'],
});

export const restoreRecording = endpoint('restoreRecording', {
  access: 'session',
  isKeyed: true,
  summary: 'Take a recording out of the trash; idempotent.',
  reply: recordingSchema,
  statuses: [200],
  errors: ['not-found'],
});

export const purgeRecording = endpoint('purgeRecording', {
  access: 'session',
  isKeyed: true,
  summary: 'Delete a trashed recording for good, its bytes included.',
  statuses: [204],
  errors: ['not-found', 'not-in-trash'],
});

export const getAudio = endpoint('getAudio', {
  access: 'session',
  replyKind: 'bytes',
  replyMediaTypes: ['audio/*'],
  summary:
    'The audio as browsers play it, by byte range (RFC 9110 §14): Ogg/Opus, or the imported file itself where it is playable. Also while it is being recorded: then the whole pages stored so far. An import without sound answers unreadable-audio with its reason.',
  query: z.strictObject({
    download: z.enum(['true', 'false']).default('false'),
    section: wholeNumberSchema(0, 1000)
      .optional()
      .describe(
        'Only the section of this number, from 0, each `audioSectionMs` of the details long: a stream of its own that begins at time 0. not-found behind the end, and where `audioSectionMs` is null.',
      ),
    until: wholeNumberSchema(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe(
        'Changes nothing. Milliseconds that were known of a recording that grows: another address, so that no player takes what it had under this one.',
      ),
  }),
  statuses: [200, 206, 304],
  errors: ['not-found', 'range-not-satisfiable', 'validation', 'unreadable-audio'],
});

export const getOriginal = endpoint('getOriginal', {
  access: 'session',
  replyKind: 'bytes',
  replyMediaTypes: ['audio/*', 'application/octet-stream'],
  summary:
    'What was sent, untouched, under its own name, by byte range: the imported file bit for bit; of a take the same as its audio.',
  statuses: [200, 206, 304],
  errors: ['not-found', 'range-not-satisfiable'],
});

export const getPeaks = endpoint('getPeaks', {
  access: 'session',
  replyKind: 'bytes',
  summary:
    'The peaks pyramid, by byte range. `points` asks for the pyramid of just the first points, so that a growing recording can be read consistently.',
  query: z.strictObject({ points: wholeNumberSchema(0, 1_000_000_000).optional() }),
  statuses: [200, 206, 304],
  errors: ['not-found', 'range-not-satisfiable', 'validation'],
});
