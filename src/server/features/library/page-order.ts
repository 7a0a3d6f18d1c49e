import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { RecordingSort } from '#contract/recording-filter.ts';
import { idSchema } from '#contract/values.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Database } from '#server/storage/database/database.ts';

/**
 * One order of the list: by which value of a row, and which way. Rows with one value are ordered by their
 * ids, the same way.
 */
interface PageOrder {
  by: RawBuilder<number | string>;
  isDescending: boolean;
  isText: boolean;
}

/** As the indexes have them, `0012-quicker-lists.ts` and `0013-numbered-words.ts`. */
const orders: Readonly<Record<RecordingSort, PageOrder>> = {
  newest: { by: sql`recordings.started_at`, isDescending: true, isText: false },
  oldest: { by: sql`recordings.started_at`, isDescending: false, isText: false },
  longest: { by: sql`recordings.duration_ms`, isDescending: true, isText: false },
  shortest: { by: sql`recordings.duration_ms`, isDescending: false, isText: false },
  largest: { by: sql`recordings.size_bytes`, isDescending: true, isText: false },
  title: { by: sql`substr(recordings.title_folded, 1, 100)`, isDescending: false, isText: true },
  'recently-changed': { by: sql`recordings.updated_at`, isDescending: true, isText: false },
};

/**
 * The same first hundred characters; PostgreSQL answers out of an index alone only where they are a column.
 */
const byTitleKey: PageOrder = { ...orders.title, by: sql`recordings.title_key` };

/** The order that a sort stands for. */
export const orderOf = (dialect: Database['dialect'], sort: RecordingSort): PageOrder =>
  sort === 'title' && dialect === 'postgres' ? byTitleKey : orders[sort];

/**
 * Where a page ended: the value its last row is ordered by, and its id. A number that this program cannot
 * hold is a bigint.
 */
export interface Position {
  value: number | string | bigint;
  id: string;
}

/** Of a damaged row: more digits than a number holds without losing some. */
const longNumberSchema = z
  .strictObject({ digits: z.string().regex(/^-?\d{16,19}$/) })
  .transform(({ digits }) => BigInt(digits))
  .refine((value) => value === BigInt.asIntN(64, value));
const cursorSchema = z.tuple([z.string(), z.union([z.int(), z.string(), longNumberSchema]), idSchema]);

/** An opaque word for a position in one order. */
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

/** Reads what `writeCursor` wrote for the same order; validation (422) for anything else. */
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
