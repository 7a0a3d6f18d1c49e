import { z } from 'zod';
import {
  exportedAccountSchema,
  exportedCorrectionSchema,
  exportedFacts,
  exportedFileSchema,
  exportedLineSchema,
  exportedMarkerSchema,
  exportedNoteSchema,
  exportedTranscriptSchema,
} from './account-export.ts';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { checkSource, uploadCapabilitySchema } from './recordings.ts';
import { durationMsSchema, idSchema, sha256Schema } from './values.ts';

/**
 * What the server has under the id of an exported recording: `unused` nothing · `importing` this recording, incomplete ·
 * `present` this recording · `trashed` this recording, in the trash · `deleted` nothing more, because this user deleted
 * it permanently · `conflict` another recording of this user · `id-taken` one of its ids is in use elsewhere.
 */
const restoreMatchSchema = z.enum([
  'unused',
  'importing',
  'present',
  'trashed',
  'deleted',
  'conflict',
  'id-taken',
]);
export type RestoreMatch = z.output<typeof restoreMatchSchema>;

/** What pages and programs of the version before read. The next version leaves it out. */
const earlierStateSchema = z.enum(['new', 'begun', 'there', 'trashed', 'purged', 'different', 'taken']);
type EarlierState = z.output<typeof earlierStateSchema>;

/** The earlier words for what the server has. */
export const earlierRestoreState = {
  unused: 'new',
  importing: 'begun',
  present: 'there',
  trashed: 'trashed',
  deleted: 'purged',
  conflict: 'different',
  'id-taken': 'taken',
} as const satisfies Record<RestoreMatch, EarlierState>;

type File = z.output<typeof exportedFileSchema>;

interface WithFiles {
  source: 'microphone' | 'import';
  file: { sizeBytes: number; sha256: string | null } | null;
  files: readonly File[];
}

/** Whether positions and ids of the files are unique, and audio segments are numbered from 0 without gaps. */
function isNumbered(files: readonly File[]): boolean {
  const indices = files
    .filter(({ stream }) => stream === 'audio')
    .map(({ index }) => index)
    .toSorted((a, b) => a - b);
  const [places, ids] = [
    new Set(files.map(({ stream, index }) => `${stream} ${index}`)),
    new Set(files.map(({ uploadId }) => uploadId)),
  ];
  return (
    indices.length > 0 &&
    indices.every((index, position) => index === position) &&
    places.size === files.length &&
    ids.size === files.length
  );
}

/** An import is a single original file, identical to the described one; a take never is. */
function isOfSource(
  { source, file }: WithFiles,
  { stream, container, index, startMs, sizeBytes, sha256 }: File,
): boolean {
  const isOriginal = container === 'original';
  if (source === 'microphone') return !isOriginal;
  if (index > 0 || startMs > 0) return false;
  return (
    stream === 'peaks' || (isOriginal && sizeBytes === file?.sizeBytes && sha256 === (file.sha256 ?? sha256))
  );
}

function checkFiles(recording: WithFiles, context: z.RefinementCtx): void {
  const reject = (path: (string | number)[], message: string): void => {
    context.addIssue({ code: 'custom', path: ['files', ...path], message });
  };
  if (!isNumbered(recording.files)) reject([], 'segments');
  for (const [position, file] of recording.files.entries()) {
    if (file.startMs > limits.maxTakeMs) reject([position, 'startMs'], 'too-large');
    if (!isOfSource(recording, file)) reject([position, 'container'], 'not-allowed');
  }
}

const restoredRecordingSchema = z
  .strictObject({ ...exportedFacts, files: z.array(exportedFileSchema).min(1).max(20_000) })
  .superRefine(checkSource)
  .superRefine(checkFiles);
export type RestoredRecording = z.output<typeof restoredRecordingSchema>;

const restoredLabelsSchema = z.strictObject({
  markers: z.array(exportedMarkerSchema).max(limits.restore.markersPerCall),
  notes: z.array(exportedNoteSchema).max(limits.restore.notesPerCall),
});
export type RestoredLabels = z.output<typeof restoredLabelsSchema>;

