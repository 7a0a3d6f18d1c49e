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
    'Register a take, or the import of a file, under an id created on the device; idempotent, also mid-take or long after. Returns a new upload capability or, if the recording is finished, its receipts and no capability. An import that is over the quota or too large is rejected here, before the upload; a take never is.',
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
  summary: 'State that every segment is complete; idempotent. Returns the stored length.',
  body: finishRecordingSchema,
  reply: finishReceiptSchema,
  statuses: [200],
  errors: ['validation', 'not-found', 'offset-mismatch', 'checksum-mismatch'],
});

export const nameGaps = endpoint('nameGaps', {
  access: 'session-or-upload-capability',
  summary: 'Set the gaps of a running take; replaces the list, idempotent.',
  body: nameGapsSchema,
  statuses: [204],
  errors: ['validation', 'not-found', 'already-finished'],
});

export const reopenRecording = endpoint('reopenRecording', {
  access: 'session',
  summary:
    'Continue a finished take: it receives again until it is finished again. Up to eight days after it was finished; idempotent. Returns a new upload capability; earlier ones become invalid. Recorded in the history of the recording. Its links play only what there was before, unless `links` is `continue`.',
  query: z.strictObject({ links: z.enum(['bound', 'continue']).default('bound') }),
  reply: reopenedRecordingSchema,
  statuses: [200],
  errors: ['validation', 'not-found', 'already-finished'],
});

export const listRecordings = endpoint('listRecordings', {
  access: 'session',
  summary:
    'List recordings, paginated: filtered, searched and sorted. With `search`, `hit` is the text of each recording that matched best, with its matches.',
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
  errors: ['not-found', 'purged'],
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
  summary:
    'Restore a recording from the trash; idempotent. Its links stay off until their owner turns each on, unless this undoes the move to the trash (`isUndo`).',
  query: z.strictObject({ isUndo: z.enum(['true', 'false']).default('false') }),
  reply: recordingSchema,
  statuses: [200],
  errors: ['not-found'],
});

export const purgeRecording = endpoint('purgeRecording', {
  access: 'session',
  isKeyed: true,
  summary: 'Delete a trashed recording and its bytes permanently.',
  statuses: [204],
  errors: ['not-found', 'not-in-trash', 'still-recording'],
});

export const getAudio = endpoint('getAudio', {
  access: 'session',
  replyKind: 'bytes',
  replyMediaTypes: ['audio/*'],
  summary:
    'The audio for playback, by byte range (RFC 9110 §14): Ogg/Opus, or the imported file itself if it is playable. While it is being recorded, the whole pages stored so far. An import without sound returns unreadable-audio with its reason.',
  query: z.strictObject({
    download: z.enum(['true', 'false']).default('false'),
    section: wholeNumberSchema(0, 1000)
      .optional()
      .describe(
        'Only the section with this number, from 0, each as long as the recording’s `audioSectionMs`: a separate stream that starts at time 0. not-found after the end, and if `audioSectionMs` is null.',
      ),
    until: wholeNumberSchema(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe(
        'Ignored. The known length of a growing recording in milliseconds: it makes the URL different, so that no player reuses what it loaded under the previous one.',
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
    'The uploaded bytes, unchanged, under their own name, by byte range: the imported file, or the audio of a take.',
  statuses: [200, 206, 304],
  errors: ['not-found', 'range-not-satisfiable'],
});

export const getPeaks = endpoint('getPeaks', {
  access: 'session',
  replyKind: 'bytes',
  summary:
    'The peaks pyramid, by byte range. `points` selects the pyramid of only the first points, so that a growing recording can be read consistently.',
  query: z.strictObject({ points: wholeNumberSchema(0, 1_000_000_000).optional() }),
  statuses: [200, 206, 304],
  errors: ['not-found', 'range-not-satisfiable', 'validation'],
});
