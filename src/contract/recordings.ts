import { z } from 'zod';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { containerSchema, formatSchema } from './formats.ts';
import { limits } from './limits.ts';
import { serverLimits } from './server-limits.ts';
import { recordedTimeSchema } from './recorded-time.ts';
import { receiptSchema } from './uploads-api.ts';
import {
  durationMsSchema,
  fileNameSchema,
  idSchema,
  instantSchema,
  languageTagSchema,
  speakerNameSchema,
  sha256Schema,
  timeZoneSchema,
  titleSchema,
} from './values.ts';

export const recordingStateSchema = z.enum(['receiving', 'finishing', 'ready', 'abandoned', 'failed']);
const gapCauseSchema = z.enum([
  'microphone-lost',
  'interrupted',
  'device-slept',
  'page-killed',
  'stopped',
  'storage-full',
  'unknown',
]);

/** A named piece of time that is missing from the audio. */
export const gapSchema = z.strictObject({
  atMs: durationMsSchema,
  durationMs: durationMsSchema,
  cause: gapCauseSchema,
});

export type Gap = z.output<typeof gapSchema>;
export type GapCause = z.output<typeof gapCauseSchema>;

/** A pause takes no time in the recording; its place and its wall-clock length are kept. */
export const pauseSchema = z.strictObject({ atMs: durationMsSchema, durationMs: durationMsSchema });

/** Why the sound of an imported file cannot be heard; the file itself is kept. */
const failureReasonSchema = z.enum([
  'not-audio',
  'no-audio-track',
  'encrypted',
  'damaged',
  'empty',
  'format-unsupported',
]);

/** The file that a recording was imported from, as its person has it. */
export const importedFileSchema = z.strictObject({
  name: fileNameSchema,
  /** As the device calls it, often empty. */
  mediaType: z
    .string()
    .max(limits.import.mediaTypeLength)
    .regex(/^[\x20-\x7e]*$/, { error: 'media-type' }),
  sizeBytes: z.int().min(1),
  /** Null where the device could not tell before it sent the bytes. */
  sha256: sha256Schema.nullable(),
});
export type ImportedFile = z.output<typeof importedFileSchema>;

/**
 * One of several tracks of sound in an imported file, as the file names it. `isPlayed`: all that are play
 * together.
 */
export const audioTrackSchema = z.strictObject({
  title: z.string().max(limits.import.trackTitleLength),
  /** BCP 47; null where the file does not say. */
  language: languageTagSchema.nullable(),
  channels: z.int().min(1).max(255),
  isPlayed: z.boolean(),
});
export type AudioTrack = z.output<typeof audioTrackSchema>;

/**
 * Whether something had to be made that browsers can play: `none` where the stored sound is playable as it
 * is.
 */
const renditionSchema = z.enum(['none', 'waiting', 'ready', 'failed']);

/** What a list needs of a recording. */
export const recordingSchema = z.object({
  id: idSchema,
  title: z.string(),
  language: languageTagSchema.nullable(),
  /** When it was made, no more exact than it is known. */
  recordedTime: recordedTimeSchema,
  /**
   * Where the recording stands in the order of time, for programs that do not know `recordedTime` yet. An
   * instant even where only a day is known; the year 0 where nothing is.
   */
  startedAt: instantSchema,
  /** UTC where the zone is not known. */
  timeZone: timeZoneSchema,
  durationMs: durationMsSchema,
  state: recordingStateSchema,
  format: formatSchema,
  sizeBytes: z.int().min(0),
  sha256: sha256Schema.nullable(),
  source: z.enum(['microphone', 'import']),
  /** Of an import; null for a take. */
  file: importedFileSchema.nullable(),
  rendition: renditionSchema,
  deviceLabel: z.string().nullable(),
  /** Points of the peaks that are stored so far, `peaksFormat.pointsPerSecond` a second. */
  peaksPoints: z.int().min(0),
  /** A row's thumbnail: up to 96 loudness values 0–127, base64; null while receiving. */
  overview: z.string().nullable(),
  markerCount: z.int().min(0),
  /** Who is heard, by name. */
  people: z.array(z.string()),
  tagIds: z.array(idSchema),
  /** Whether the person who asks has starred it. */
  isFavourite: z.boolean(),
  /** Set when a stored file no longer has the hash of its receipt. */
  damagedAt: instantSchema.nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  deletedAt: instantSchema.nullable(),
});
export type Recording = z.output<typeof recordingSchema>;