const restoredTranscriptSchema = z.strictObject({
  /** The length of the recording in the export. Nothing that is beyond it is imported. */
  durationMs: durationMsSchema,
  transcript: exportedTranscriptSchema.nullable(),
  lines: z.array(exportedLineSchema).max(limits.restore.linesPerCall),
  corrections: z.array(exportedCorrectionSchema).max(limits.restore.correctionsPerCall),
});
export type RestoredTranscript = z.output<typeof restoredTranscriptSchema>;

/**
 * `range`: it ends before it begins, or is beyond the recording. `times`: the times of its words do not fit its text.
 * `text`: too long, or with control characters. `overlaps` another correction. `taken`: another recording has a
 * correction with its id. `too-many` lines or corrections, or too much text.
 */
const rejectedWordsSchema = z.object({
  kind: z.enum(['line', 'correction']),
  fromMs: durationMsSchema,
  reason: z.enum(['range', 'times', 'text', 'overlaps', 'taken', 'too-many']),
});
export type RejectedWords = z.output<typeof rejectedWordsSchema>;

const maxBodyBytes = limits.restore.bodySizeBytes;

export const checkExport = endpoint('checkExport', {
  access: 'session',
  maxBodyBytes,
  summary:
    'Before an account export is uploaded: compares its recordings with those on this server, in the order of the request, and returns the used space and the quota. Stores nothing.',
  body: z.strictObject({
    recordings: z
      .array(
        z.strictObject({
          id: idSchema,
          files: z
            .array(z.strictObject({ uploadId: idSchema, sha256: sha256Schema }))
            .min(1)
            .max(20_000),
        }),
      )
      .min(1)
      .max(limits.restore.recordingsPerCheck),
  }),
  reply: z.object({
    usedBytes: z.int().min(0),
    quotaBytes: z.int().min(0).nullable(),
    recordings: z.array(z.object({ id: idSchema, match: restoreMatchSchema, state: earlierStateSchema })),
  }),
  statuses: [200],
  errors: ['validation'],
});

export const restoreExportedAccount = endpoint('restoreExportedAccount', {
  access: 'session',
  maxBodyBytes,
  summary:
    'Import tags and saved views under their original ids. Existing ones do not change, and a tag with an existing name becomes that tag. Idempotent. Returns the rejected ones.',
  body: z.strictObject({ tags: exportedAccountSchema.shape.tags, views: exportedAccountSchema.shape.views }),
  reply: z.object({
    rejected: z.array(
      z.object({
        kind: z.enum(['tag', 'view']),
        name: z.string(),
        reason: z.enum(['taken', 'too-many', 'query']),
      }),
    ),
  }),
  statuses: [200],
  errors: ['validation'],
});

export const restoreExportedRecording = endpoint('restoreExportedRecording', {
  access: 'session',
  maxBodyBytes,
  summary:
    'Start or continue to import a recording of an export under its original ids and times; idempotent. Returns an upload capability for the upload endpoints and `finish`. If the same recording exists there is nothing to upload, and no capability. Anything else under its ids is left unchanged and the import is rejected (restore-conflict). Its space is checked before the upload.',
  body: restoredRecordingSchema,
  reply: z.object({
    match: z.enum(['importing', 'present']),
    state: z.enum(['begun', 'there']),
    upload: uploadCapabilitySchema.nullable(),
  }),
  statuses: [200, 201],
  errors: ['validation', 'restore-conflict', 'quota-exceeded', 'storage-full'],
});

export const restoreExportedLabels = endpoint('restoreExportedLabels', {
  access: 'session',
  maxBodyBytes,
  summary:
    'Import markers and notes of a recording that is being imported, under their original ids and times; existing ones do not change. Idempotent.',
  body: restoredLabelsSchema,
  statuses: [204],
  errors: ['validation', 'not-found', 'restore-conflict', 'too-much-text', 'quota-exceeded'],
});

export const restoreExportedTranscript = endpoint('restoreExportedTranscript', {
  access: 'session',
  maxBodyBytes,
  summary:
    'Import lines and corrections of the transcript of a recording that is being imported, at most 500 lines; existing ones do not change. A transcript that was not complete is stopped where it was. Idempotent. Returns what was left out.',
  body: restoredTranscriptSchema,
  reply: z.object({ rejected: z.array(rejectedWordsSchema) }),
  statuses: [200],
  errors: ['validation', 'not-found', 'restore-conflict'],
});
