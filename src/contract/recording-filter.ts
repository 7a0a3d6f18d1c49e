import { z } from 'zod';
import { serverLimits } from './server-limits.ts';
import { recordingStateSchema } from './recordings.ts';
import { idSchema, instantSchema, languageTagSchema, timeZoneSchema, wholeNumberSchema } from './values.ts';

/** Several values in a query: one parameter with commas, or the parameter repeated. */
const severalOf = <Value extends string>(item: z.ZodType<Value, string>, max: number) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) =>
      [given]
        .flat()
        .flatMap((part) => part.split(','))
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item).max(max));

/** A day such as `2026-11-21`, or an instant. */
const daySchema = z.union([z.iso.date(), instantSchema], { error: 'date' });
const milliseconds = wholeNumberSchema(0, Number.MAX_SAFE_INTEGER);

/** A filter of recordings; every given field must match. */
export const recordingFilterSchema = z.strictObject({
  search: z.string().max(200).optional(),
  /** From the start of this day. Excludes recordings of an unknown time. */
  from: daySchema.optional(),
  /** To the end of this day; an instant is itself the end. */
  to: daySchema.optional(),
  /**
   * The zone of the days; UTC if absent. A recording whose day is known matches by that day in every zone; one
   * with a month or year matches by its first day.
   */
  timeZone: timeZoneSchema.optional(),
  minMs: milliseconds.optional(),
  maxMs: milliseconds.optional(),
  /** Any of them. */
  state: severalOf(recordingStateSchema, 10).optional(),
  source: z.enum(['microphone', 'import']).optional(),
  /** `de` matches German of every region, `und` recordings without a language. */
  language: languageTagSchema.optional(),
  /** Tag ids; a recording must have all of them. */
  tag: severalOf(idSchema, 20).optional(),
  /** `true`: only recordings that the calling user has starred. */
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
  /** `transcript`: a hit may be a line of a transcript. A page of an earlier version does not know such hits. */
  hits: z.enum(['transcript']).optional(),
  cursor: z.string().max(serverLimits.cursorLength).optional(),
  limit: wholeNumberSchema(1, serverLimits.page.maxSize).default(serverLimits.page.size),
});
export type ListRecordingsQuery = z.output<typeof listRecordingsQuerySchema>;

/** The fields of a saved view: filter and sort, without a position in the list. */
export const viewFieldsSchema = recordingFilterSchema.extend({
  sort: recordingSortSchema.optional(),
  /** A relative range of days, instead of `from` and `to`. */
  period: z.enum(['today', '7-days', 'month', 'year']).optional(),
});
