import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { recordedTimeSchema } from './recorded-time.ts';
import { durationMsSchema, idSchema, instantSchema, sha256Schema, totalMsSchema } from './values.ts';

const bytesSchema = z.int().min(0);

/**
 * What the server keeps for a person, everything counted: sound, what was made of it, notes and marker
 * labels, the trash.
 */
const usageSchema = z.object({
  usedBytes: bytesSchema,
  /** What this person may use; null where there is no limit. */
  quotaBytes: bytesSchema.nullable(),
});

const checkedFileSchema = z.object({
  sha256: sha256Schema,
  /** This person's recordings of the very same bytes, those in the trash too. */
  recordings: z.array(
    z.object({
      id: idSchema,
      title: z.string(),
      recordedTime: recordedTimeSchema,
      startedAt: instantSchema,
      isTrashed: z.boolean(),
    }),
  ),
  /**
   * Why an import of it would be refused now, after the files before it in the list; null where it may come.
   */
  rejection: z.enum(['quota-exceeded', 'too-large']).nullable(),
});
export type CheckedFile = z.output<typeof checkedFileSchema>;

export const checkImports = endpoint('checkImports', {
  access: 'session',
  summary:
    'Before files are sent: which of them are there already, and whether the quota lets them in. Answers in the order of the question; keeps nothing.',
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
  /** A take is always finished, whatever the quota: then this is true. */
  isOverQuota: z.boolean(),
  /**
   * By the year in which they were made (UTC), the newest first and null, for an unknown one, last; files
   * alone, without notes and marker labels.
   */
  years: z.array(
    z.object({
      year: z.int().nullable(),
      bytes: bytesSchema,
      count: z.int().min(1),
      durationMs: totalMsSchema,
    }),
  ),
  /** The ten that take most room, the largest first; none from the trash. */
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
   * Recordings that still receive or were interrupted, outside the trash. Counted in `usedBytes` and `count`;
   * `years` and `largest` have those that were interrupted.
   */
  unfinished: z.object({
    bytes: bytesSchema,
    count: z.int().min(0),
    /** The ten that began longest ago. */
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
  /** Counted in all the figures above but `largest`. */
  trash: z.object({
    bytes: bytesSchema,
    count: z.int().min(0),
    /** When the next of them is deleted for good. */ nextPurgeAt: instantSchema.nullable(),
  }),
});
export type StorageReport = z.output<typeof storageReportSchema>;

export const getStorage = endpoint('getStorage', {
  access: 'session',
  summary:
    'What one uses on this server, by year and by size, with unfinished recordings, the trash and the quota.',
  reply: storageReportSchema,
  statuses: [200],
  errors: [],
});
