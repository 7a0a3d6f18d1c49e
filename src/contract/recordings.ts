import { z } from 'zod';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { maxChannels } from './channels.ts';
import { containerSchema, formatSchema } from './formats.ts';
import { limits } from './limits.ts';
import { passageSchema } from './passages-api.ts';
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
  'browser-busy',
  'not-in-file',
  'unknown',
]);

/**
 * Time that is missing from the audio, and the cause. `browser-busy`: sound arrived later and later compared with the
 * clock, so the browser lost some of it. `not-in-file`: the times in an imported file continue without audio.
 */
export const gapSchema = z.strictObject({
  atMs: durationMsSchema,
  durationMs: durationMsSchema,
  cause: gapCauseSchema,
  /**
   * Sound that is missing at `atMs` and takes no time in the recording, as a pause does: what follows continues
   * directly. `browser-busy` loses it in a file that the browser's own recorder writes; its place is known to half a
   * second.
   */
  cutMs: durationMsSchema.optional(),
});

export type Gap = z.output<typeof gapSchema>;
export type GapCause = z.output<typeof gapCauseSchema>;

/**
 * A break that takes no time in the recording; its position and its wall-clock length are stored. With `stopped` the
 * user stopped the take and continued it later; otherwise the user paused it.
 */
export const pauseSchema = z.strictObject({
  atMs: durationMsSchema,
  durationMs: durationMsSchema,
  cause: z.literal('stopped').optional(),
});
export type Pause = z.output<typeof pauseSchema>;

/**
 * For how long the microphone of a take delivered digital silence, in runs of at least 20 ms: it was muted, or a noise gate
 * was closed. This silence is in the audio and no gap.
 */
export const microphoneSilenceMsSchema = durationMsSchema.max(limits.maxTakeMs);

/** Why an imported file has no playable sound; the file itself is stored. */
const failureReasonSchema = z.enum([
  'not-audio',
  'no-audio-track',
  'encrypted',
  'damaged',
  'empty',
  'format-unsupported',
]);

/** The file from which a recording was imported, as on the user's device. */
export const importedFileSchema = z.strictObject({
  name: fileNameSchema,
  /** As named by the device, often empty. */
  mediaType: z
    .string()
    .max(limits.import.mediaTypeLength)
    .regex(/^[\x20-\x7e]*$/, { error: 'media-type' }),
  sizeBytes: z.int().min(1),
  /** Null if the device could not compute it before the upload. */
  sha256: sha256Schema.nullable(),
});
export type ImportedFile = z.output<typeof importedFileSchema>;

/**
 * One of several audio tracks in an imported file, as named in the file. `isPlayed`: all tracks with it are played
 * together.
 */
export const audioTrackSchema = z.strictObject({
  title: z.string().max(limits.import.trackTitleLength),
  /** BCP 47; null if the file has none. */
  language: languageTagSchema.nullable(),
  channels: z.int().min(1).max(maxChannels),
  isPlayed: z.boolean(),
});
export type AudioTrack = z.output<typeof audioTrackSchema>;

/** The most dB by which a file is played quieter: no recorder writes louder sound. */
export const maxQuieterDb = 60;

/** The name of a channel as stated in a file; empty if it states none. */
export const channelNameSchema = z.string().max(limits.import.trackTitleLength);

/** The state of the rendition for browsers; `none` if the stored audio is playable as it is. */
const renditionSchema = z.enum(['none', 'waiting', 'ready', 'failed']);