export const segmentSchema = z.object({
  id: idSchema,
  index: z.int().min(0),
  startMs: durationMsSchema,
  durationMs: durationMsSchema,
  /** Of the file as it came from the device. */
  container: containerSchema,
  sizeBytes: z.int().min(0),
  sha256: sha256Schema.nullable(),
  /** When it was sealed: the moment of the receipt. */
  storedAt: instantSchema.nullable(),
  /** When what is stored was last read and hashed again. */
  verifiedAt: instantSchema.nullable(),
  /** Set when that no longer gave the receipt's hash. */
  damagedAt: instantSchema.nullable(),
});

/** One change of a recording that had been finished before. */
const historyEntrySchema = z.object({
  at: instantSchema,
  kind: z.enum(['reopened', 'segment-added', 'gaps-added', 'finished-again']),
  /** Browser and system behind it, `Firefox · Linux`; empty where that is not known. */
  deviceLabel: z.string(),
  /** Where the added segment, or the first of the added gaps, begins. */
  fromMs: durationMsSchema.nullable(),
  /** Of the added gaps together, or of the recording that was finished again. */
  durationMs: durationMsSchema.nullable(),
  /** How many gaps were added. */
  count: z.int().min(1).nullable(),
});
export type HistoryEntry = z.output<typeof historyEntrySchema>;

/** One recording with all that the player shows. */
export const recordingDetailsSchema = recordingSchema.extend({
  segments: z.array(segmentSchema),
  gaps: z.array(gapSchema),
  pauses: z.array(pauseSchema),
  /** Sound that is stored: the duration without the gaps. */
  storedMs: durationMsSchema,
  /** Why an import cannot be heard; null as long as nothing is wrong. */
  failureReason: failureReasonSchema.nullable(),
  /**
   * What was changed after it was finished, the earliest first; empty for a recording that was never
   * reopened. At most a thousand changes.
   */
  history: z.array(historyEntrySchema),
  /**
   * The tracks of sound of an imported file that has several, in the order of the file; empty where there is
   * one, or none is known.
   */
  audioTracks: z.array(audioTrackSchema),
  /**
   * How long the sections are that `section` asks of the audio; null where the audio is one stored file,
   * which is played whole.
   */
  audioSectionMs: z.int().min(1).nullable(),
});
export type RecordingDetails = z.output<typeof recordingDetailsSchema>;

interface WithSource {
  source: 'microphone' | 'import';
  format: z.output<typeof formatSchema>;
  file?: ImportedFile | null | undefined;
}

/** A take is what our own writer makes; an import says which file it is of. */
export function checkSource({ source, format, file }: WithSource, context: z.RefinementCtx): void {
  const reject = (path: string[], message: string, params: Record<string, string | number> = {}): void => {
    context.addIssue({ code: 'custom', path, message, params });
  };
  if (source === 'import') {
    if (!file) reject(['file'], 'required');
    return;
  }
  if (file) reject(['file'], 'not-allowed');
  if (format.container !== 'ogg') reject(['format', 'container'], 'not-allowed', { allowed: 'ogg' });
  if (format.codec !== 'opus') reject(['format', 'codec'], 'not-allowed', { allowed: 'opus' });
  if (format.channels > 2) reject(['format', 'channels'], 'too-large', { largest: 2 });
}

interface WithTime {
  source: 'microphone' | 'import';
  startedAt?: string | undefined;
  timeZone?: string | undefined;
  recordedTime?: RecordedTime | undefined;
}

/** A take states its own beginning. An import states what is known. */
function checkTime({ source, startedAt, timeZone, recordedTime }: WithTime, context: z.RefinementCtx): void {
  const reject = (field: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [field], message });
  };
  if (recordedTime === undefined) {
    if (startedAt === undefined) reject('startedAt', 'required');
    if (timeZone === undefined) reject('timeZone', 'required');
    return;
  }
  if (source === 'microphone') reject('recordedTime', 'not-allowed');
  if (startedAt !== undefined) reject('startedAt', 'not-allowed');
  if (timeZone !== undefined) reject('timeZone', 'not-allowed');
}

