import { z } from 'zod';
import { isCalendarDate, isLocalDateTime, recordedYears } from '#base/recorded-time/calendar.ts';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { instantSchema, timeZoneSchema } from './values.ts';

const inYears = (text: string): boolean => Number(text.slice(0, 4)) >= recordedYears.first;

/** When a recording was made, no more exact than it is known. */
export const recordedTimeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('moment'),
    at: instantSchema.refine(inYears, { error: 'date' }),
    /** Where it was recorded; null if only the instant is known. */
    timeZone: timeZoneSchema.nullable(),
    /** `file`: it is the date of the imported file. */
    source: z.literal('file').optional(),
  }),
  /** The wall clock in an unknown zone: `2024-05-17T14:03:05`. */
  z.strictObject({
    kind: z.literal('local'),
    dateTime: z.string().max(19).refine(isLocalDateTime, { error: 'date' }),
  }),
  /** A day, a month or a year: `2019-05-17`, `2019-05`, `2019`. */
  z.strictObject({
    kind: z.literal('date'),
    date: z.string().max(10).refine(isCalendarDate, { error: 'date' }),
  }),
  z.strictObject({ kind: z.literal('unknown') }),
]) satisfies z.ZodType<RecordedTime>;
