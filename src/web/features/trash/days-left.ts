import { day } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';

/** Whole days until an item in the trash is deleted, rounded up: 1 on the last day, 0 when it is due. */
export function daysLeft(deletedAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((deletedAtMs + limits.trashRetentionMs - nowMs) / day));
}
