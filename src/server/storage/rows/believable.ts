import { type RawBuilder, sql } from 'kysely';
import { instantBounds } from '#base/instant.ts';
import { longestSoundMs, nearestWithin } from '#base/numbers/untrusted-numbers.ts';
import type {
  TagRow,
  NoteRow,
  PlaybackPositionRow,
  MarkerRow,
  RecordingRow,
} from '#server/storage/database/schema.ts';
import { knownTimeKind } from './stored-time.ts';
import {
  knownColour,
  knownContainer,
  knownLanguage,
  knownSource,
  knownState,
  knownTimeZone,
} from './known-values.ts';

// Constraints keep numbers that cannot be out of the tables (0015, 0023). A row that has one all the same, by
// a damaged disk or another program's hand, is read as the nearest that can be, so that it never fails the
// list in which it stands.

const most = { duration_ms: longestSoundMs, stored_bytes: Number.MAX_SAFE_INTEGER } as const;

/** A moment that can be written as an instant. */
export const believableMoment = (ms: number): number => nearestWithin(ms, instantBounds);

/** A count of bytes or of points. */
export const believableCount = (stored: number): number =>
  nearestWithin(stored, { least: 0, most: Number.MAX_SAFE_INTEGER });

/** A length of sound. */
export const believableLength = (ms: number): number => nearestWithin(ms, { least: 0, most: longestSoundMs });

const momentOrNull = (ms: number | null): number | null => (ms === null ? null : believableMoment(ms));

/** A recording's row as it can be shown; one that had to be changed for it is distrusted. */
export function believableRow<Row extends RecordingRow>(row: Row): Row {
  const changed = {
    duration_ms: believableLength(row.duration_ms),
    size_bytes: believableCount(row.size_bytes),
    stored_bytes: believableCount(row.stored_bytes),
    peaks_points: believableCount(row.peaks_points),
    started_at: believableMoment(row.started_at),
    created_at: believableMoment(row.created_at),
    updated_at: believableMoment(row.updated_at),
    state: knownState(row.state),
    container: knownContainer(row.container),
    source: knownSource(row.source),
    language: knownLanguage(row.language),
    time_zone: knownTimeZone(row.time_zone),
    recorded_kind: knownTimeKind(row),
    deleted_at: momentOrNull(row.deleted_at),
    damaged_at: momentOrNull(row.damaged_at),
    finished_at: momentOrNull(row.finished_at),
  };
  const isBelievable = Object.entries(changed).every(([column, value]) =>
    Object.is(Reflect.get(row, column), value),
  );
  return isBelievable ? row : { ...row, ...changed, distrusted_at: row.distrusted_at ?? changed.updated_at };
}

/** A marker's row as it can be shown. */
export const believableMarker = (row: MarkerRow): MarkerRow => ({
  ...row,
  at_ms: believableLength(row.at_ms),
  created_at: believableMoment(row.created_at),
  colour: knownColour(row.colour),
});

/** A tag's row as it can be shown. */
export const believableTag = <Row extends TagRow>(row: Row): Row => ({
  ...row,
  colour: knownColour(row.colour),
});

/** A note's row as it can be shown; one that would not end behind its beginning is about a moment. */
export function believableNote(row: NoteRow): NoteRow {
  const fromMs = believableLength(row.from_ms);
  const toMs = row.to_ms === null ? null : believableLength(row.to_ms);
  return {
    ...row,
    from_ms: fromMs,
    to_ms: toMs !== null && toMs > fromMs ? toMs : null,
    revision: Math.max(1, believableCount(row.revision)),
    created_at: believableMoment(row.created_at),
    updated_at: believableMoment(row.updated_at),
  };
}

/**
 * A position's row as it can be shown; undefined where its place cannot be read: nobody stopped at the
 * nearest one. Heard in the future counts as heard now.
 */
export function believablePosition(
  row: PlaybackPositionRow,
  nowMs: number = instantBounds.most,
): PlaybackPositionRow | undefined {
  return believableLength(row.position_ms) === row.position_ms
    ? { ...row, heard_at: Math.min(nowMs, believableMoment(row.heard_at)) }
    : undefined;
}

/** The sum of a column of recordings over the rows in which it can be. */
export const believableSum = (column: keyof typeof most): RawBuilder<number | string | null> =>
  sql`sum(case when ${sql.ref(column)} between 0 and ${sql.lit(most[column])} then ${sql.ref(column)} else 0 end)`;

/** A moment of a row where it can be, else null. */
export const believableMomentOf = (column: 'started_at'): RawBuilder<number | null> =>
  sql`case when ${sql.ref(column)} between ${sql.lit(instantBounds.least)} and ${sql.lit(instantBounds.most)} then ${sql.ref(column)} end`;