/** The fields of a recording in lists. */
export const recordingSchema = z.object({
  id: idSchema,
  title: z.string(),
  language: languageTagSchema.nullable(),
  /** When it was made, no more exact than it is known. */
  recordedTime: recordedTimeSchema,
  /**
   * The sort key in order of time, for clients that do not know `recordedTime`. An instant even if only a day is
   * known; the year 0 if nothing is.
   */
  startedAt: instantSchema,
  /** UTC if the zone is unknown. */
  timeZone: timeZoneSchema,
  durationMs: durationMsSchema,
  state: recordingStateSchema,
  format: formatSchema,
  sizeBytes: z.int().min(0),
  sha256: sha256Schema.nullable(),
  source: z.enum(['microphone', 'import']),
  /** The file of an import; null for a take. */
  file: importedFileSchema.nullable(),
  rendition: renditionSchema,
  deviceLabel: z.string().nullable(),
  /** Number of stored points of the peaks, `peaksFormat.pointsPerSecond` a second. */
  peaksPoints: z.int().min(0),
  /** A row's thumbnail: up to 96 loudness values 0–127, base64; null while receiving. */
  overview: z.string().nullable(),
  markerCount: z.int().min(0),
  /** Names of the speakers. */
  people: z.array(z.string()),
  tagIds: z.array(idSchema),
  /** Whether the calling user has starred it. */
  isFavourite: z.boolean(),
  /** Set if a stored file no longer has the hash of its receipt. */
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
  /** The container of the file as uploaded. */
  container: containerSchema,
  sizeBytes: z.int().min(0),
  sha256: sha256Schema.nullable(),
  /** When it was sealed, which is the time of the receipt. */
  storedAt: instantSchema.nullable(),
  /** When the stored bytes were last read and hashed again. */
  verifiedAt: instantSchema.nullable(),
  /** Set if that hash differed from the receipt. */
  damagedAt: instantSchema.nullable(),
});

/** One change of a recording after it had been finished. */
const historyEntrySchema = z.object({
  at: instantSchema,
  kind: z.enum(['reopened', 'segment-added', 'gaps-added', 'finished-again']),
  /** Browser and system, `Firefox · Linux`; empty if unknown. */
  deviceLabel: z.string(),
  /** The start of the added segment, or of the first added gap. */
  fromMs: durationMsSchema.nullable(),
  /** Total length of the added gaps, or of the recording that was finished again. */
  durationMs: durationMsSchema.nullable(),
  /** Number of added gaps. */
  count: z.int().min(1).nullable(),
});
export type HistoryEntry = z.output<typeof historyEntrySchema>;

/** One recording with everything that the player shows. */
export const recordingDetailsSchema = recordingSchema.extend({
  segments: z.array(segmentSchema),
  gaps: z.array(gapSchema),
  pauses: z.array(pauseSchema),
  /** Null if nothing measured it, as for an import. */
  microphoneSilenceMs: microphoneSilenceMsSchema.nullable(),
  /** The passages that are muted for listeners, in order of time. */
  passages: z.array(passageSchema),
  /** Length of the stored sound: the duration without gaps. */
  storedMs: durationMsSchema,
  /** Why an import is not playable; null if there is no problem. */
  failureReason: failureReasonSchema.nullable(),
  /**
   * Changes after it was finished, earliest first; empty for a recording that was never reopened. At most a
   * thousand.
   */
  history: z.array(historyEntrySchema),
  /** The audio tracks of an imported file with several, in order; empty for a single or unknown track. */
  audioTracks: z.array(audioTrackSchema),
  /** The names that an imported file states for its channels, in their order; empty for a channel or file without. */
  channelNames: z.array(channelNameSchema).max(maxChannels),
  /**
   * By how many dB an imported file is louder than full scale. It is played, and converted to other formats than WAV, that
   * much quieter. Null if it was not measured.
   */
  quieterByDb: z.int().min(0).max(maxQuieterDb).nullable(),
  /**
   * Length of the sections for the `section` parameter of the audio; null if the audio is one stored file, which
   * is played as a whole.
   */
  audioSectionMs: z.int().min(1).nullable(),
});
export type RecordingDetails = z.output<typeof recordingDetailsSchema>;

interface WithSource {
  source: 'microphone' | 'import';
  format: z.output<typeof formatSchema>;
  file?: ImportedFile | null | undefined;
}

/** A take has the format of our own writer; an import names its file. */
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

/** A take states its start. An import states what is known. */
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

/** Registers a take, or the import of a file, under an id created on the device. */
export const registerRecordingSchema = z
  .strictObject({
    title: titleSchema,
    language: languageTagSchema.nullable().optional(),
    /** Start and zone; both are required without `recordedTime`. */
    startedAt: instantSchema.optional(),
    timeZone: timeZoneSchema.optional(),
    /**
     * For imports only, instead of `startedAt` and `timeZone`. An impossible time, such as one in the future, is
     * stored as unknown.
     */
    recordedTime: recordedTimeSchema.optional(),
    format: formatSchema,
    source: z.enum(['microphone', 'import']),
    /**
     * Required for an import. Its `format` is a guess until the server has read the file: `other`, `unknown` is
     * acceptable.
     */
    file: importedFileSchema.nullable().optional(),
    deviceLabel: z.string().max(200).nullable().optional(),
  })
  .superRefine(checkSource)
  .superRefine(checkTime);
