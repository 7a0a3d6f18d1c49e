import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { recordedTimeSchema } from './recorded-time.ts';
import { flowSchema, idSchema, instantSchema, wholeNumberSchema } from './values.ts';

/** Download formats of a recording: the stored bytes, or a conversion. */
export const downloadFormatSchema = z.enum(['original', 'wav', 'flac', 'mp3', 'm4a', 'opus']);
export type DownloadFormat = z.output<typeof downloadFormatSchema>;

const place = wholeNumberSchema(0, Number.MAX_SAFE_INTEGER);

/**
 * Why a recording is not in an account export, in terms of now. `receiving`: it is being recorded or uploaded.
 * `interrupted`: its device has the rest. `processing`: the server has every byte, and prepares it. `damaged`: stored
 * bytes are missing. `finished-since`: a new export would contain it. Later versions add reasons.
 */
export const leftOutReasonSchema = z.enum([
  'receiving',
  'interrupted',
  'processing',
  'damaged',
  'finished-since',
]);
export type LeftOutReason = z.output<typeof leftOutReasonSchema>;

const leftOutRecordingSchema = z.object({
  id: idSchema,
  title: z.string(),
  recordedTime: recordedTimeSchema,
  startedAt: instantSchema,
  reason: leftOutReasonSchema,
});
export type LeftOutRecording = z.output<typeof leftOutRecordingSchema>;

/** The whole account as one ZIP file of plain folders: created once, stored for some days, downloaded in pieces. */
export const accountExportSchema = z.object({
  id: idSchema,
  state: z.enum(['preparing', 'ready', 'failed']),
  createdAt: instantSchema,
  /** End of the time in which it can be downloaded. */
  expiresAt: instantSchema,
  /** Size of the ZIP file; 0 until it is ready. */
  sizeBytes: z.int().min(0),
  recordingCount: z.int().min(0),
  /** Number of recordings left out because they were not finished yet or are damaged. */
  leftOut: z.int().min(0),
  /**
   * Those among the first hundred of them that have not been deleted since, with their current titles. Null until the export is
   * ready, and for an export that an earlier version made. Servers of earlier versions leave it out.
   */
  leftOutRecordings: z.array(leftOutRecordingSchema).nullable().optional(),
});
export type AccountExport = z.output<typeof accountExportSchema>;

export const listExportFormats = endpoint('listExportFormats', {
  access: 'session',
  summary:
    'The formats to which this server can convert recordings: `original` always, the others if ffmpeg is installed.',
  reply: z.object({ formats: z.array(downloadFormatSchema) }),
  statuses: [200],
  errors: [],
});

export const downloadRecording = endpoint('downloadRecording', {
  access: 'session',
  replyKind: 'bytes',
  replyMediaTypes: ['audio/*', 'application/octet-stream'],
  summary:
    'A recording as a file: the unchanged original (by byte range), or converted while it is sent, as a whole or from `fromMs` to `toMs`, with markers as chapters if the format supports them.',
  query: z
    .strictObject({
      format: downloadFormatSchema.default('original'),
      fromMs: place.optional(),
      toMs: place.optional(),
    })
    .refine(({ fromMs, toMs }) => (fromMs ?? 0) < (toMs ?? Infinity), { error: 'range', path: ['toMs'] })
    .refine(
      ({ format, fromMs, toMs }) => format !== 'original' || (fromMs === undefined && toMs === undefined),
      { error: 'whole-only', path: ['format'] },
    ),
  statuses: [200, 206, 304],
  errors: [
    'not-found',
    'range-not-satisfiable',
    'validation',
    'conversion-unavailable',
    'conversion-failed',
    'rate-limited',
  ],
});

export const createZip = endpoint('createZip', {
  access: 'session',
  summary:
    'Request several recordings as one ZIP file; the ticket is valid for one download by the same user, for five minutes.',
  body: z.strictObject({ ids: z.array(idSchema).min(1).max(limits.recordingsPerZip) }),
  reply: z.object({
    ticket: z.string(),
    expiresAt: instantSchema,
    recordingCount: z.int().min(0),
    sizeBytes: z.int().min(0),
    missing: z.array(idSchema),
  }),
  statuses: [201],
  errors: ['validation', 'not-found'],
});

export const getZip = endpoint('getZip', {
  access: 'session',
  replyKind: 'bytes',
  replyMediaTypes: ['application/zip'],
  params: { ticket: flowSchema },
  summary:
    'The ZIP file of a ticket, streamed: a folder per recording with its audio, its description, its markers and its notes, and a manifest with the SHA-256 of every file.',
  statuses: [200],
  errors: ['link-not-found'],
});

export const startAccountExport = endpoint('startAccountExport', {
  access: 'session',
  summary:
    'Start to create an export of the whole account; replaces the previous one. While one is being created, returns that one.',
  reply: accountExportSchema,
  statuses: [201],
  errors: ['storage-full'],
});

export const getAccountExport = endpoint('getAccountExport', {
  access: 'session',
  summary:
    'The most recently requested export of the account, if it is still stored and nothing in it was purged.',
  reply: z.object({ export: accountExportSchema.nullable() }),
  statuses: [200],
  errors: [],
});

export const downloadAccountExport = endpoint('downloadAccountExport', {
  access: 'session',
  replyKind: 'bytes',
  replyMediaTypes: ['application/zip'],
  summary:
    'The account as a ZIP file, by byte range: the bytes do not change until the export expires, so that an interrupted download can be resumed.',
  statuses: [200, 206, 304],
  errors: ['not-found', 'range-not-satisfiable', 'purged'],
});
