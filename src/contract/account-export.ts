import { z } from 'zod';
import { containerSchema } from './formats.ts';
import { limits } from './limits.ts';
import { serverLimits } from './server-limits.ts';
import { markerColourSchema } from './markers-api.ts';
import { recordedTimeSchema } from './recorded-time.ts';
import {
  checkSource,
  finishRecordingSchema,
  microphoneSilenceMsSchema,
  registerRecordingSchema,
} from './recordings.ts';
import { uploadStreamSchema } from './uploads-api.ts';
import {
  durationMsSchema,
  fileNameSchema,
  idSchema,
  instantSchema,
  languageTagSchema,
  markerLabelSchema,
  noteTextSchema,
  speakerNameSchema,
  sha256Schema,
  tagNameSchema,
  timeZoneSchema,
} from './values.ts';

/** Format and version in the `manifest.json` of an account export. A larger version cannot be read. */
export const accountExportFormat = { format: 'earshot-account', version: 1 } as const;

/** A stored file of a recording, next to its description, with its original id and position. */
export const exportedFileSchema = z.strictObject({
  uploadId: idSchema,
  stream: uploadStreamSchema,
  index: z.int().min(0).max(9999),
  startMs: durationMsSchema,
  container: containerSchema,
  sizeBytes: z.int().min(0),
  sha256: sha256Schema,
});

const exportedTagSchema = z.strictObject({ id: idSchema, name: tagNameSchema, colour: markerColourSchema });
const exportedViewSchema = z.strictObject({
  id: idSchema,
  name: tagNameSchema,
  query: z.string().max(serverLimits.viewQueryLength),
});

export const exportedMarkerSchema = z.strictObject({
  id: idSchema,
  atMs: durationMsSchema,
  label: markerLabelSchema,
  colour: markerColourSchema,
  createdAt: instantSchema,
});
export type ExportedMarker = z.output<typeof exportedMarkerSchema>;

