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
