import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { RecordingSort } from '#contract/recording-filter.ts';
import { idSchema } from '#contract/values.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Database } from '#server/storage/database/database.ts';

/**
 * One order of the list: the sort key and the direction. Rows with equal keys are sorted by id in the same
 * direction.
 */
interface PageOrder {
  by: RawBuilder<number | string>;
  isDescending: boolean;
  isText: boolean;
}

/** Must match the indexes in `0012-quicker-lists.ts` and `0013-numbered-words.ts`. */
const orders: Readonly<Record<RecordingSort, PageOrder>> = {
  newest: { by: sql`recordings.started_at`, isDescending: true, isText: false },
  oldest: { by: sql`recordings.started_at`, isDescending: false, isText: false },
  longest: { by: sql`recordings.duration_ms`, isDescending: true, isText: false },
  shortest: { by: sql`recordings.duration_ms`, isDescending: false, isText: false },
  largest: { by: sql`recordings.size_bytes`, isDescending: true, isText: false },
  title: { by: sql`substr(recordings.title_folded, 1, 100)`, isDescending: false, isText: true },
  'recently-changed': { by: sql`recordings.updated_at`, isDescending: true, isText: false },
};

/** The same first hundred characters as a column, which PostgreSQL requires for an index-only scan. */
const byTitleKey: PageOrder = { ...orders.title, by: sql`recordings.title_key` };

/** Returns the order of a sort option. */
export const orderOf = (dialect: Database['dialect'], sort: RecordingSort): PageOrder =>
  sort === 'title' && dialect === 'postgres' ? byTitleKey : orders[sort];

/**
 * The end of a page: the sort key and id of its last row. A number beyond a JavaScript number's precision is a
 * bigint.
 */
export interface Position {
  value: number | string | bigint;
  id: string;
}

/** From a damaged row: a number with more digits than a JavaScript number can represent. */
const longNumberSchema = z
  .strictObject({ digits: z.string().regex(/^-?\d{16,19}$/) })
  .transform(({ digits }) => BigInt(digits))
  .refine((value) => value === BigInt.asIntN(64, value));
const cursorSchema = z.tuple([z.string(), z.union([z.int(), z.string(), longNumberSchema]), idSchema]);

/** Encodes a position in one order as an opaque cursor. */
export const writeCursor = (sort: RecordingSort, { value, id }: Position): string =>
  Buffer.from(
    JSON.stringify([sort, typeof value === 'bigint' ? { digits: String(value) } : value, id]),
  ).toString('base64url');

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}

/**
 * Decodes a cursor of the same order.
 * @throws validation (422) for anything else
 */
export function readCursor(sort: RecordingSort, cursor: string): Position {
  const { data } = cursorSchema.safeParse(parsed(cursor));
  if (
    data?.[0] !== sort ||
    (typeof data[1] === 'string') !== orders[sort].isText ||
    /\0|\p{Surrogate}/u.test(String(data[1]))
  )
    throw rejectField('/query/cursor', 'cursor');
  return { value: data[1], id: data[2] };
}
