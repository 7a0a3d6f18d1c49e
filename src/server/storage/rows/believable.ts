import { type RawBuilder, sql } from 'kysely';
import { instantBounds } from '#base/instant.ts';
import { maxSoundMs, nearestWithin } from '#base/numbers/untrusted-numbers.ts';
import { microphoneSilenceMsSchema } from '#contract/recordings.ts';
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

// Constraints keep impossible numbers out of the tables (migrations 0015, 0023). If a damaged disk or another
// program wrote one anyway, it is read as the nearest possible number, so that one row never fails a whole list.

const max = { duration_ms: maxSoundMs, stored_bytes: Number.MAX_SAFE_INTEGER } as const;

/** Clamps a moment to the range that can be written as an instant. */
export const believableMoment = (ms: number): number => nearestWithin(ms, instantBounds);

/** Clamps a count of bytes or points. */
export const believableCount = (stored: number): number =>
  nearestWithin(stored, { min: 0, max: Number.MAX_SAFE_INTEGER });

/** Clamps a length of audio. */
export const believableLength = (ms: number): number => nearestWithin(ms, { min: 0, max: maxSoundMs });

/** The silence of a microphone, or null if it is impossible. */
export const believableSilence = (ms: number | null): number | null =>
  microphoneSilenceMsSchema.nullable().catch(null).parse(ms);

const momentOrNull = (ms: number | null): number | null => (ms === null ? null : believableMoment(ms));

/** Makes a recording's row displayable. A row that had to be changed is marked as distrusted. */
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

/** Makes a marker's row displayable. */
export const believableMarker = (row: MarkerRow): MarkerRow => ({
  ...row,
  at_ms: believableLength(row.at_ms),
  created_at: believableMoment(row.created_at),
  colour: knownColour(row.colour),
});

/** Makes a tag's row displayable. */
export const believableTag = <Row extends TagRow>(row: Row): Row => ({
  ...row,
  colour: knownColour(row.colour),
});

/** Makes a note's row displayable. A note that would not end after its start becomes a moment. */
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
 * Makes a playback position displayable. Returns undefined if its position is unreadable, because the nearest
 * possible one would be wrong. A time in the future counts as now.
 */
export function believablePosition(
  row: PlaybackPositionRow,
  nowMs: number = instantBounds.max,
): PlaybackPositionRow | undefined {
  return believableLength(row.position_ms) === row.position_ms
    ? { ...row, heard_at: Math.min(nowMs, believableMoment(row.heard_at)) }
    : undefined;
}

/** Sums a column over the recordings whose value is possible. */
export const believableSum = (column: keyof typeof max): RawBuilder<number | string | null> =>
  sql`sum(case when ${sql.ref(column)} between 0 and ${sql.lit(max[column])} then ${sql.ref(column)} else 0 end)`;

/** Selects a moment of a row, or null if it is impossible. */
export const believableMomentOf = (column: 'started_at'): RawBuilder<number | null> =>
  sql`case when ${sql.ref(column)} between ${sql.lit(instantBounds.min)} and ${sql.lit(instantBounds.max)} then ${sql.ref(column)} end`;
