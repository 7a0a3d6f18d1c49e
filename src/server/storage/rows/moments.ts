import { type RawBuilder, sql } from 'kysely';
import { minute } from '#base/duration.ts';
import { instantBounds, unixMsOf } from '#base/instant.ts';

// The only place that compares moments with the server's clock: those that clients send, and those stored while a
// clock was wrong.

/**
 * The allowed difference between the clocks of servers that share a database, and after a clock was set back a
 * little.
 */
export const clockToleranceMs = minute;

/** The server's own moments cannot be older: Earshot did not exist before. */
const earliestOwnMs = Date.UTC(2020, 0, 1);

/**
 * Reads a moment from a client's clock. A moment in the future counts as now, so that a client whose clock is
 * ahead does not win over other writers for ever.
 */
export const momentOfClient = (instant: string, nowMs: number): number => Math.min(unixMsOf(instant), nowMs);

/**
 * Returns whether a moment can be in the past by the server's clock. A moment in the future must not count as
 * evidence.
 */
export const isPast = (ms: number, nowMs: number): boolean =>
  ms >= instantBounds.min && ms <= nowMs + clockToleranceMs;

/** Returns a moment if it can be in the past, else null. */
export const pastOrNull = (ms: number | null, nowMs: number): number | null =>
  ms !== null && isPast(ms, nowMs) ? ms : null;

/**
 * Matches rows whose moment, by the server's clock, is certainly before another one. Deletion by age uses this
 * instead of plain `<`, which every corrupt negative number satisfies.
 */
export const isProvenBefore = (column: 'deleted_at' | 'updated_at', beforeMs: number): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} >= ${sql.lit(earliestOwnMs)} and ${sql.ref(column)} < ${beforeMs})`;
