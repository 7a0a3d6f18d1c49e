import { z } from 'zod';
import { limits } from './limits.ts';
import { durationMsSchema, idSchema, instantSchema, languageTagSchema, sha256Schema, timeZoneSchema, titleSchema, wholeNumberSchema } from './values.ts';

const recordingStateSchema = z.enum(['receiving', 'finishing', 'ready', 'abandoned', 'failed']);
const gapCauseSchema = z.enum(['microphone-lost', 'interrupted', 'device-slept', 'page-killed', 'storage-full', 'unknown']);

export const formatSchema = z.strictObject({
  container: z.literal('ogg'),
  codec: z.literal('opus'),
  sampleRateHz: z.int().min(8000).max(192_000),
  channels: z.int().min(1).max(2),
});

/** A named piece of time that is missing from the audio. */
export const gapSchema = z.strictObject({ atMs: durationMsSchema, durationMs: durationMsSchema, cause: gapCauseSchema });

/** A pause takes no time in the recording; its place and its wall-clock length are kept. */
export const pauseSchema = z.strictObject({ atMs: durationMsSchema, durationMs: durationMsSchema });

/** What a list needs of a recording. */
export const recordingSchema = z.object({
  id: idSchema,
  title: z.string(),
  language: languageTagSchema.nullable(),
  startedAt: instantSchema,
  timeZone: timeZoneSchema,
  durationMs: durationMsSchema,
  state: recordingStateSchema,
  format: formatSchema,
  sizeBytes: z.int().min(0),
  sha256: sha256Schema.nullable(),
  source: z.enum(['microphone', 'import']),
  deviceLabel: z.string().nullable(),
  /** Points of the peaks that are stored so far, `peaksFormat.pointsPerSecond` a second. */
  peaksPoints: z.int().min(0),
  /** A row's thumbnail: up to 96 loudness values 0–127, base64; null while receiving. */
  overview: z.string().nullable(),
  markerCount: z.int().min(0),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  deletedAt: instantSchema.nullable(),
});
export type Recording = z.output<typeof recordingSchema>;

export const segmentSchema = z.object({
  id: idSchema,
  index: z.int().min(0),
  startMs: durationMsSchema,
  sizeBytes: z.int().min(0),
  sha256: sha256Schema.nullable(),
  storedAt: instantSchema.nullable(),
});

/** One recording with all that the player shows. */
export const recordingDetailsSchema = recordingSchema.extend({
  segments: z.array(segmentSchema),
  gaps: z.array(gapSchema),
  pauses: z.array(pauseSchema),
});
export type RecordingDetails = z.output<typeof recordingDetailsSchema>;

/** Registers a take under the id made on the device. */
export const registerRecordingSchema = z.strictObject({
  title: titleSchema,
  language: languageTagSchema.nullable().optional(),
  startedAt: instantSchema,
  timeZone: timeZoneSchema,
  format: formatSchema,
  source: z.enum(['microphone', 'import']),
  deviceLabel: z.string().max(200).nullable().optional(),
});
export type RegisterRecording = z.output<typeof registerRecordingSchema>;

/** The append-only right to one recording: outlives the session and can do nothing else. */
export const uploadCapabilitySchema = z.object({
  token: z.string(),
  expiresAt: instantSchema,
  appendIntervalMs: z.int().min(100),
});
export type UploadCapability = z.output<typeof uploadCapabilitySchema>;

export const registeredRecordingSchema = z.object({ recording: recordingSchema, upload: uploadCapabilitySchema });

/** Says that no more segments will come; after it the recording is finishing, then ready. */
export const finishRecordingSchema = z.strictObject({
  durationMs: durationMsSchema.max(limits.longestTakeMs + 60_000),
  segmentCount: z.int().min(1).max(10_000),
  gaps: z.array(gapSchema).max(10_000),
  pauses: z.array(pauseSchema).max(10_000),
});
export type FinishRecording = z.input<typeof finishRecordingSchema>;

export const changeRecordingSchema = z.strictObject({
  title: titleSchema.optional(),
  language: languageTagSchema.nullable().optional(),
});

export const listRecordingsQuerySchema = z.strictObject({
  cursor: z.string().max(400).optional(),
  limit: wholeNumberSchema(1, limits.page.longest).default(limits.page.size),
  search: z.string().max(200).optional(),
  trashed: z.enum(['true', 'false']).default('false'),
});

export const recordingPageSchema = z.object({ items: z.array(recordingSchema), nextCursor: z.string().nullable() });
export type RecordingPage = z.output<typeof recordingPageSchema>;
