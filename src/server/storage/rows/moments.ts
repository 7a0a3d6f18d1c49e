import { type RawBuilder, sql } from 'kysely';
import { minute } from '#base/duration.ts';
import { instantBounds, unixMsOf } from '#base/instant.ts';

// The one place where moments are held against the server's clock: those that a client sends, and those that
// were stored while a clock was wrong.

/** Servers of one database, and a clock that was set back a little, may differ by this much. */
export const clockToleranceMs = minute;

/** The server's own moments cannot be older: there was no Earshot before. */
const earliestOwnMs = Date.UTC(2020, 0, 1);

/**
 * A moment by a client's clock, at the border: one in the future counts as now, so that of two writers a
 * clock that runs ahead does not hold for ever.
 */
export const momentOfClient = (instant: string, nowMs: number): number => Math.min(unixMsOf(instant), nowMs);

/**
 * Whether a moment can have been by the server's clock. One in the future proves nothing and holds against
 * nothing.
 */
export const isPast = (ms: number, nowMs: number): boolean =>
  ms >= instantBounds.least && ms <= nowMs + clockToleranceMs;

/** A moment that lies in the past where it can; null where it says nothing. */
export const pastOrNull = (ms: number | null, nowMs: number): number | null =>
  ms !== null && isPast(ms, nowMs) ? ms : null;

/**
 * Rows whose moment, by the server's clock, is proven to lie before another one: what is deleted for its age
 * asks this, not `<` alone, which every broken negative number meets.
 */
export const isProvenBefore = (column: 'deleted_at' | 'updated_at', beforeMs: number): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} >= ${sql.lit(earliestOwnMs)} and ${sql.ref(column)} < ${beforeMs})`;
