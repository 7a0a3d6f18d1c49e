import { hour, second } from '#base/duration.ts';
import type { SlotRecord } from '#device/records/slot-record.ts';

/**
 * Chromium never syncs the names of OPFS files. In tests, files of this age survived every power cut, new ones
 * none.
 */
export const agedAfterMs = 90 * second;
/** Number of free slots that age in advance: enough for three segments. */
export const freeSlots = 6;
/** A claim older than this is an orphan if no take has its stream: its take never started or was removed. */
const orphanedAfterMs = 1 * hour;

/**
 * How many milliseconds remain until the slot's name survives a power cut. A slot with a future date counts as
 * new.
 */
export function untilAgedMs({ createdAtMs }: Pick<SlotRecord, 'createdAtMs'>, nowMs: number): number {
  const ageMs = nowMs - createdAtMs;
  return ageMs < 0 ? agedAfterMs : Math.max(0, agedAfterMs - ageMs);
}

export function oldestFree(slots: readonly SlotRecord[]): SlotRecord | null {
  return (
    slots.filter(({ takenBy }) => takenBy === null).toSorted((a, b) => a.createdAtMs - b.createdAtMs)[0] ??
    null
  );
}

/** The steps that leave enough free slots. */
export interface PoolPlan {
  /** Files without a record, left by a crash between creating the file and its record. */
  adopt: string[];
  /** Free slots whose file no longer exists. */
  forget: string[];
  /** Claimed slots that no take uses. */
  reclaim: SlotRecord[];
  /**
   * Streams that are on the server and in a file older than `agedAfterMs`, so that their log is no longer needed.
   */
  settled: string[];
  /** The number of slots to create. */
  make: number;
}

/** The files and streams found on the device. */
export interface Found {
  files: readonly string[];
  /** The streams of all takes. */
  uploadIds: ReadonlySet<string>;
  /** The streams of takes that have a receipt. */
  receipted: ReadonlySet<string>;
  nowMs: number;
}

/** Compares slot records with the existing files and the streams of takes. */
export function planPool(slots: readonly SlotRecord[], found: Found): PoolPlan {
  const files = new Set(found.files);
  const known = new Set(slots.map(({ name }) => name));
  const adopt = found.files.filter((name) => !known.has(name));
  const forget = slots
    .filter(({ takenBy, name }) => takenBy === null && !files.has(name))
    .map(({ name }) => name);
  const reclaim = slots.filter(
    ({ takenBy, takenAtMs }) =>
      takenBy !== null &&
      !found.uploadIds.has(takenBy) &&
      Math.abs(found.nowMs - (takenAtMs ?? 0)) > orphanedAfterMs,
  );
  const free = slots.filter(({ takenBy }) => takenBy === null).length - forget.length + adopt.length;
  const settled = slots.flatMap((slot) =>
    slot.takenBy !== null && found.receipted.has(slot.takenBy) && untilAgedMs(slot, found.nowMs) === 0
      ? [slot.takenBy]
      : [],
  );
  return { adopt, forget, reclaim, settled, make: Math.max(0, freeSlots - free) };
}
