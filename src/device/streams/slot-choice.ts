import { hour, second } from '#base/duration.ts';

/** A slot file and whose stream it holds: a value of the IndexedDB store `slots`. */
export interface SlotRecord {
  name: string;
  createdAtMs: number;
  /** The upload whose stream it holds; null while it is free. */
  takenBy: string | null;
  takenAtMs: number | null;
}

/**
 * Chromium never syncs the names of OPFS files: one this old survived every power cut that was tried, a fresh
 * one none.
 */
export const agedAfterMs = 90 * second;
/** Free slots that wait to be old: three segments' worth. */
export const freeSlots = 6;
/** A claim this old whose stream no take knows belongs to nobody: its take never began, or is removed. */
const orphanedAfterMs = 1 * hour;

/**
 * How much longer a slot has to live until its name survives a power cut. One that seems to come from the
 * future is fresh.
 */
export function untilAgedMs({ createdAtMs }: Pick<SlotRecord, 'createdAtMs'>, nowMs: number): number {
  const ageMs = nowMs - createdAtMs;
  return ageMs < 0 ? agedAfterMs : Math.max(0, agedAfterMs - ageMs);
}

/** The free slot to use next: the oldest. */
export function oldestFree(slots: readonly SlotRecord[]): SlotRecord | null {
  return (
    slots.filter(({ takenBy }) => takenBy === null).toSorted((a, b) => a.createdAtMs - b.createdAtMs)[0] ??
    null
  );
}

/** What has to be done so that enough slots wait to be used. */
export interface PoolPlan {
  /** Files that no record knows: left by a crash between the two. */
  adopt: string[];
  /** Free slots whose file is gone. */
  forget: string[];
  /** Taken slots that belong to nobody. */
  reclaim: SlotRecord[];
  /** Streams that an old file holds and the server, too: their log is not needed any more. */
  settled: string[];
  /** How many new ones to make. */
  make: number;
}

/** What a device was found to hold. */
export interface Found {
  files: readonly string[];
  /** The streams that takes know. */
  uploadIds: ReadonlySet<string>;
  /** Those of them whose take has its receipt. */
  receipted: ReadonlySet<string>;
  nowMs: number;
}

/** Compares the records with the files that are there and the streams that takes know. */
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
