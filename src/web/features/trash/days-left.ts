import { day } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';

/** Whole days until something in the trash is gone, counted up: on the last day it is 1, when it is due 0. */
export function daysLeft(deletedAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((deletedAtMs + limits.trashKeptMs - nowMs) / day));
}