export const exportedNoteSchema = z
  .strictObject({
    id: idSchema,
    fromMs: durationMsSchema,
    toMs: durationMsSchema.nullable(),
    text: noteTextSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .refine(({ fromMs, toMs }) => toMs === null || toMs > fromMs, { error: 'range', path: ['toMs'] });
export type ExportedNote = z.output<typeof exportedNoteSchema>;

const exportedPassageSchema = z
  .strictObject({ fromMs: durationMsSchema, toMs: durationMsSchema.nullable() })
  .refine(({ fromMs, toMs }) => toMs === null || toMs >= fromMs, { error: 'range', path: ['toMs'] });

const { title, format, source } = registerRecordingSchema.shape;

/** The facts about a recording except its files, markers and notes. */
export const exportedFacts = {
  title,
  format,
  source,
  /** When a take started; for an import its sort key. */
  startedAt: instantSchema,
  timeZone: timeZoneSchema,
  /** Missing in exports of older versions, where it is the moment `startedAt` in `timeZone`. */
  recordedTime: recordedTimeSchema.optional(),
  language: languageTagSchema.nullable(),
  file: registerRecordingSchema.shape.file.unwrap(),
  deviceLabel: z.string().max(200).nullable(),
  createdAt: instantSchema,
  people: z.array(speakerNameSchema).max(limits.peoplePerRecording),
  tags: z.array(exportedTagSchema).max(serverLimits.tagsPerRecording),
  /** Whether its owner has starred it. Missing in exports of older versions. */
  isFavourite: z.boolean().default(false),
  /** Passages that are muted for listeners. Missing in exports of older versions. */
  passages: z.array(exportedPassageSchema).max(limits.passagesPerRecording).default([]),
  /** The playback position of its owner. */
  position: z.strictObject({ positionMs: durationMsSchema, heardAt: instantSchema }).nullable().default(null),
};

const { gaps, pauses } = finishRecordingSchema.shape;

/** `recording.json`: all facts about a recording. Fields added by later versions are ignored. */
export const exportedRecordingSchema = z
  .object({
    id: idSchema,
    ...exportedFacts,
    durationMs: durationMsSchema,
    gaps,
    pauses,
    /** Null if nothing measured it. Missing in exports of older versions. */
    microphoneSilenceMs: microphoneSilenceMsSchema.nullable().default(null),
    markers: z.array(exportedMarkerSchema).max(limits.markersPerRecording),
    notes: z.array(exportedNoteSchema).max(limits.notesPerRecording),
    files: z
      .array(z.object({ ...exportedFileSchema.shape, path: z.string().min(1).max(255) }))
      .min(1)
      .max(20_000),
  })
  .superRefine(checkSource);
export type ExportedRecording = z.output<typeof exportedRecordingSchema>;

/** `account.json`. */
export const exportedAccountSchema = z.object({
  tags: z.array(exportedTagSchema).max(serverLimits.tags),
  views: z.array(exportedViewSchema).max(serverLimits.savedViews),
});
export type ExportedAccount = z.output<typeof exportedAccountSchema>;

/** Format and version of the `transcript.json` of a recording. A larger version cannot be read. */
export const exportedTranscriptFormat = { format: 'earshot-transcript', version: 1 } as const;

/** The newest transcription of a recording. */
export const exportedTranscriptSchema = z.strictObject({
  state: z.enum(['waiting', 'running', 'ready', 'stopped', 'failed']),
  /** The primary subtag of the language; null until it is known. */
  language: languageTagSchema.nullable(),
  model: fileNameSchema.nullable(),
  cause: z
    .string()
    .regex(/^[a-z-]{1,100}$/)
    .nullable(),
  /** The transcribed part: to the end of the recording if `toMs` is null. */
  fromMs: durationMsSchema,
  toMs: durationMsSchema.nullable(),
  /** Whether the part is transcribed as a whole, also where no speech is found. */
  hearsAll: z.boolean(),
  /** Everything of the part before it is transcribed. */
  heardToMs: durationMsSchema,
  createdAt: instantSchema,
  updatedAt: instantSchema,
  endedAt: instantSchema.nullable(),
});
export type ExportedTranscript = z.output<typeof exportedTranscriptSchema>;

/** A text beyond this length, or one that no request may have, rejects a request. Other wrong texts are left out. */
const exportedWordsSchema = z
  .string()
  .max(20_000)
  .refine((text) => !text.includes('\0'), { error: 'control-characters' });

/** A line of a transcript as the engine heard it, or a stretch without words. */
export const exportedLineSchema = z.strictObject({
  fromMs: durationMsSchema,
  toMs: durationMsSchema,
  text: exportedWordsSchema,
  /** From, to, and the length of each word with the space before it, in UTF-16 units of the text. */
  times: z
    .array(z.tuple([durationMsSchema, durationMsSchema, z.int().min(0)]))
    .max(serverLimits.transcript.lineLength),
  /** What the engine heard in one call. */
  chunkFromMs: durationMsSchema,
  chunkToMs: durationMsSchema,
  timing: z.enum(['word', 'chunk']),
  doubt: z.enum(['loop', 'doubtful']).nullable(),
  cause: z.enum(['engine-died', 'no-answer', 'no-speech', 'muted']).nullable(),
  language: languageTagSchema.nullable(),
});
export type ExportedLine = z.output<typeof exportedLineSchema>;

/** What the user wrote in place of the words of a span; an empty text says that nothing is said there. */
export const exportedCorrectionSchema = z.strictObject({
  id: idSchema,
  fromMs: durationMsSchema,
  toMs: durationMsSchema,
  text: exportedWordsSchema,
  revision: z.int().min(1),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type ExportedCorrection = z.output<typeof exportedCorrectionSchema>;

/**
 * `transcript.json`: the words of a recording. Its lines and corrections are checked one by one, so that a wrong one
 * is left out alone. Fields added by later versions are ignored.
 */
export const exportedTranscriptFileSchema = z.object({
  format: z.literal(exportedTranscriptFormat.format),
  version: z.literal(exportedTranscriptFormat.version),
  /** Null for a recording that has corrections and was never transcribed. */
  transcript: exportedTranscriptSchema.strip().nullable(),
  lines: z.array(z.unknown()),
  corrections: z.array(z.unknown()),
});
