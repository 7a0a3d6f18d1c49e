import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { recordedTimeSchema } from './recorded-time.ts';
import { durationMsSchema, idSchema, instantSchema, sha256Schema, totalMsSchema } from './values.ts';

const bytesSchema = z.int().min(0);

/**
 * Everything that the server stores for a user: audio, files derived from it, notes and marker labels, and the
 * trash.
 */
const usageSchema = z.object({
  usedBytes: bytesSchema,
  /** The user's quota; null for no limit. */
  quotaBytes: bytesSchema.nullable(),
});

const sameRecordingSchema = z.object({
  id: idSchema,
  title: z.string(),
  recordedTime: recordedTimeSchema,
  startedAt: instantSchema,
  isTrashed: z.boolean(),
});

const checkedFileSchema = z.object({
  sha256: sha256Schema,
  /** The user's complete recordings with identical bytes, including the trash. */
  recordings: z.array(sameRecordingSchema),
  /**
   * The user's oldest import of identical bytes that is not complete, without the trash: it is continued by
   * registering its id again and sending the rest to these uploads. Null if there is none. Servers of earlier
   * versions leave it out.
   */
  unfinished: sameRecordingSchema
    .extend({
      /** Null if the upload was not created. */
      audioUploadId: idSchema.nullable(),
      peaksUploadId: idSchema.nullable(),
      /** The epoch of its last writer; the next one needs a larger one. */
      epoch: z.int().min(0),
    })
    .nullable()
    .optional(),
  /** Why the server would reject the import now, counting earlier files of the list; null if it would accept it. */
  rejection: z.enum(['quota-exceeded', 'too-large']).nullable(),
});
export type CheckedFile = z.output<typeof checkedFileSchema>;
/** An import that was interrupted, and what is needed to continue it. */
export type UnfinishedImport = NonNullable<CheckedFile['unfinished']>;

export const checkImports = endpoint('checkImports', {
  access: 'session',
  summary:
    'Before files are uploaded: which of them already exist or were begun, and whether the quota allows the others. Responds in the order of the request; stores nothing.',
  body: z.strictObject({
    files: z
      .array(z.strictObject({ sha256: sha256Schema, sizeBytes: z.int().min(1) }))
      .min(1)
      .max(limits.import.filesPerCheck),
  }),
  reply: usageSchema.extend({ files: z.array(checkedFileSchema) }),
  statuses: [200],
  errors: ['validation'],
});

const storageReportSchema = usageSchema.extend({
  count: z.int().min(0),
  /** A take is always finished, whatever the quota; this is true afterwards. */
  isOverQuota: z.boolean(),
  /**
   * By year of recording (UTC), newest first and null (unknown) last; files only, without notes and marker labels.
   */
  years: z.array(
    z.object({
      year: z.int().nullable(),
      bytes: bytesSchema,
      count: z.int().min(1),
      durationMs: totalMsSchema,
    }),
  ),
  /** The ten largest recordings, largest first, without the trash. */
  largest: z.array(
    z.object({
      id: idSchema,
      title: z.string(),
      recordedTime: recordedTimeSchema,
      startedAt: instantSchema,
      durationMs: durationMsSchema,
      bytes: bytesSchema,
    }),
  ),
  /**
   * Recordings outside the trash that are still being received or were interrupted. Included in `usedBytes` and
   * `count`; `years` and `largest` include only interrupted ones.
   */
  unfinished: z.object({
    bytes: bytesSchema,
    count: z.int().min(0),
    /** The ten oldest. */
    oldest: z.array(
      z.object({
        id: idSchema,
        title: z.string(),
        recordedTime: recordedTimeSchema,
        startedAt: instantSchema,
        isInterrupted: z.boolean(),
        bytes: bytesSchema,
      }),
    ),
  }),
  /** Included in all the figures above except `largest`. */
  trash: z.object({
    bytes: bytesSchema,
    count: z.int().min(0),
    /** When the next of them is deleted permanently. */ nextPurgeAt: instantSchema.nullable(),
  }),
});
export type StorageReport = z.output<typeof storageReportSchema>;

export const getStorage = endpoint('getStorage', {
  access: 'session',
  summary:
    'The storage of the user on this server, by year and by size, with unfinished recordings, the trash and the quota.',
  reply: storageReportSchema,
  statuses: [200],
  errors: [],
});