/** Registers a take, or the import of a file, under the id made on the device. */
export const registerRecordingSchema = z
  .strictObject({
    title: titleSchema,
    language: languageTagSchema.nullable().optional(),
    /** When it began, and in which zone; both are needed unless `recordedTime` is given. */
    startedAt: instantSchema.optional(),
    timeZone: timeZoneSchema.optional(),
    /**
     * Of an import alone, instead of `startedAt` and `timeZone`. A time that is not possible, such as one in
     * the future, is stored as unknown.
     */
    recordedTime: recordedTimeSchema.optional(),
    format: formatSchema,
    source: z.enum(['microphone', 'import']),
    /**
     * Needed for an import. What `format` says of it is a guess until the server has read the file: `other`,
     * `unknown` will do.
     */
    file: importedFileSchema.nullable().optional(),
    deviceLabel: z.string().max(200).nullable().optional(),
  })
  .superRefine(checkSource)
  .superRefine(checkTime);
export type RegisterRecording = z.output<typeof registerRecordingSchema>;

/**
 * The append-only right to one unfinished recording, of the session that asked for it: outlives that session
 * unless it is revoked, and can do nothing else.
 */
export const uploadCapabilitySchema = z.object({
  token: z.string(),
  expiresAt: instantSchema,
  appendIntervalMs: z.int().min(100),
});
export type UploadCapability = z.output<typeof uploadCapabilitySchema>;

export const registeredRecordingSchema = z.object({
  recording: recordingSchema,
  /** Null once the recording is finished: nothing can be added to it then. */
  upload: uploadCapabilitySchema.nullable(),
  /**
   * What is stored of a finished recording, so that a device whose right to send has ended can check that
   * nothing is missing; empty before.
   */
  receipts: z.array(receiptSchema),
});
export const reopenedRecordingSchema = z.object({
  recording: recordingSchema,
  upload: uploadCapabilitySchema,
});
export type ReopenedRecording = z.output<typeof reopenedRecordingSchema>;
export type RegisteredRecording = z.output<typeof registeredRecordingSchema>;

/** The server's word that a recording is finished, with how long it is by the server's own bytes. */
export const finishReceiptSchema = z.object({ id: idSchema, durationMs: durationMsSchema });
export type FinishReceipt = z.output<typeof finishReceiptSchema>;

/** The gaps of a take that still runs, all of them every time. */
export const nameGapsSchema = z.strictObject({ gaps: z.array(gapSchema).max(10_000) });

/** Says that no more segments will come; after it the recording is finishing, then ready. */
export const finishRecordingSchema = z.strictObject({
  /** Of a take at most a day and a minute. */
  durationMs: durationMsSchema,
  segmentCount: z.int().min(1).max(10_000),
  gaps: z.array(gapSchema).max(10_000),
  pauses: z.array(pauseSchema).max(10_000),
});
export type FinishRecording = z.input<typeof finishRecordingSchema>;

export const changeRecordingSchema = z.strictObject({
  title: titleSchema.optional(),
  language: languageTagSchema.nullable().optional(),
  /** At most a day in the future. */
  recordedTime: recordedTimeSchema.optional(),
  people: z.array(speakerNameSchema).max(limits.peoplePerRecording).optional(),
  /** All tags of the recording; replaces those it has. */
  tagIds: z.array(idSchema).max(serverLimits.tagsPerRecording).optional(),
});

/** The text of a recording that a search matched best: plain text, on one line. */
const searchHitSchema = z.object({
  kind: z.enum(['title', 'marker', 'note', 'person', 'tag', 'file-name']),
  /** A part of the text, of a title all of it; `…` stands for what is left out before and behind. */
  text: z.string().max(limits.titleLength + 2),
  /** What matched in `text`: from, to, in UTF-16 code units, in order and apart from each other. */
  ranges: z.array(z.tuple([z.int().min(0), z.int().min(1)])).max(serverLimits.hit.ranges),
  /** Where a marker or a note stands; null for any other text. */
  atMs: durationMsSchema.nullable(),
  /** How many more texts of the recording match as well. */
  more: z.int().min(0),
});
export type SearchHit = z.output<typeof searchHitSchema>;

/**
 * `hit`: only where something was searched for; null where the recording was found by its date, or by a text
 * far behind many others.
 */
const listedRecordingSchema = recordingSchema.extend({ hit: searchHitSchema.nullable().optional() });
export type ListedRecording = z.output<typeof listedRecordingSchema>;

export const recordingPageSchema = z.object({
  items: z.array(listedRecordingSchema),
  nextCursor: z.string().nullable(),
  /**
   * How many there are on all pages; on the first page alone, and null there too where counting would take
   * longer than the page.
   */
  total: z.int().min(0).nullable(),
});
export type RecordingPage = z.output<typeof recordingPageSchema>;