export type RegisterRecording = z.output<typeof registerRecordingSchema>;

/**
 * The append-only capability for one unfinished recording, created for a session. It outlives that session unless
 * it is revoked, and permits nothing else.
 */
export const uploadCapabilitySchema = z.object({
  token: z.string(),
  expiresAt: instantSchema,
  /** How long the device waits between two appends of sound. */
  appendIntervalMs: z.int().min(100),
  /** The same for peaks; that of sound where a server does not state it. */
  peaksIntervalMs: z.int().min(100).optional(),
});
export type UploadCapability = z.output<typeof uploadCapabilitySchema>;

export const registeredRecordingSchema = z.object({
  recording: recordingSchema,
  /** Null once the recording is finished: nothing can be added then. */
  upload: uploadCapabilitySchema.nullable(),
  /**
   * The receipts of a finished recording, so that a device whose capability has ended can check that nothing is
   * missing; empty before.
   */
  receipts: z.array(receiptSchema),
});
export const reopenedRecordingSchema = z.object({
  recording: recordingSchema,
  upload: uploadCapabilitySchema,
});
export type ReopenedRecording = z.output<typeof reopenedRecordingSchema>;
export type RegisteredRecording = z.output<typeof registeredRecordingSchema>;

/** Confirms that a recording is finished, with its length measured from the server's bytes. */
export const finishReceiptSchema = z.object({ id: idSchema, durationMs: durationMsSchema });
export type FinishReceipt = z.output<typeof finishReceiptSchema>;

/** All gaps of a running take; replaces the previous list. */
export const nameGapsSchema = z.strictObject({ gaps: z.array(gapSchema).max(10_000) });

/** States that no more segments follow; the recording then becomes finishing and later ready. */
export const finishRecordingSchema = z.strictObject({
  /**
   * At most a day and a minute for a take; null if the device could not measure it. Earlier programs send 0 then, and
   * so does a browser of this version to a server that rejects null.
   */
  durationMs: durationMsSchema.nullable(),
  segmentCount: z.int().min(1).max(10_000),
  gaps: z.array(gapSchema).max(10_000),
  pauses: z.array(pauseSchema).max(10_000),
  /** Left out if nothing measured it. */
  microphoneSilenceMs: microphoneSilenceMsSchema.optional(),
});
export type FinishRecording = z.input<typeof finishRecordingSchema>;

export const changeRecordingSchema = z.strictObject({
  title: titleSchema.optional(),
  language: languageTagSchema.nullable().optional(),
  /** At most a day in the future. */
  recordedTime: recordedTimeSchema.optional(),
  people: z.array(speakerNameSchema).max(limits.peoplePerRecording).optional(),
  /** All tags of the recording; replaces the previous ones. */
  tagIds: z.array(idSchema).max(serverLimits.tagsPerRecording).optional(),
});

/** The text of a recording that matched a search best: plain text, on one line. */
const searchHitSchema = z.object({
  kind: z.enum(['title', 'marker', 'note', 'transcript', 'person', 'tag', 'file-name']),
  /** An excerpt of the text, or a whole title; `…` replaces the text before and after. */
  text: z.string().max(limits.titleLength + 2),
  /** Matches in `text`: from, to, in UTF-16 code units, in order and not overlapping. */
  ranges: z.array(z.tuple([z.int().min(0), z.int().min(1)])).max(serverLimits.hit.ranges),
  /** Position of a marker, note or line of a transcript; null for any other text. */
  atMs: durationMsSchema.nullable(),
  /** How many other texts of the recording match. */
  more: z.int().min(0),
});
export type SearchHit = z.output<typeof searchHitSchema>;

/** `hit` is only set for a search; null if the recording matched by its date, or by a text after too many others. */
const listedRecordingSchema = recordingSchema.extend({ hit: searchHitSchema.nullable().optional() });
export type ListedRecording = z.output<typeof listedRecordingSchema>;

export const recordingPageSchema = z.object({
  items: z.array(listedRecordingSchema),
  nextCursor: z.string().nullable(),
  /**
   * The number of recordings on all pages. Only on the first page, and null there too if counting would take
   * longer than the page.
   */
  total: z.int().min(0).nullable(),
});
export type RecordingPage = z.output<typeof recordingPageSchema>;
