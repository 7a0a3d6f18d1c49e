import { z } from 'zod';
import { serverLimits } from './server-limits.ts';
import { recordingStateSchema } from './recordings.ts';
import { idSchema, instantSchema, languageTagSchema, timeZoneSchema, wholeNumberSchema } from './values.ts';

/** Several values in a query: one parameter with commas between, or the parameter repeated. */
const severalOf = <Value extends string>(item: z.ZodType<Value, string>, most: number) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) =>
      [given]
        .flat()
        .flatMap((part) => part.split(','))
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item).max(most));

/** A day as `2026-11-21`, or an instant. */
const daySchema = z.union([z.iso.date(), instantSchema], { error: 'date' });
const milliseconds = wholeNumberSchema(0, Number.MAX_SAFE_INTEGER);

/** Which recordings are meant; every part that is given has to fit. */
export const recordingFilterSchema = z.strictObject({
  search: z.string().max(200).optional(),
  /** From the beginning of this day on. Recordings of an unknown time are left out. */
  from: daySchema.optional(),
  /** To the end of this day; an instant is itself the end. */
  to: daySchema.optional(),
  /**
   * Where days begin and end; UTC when absent. A recording of which only the day is known is in the range
   * when its day is, in every zone; of a month or a year, when its first day is.
   */
  timeZone: timeZoneSchema.optional(),
  minMs: milliseconds.optional(),
  maxMs: milliseconds.optional(),
  /** One of them. */
  state: severalOf(recordingStateSchema, 10).optional(),
  source: z.enum(['microphone', 'import']).optional(),
  /** `de` means German of every region, `und` recordings without a language. */
  language: languageTagSchema.optional(),
  /** Ids of tags; a recording has all of them. */
  tag: severalOf(idSchema, 20).optional(),
  /** `true`: only what the person who asks has starred. */
  favourite: z.enum(['true']).optional(),
  trashed: z.enum(['true', 'false']).default('false'),
});
export type RecordingFilter = z.output<typeof recordingFilterSchema>;

const recordingSortSchema = z.enum([
  'newest',
  'oldest',
  'longest',
  'shortest',
  'title',
  'largest',
  'recently-changed',
]);
export type RecordingSort = z.output<typeof recordingSortSchema>;

export const listRecordingsQuerySchema = recordingFilterSchema.extend({
  sort: recordingSortSchema.default('newest'),
  cursor: z.string().max(serverLimits.cursorLength).optional(),
  limit: wholeNumberSchema(1, serverLimits.page.longest).default(serverLimits.page.size),
});
export type ListRecordingsQuery = z.output<typeof listRecordingsQuerySchema>;

/** What a saved view keeps: the filter and the sort, without a place in the list. */
export const viewFieldsSchema = recordingFilterSchema.extend({
  sort: recordingSortSchema.optional(),
  /** Days that move with the calendar, in place of `from` and `to`. */
  period: z.enum(['today', '7-days', 'month', 'year']).optional(),
});
