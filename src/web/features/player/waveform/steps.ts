import { selection, rangeOf } from '#web/features/player/engine/selection.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { looping } from './looping.ts';

/** Tolerance when comparing positions: an element reports fractions of a millisecond. */
const sameMs = 2;
const isSame = (aMs: number, bMs: number): boolean => Math.abs(aMs - bMs) <= sameMs;

/**
 * Moves the playhead, and with it the end of the selection that is there. Without one there, starts a selection.
 */
export function extendSelection(byMs: number): void {
  const [atMs, durationMs] = [player.positionMs(), player.durationMs()];
  const chosen = selection.getSnapshot();
  const isAtEnd = chosen !== null && isSame(chosen.toMs, atMs);
  const isAtStart = chosen !== null && isSame(chosen.fromMs, atMs);
  const anchorMs = isAtEnd ? chosen.fromMs : isAtStart ? chosen.toMs : atMs;
  const toMs = Math.min(Math.max(0, atMs + byMs), durationMs);
  player.seek(toMs);
  selection.set(rangeOf(anchorMs, toMs, durationMs));
}

/** Starts the selection here. Its end stays if it is later, otherwise it becomes the end of the recording. */
export function selectFromHere(): void {
  const [atMs, durationMs] = [player.positionMs(), player.durationMs()];
  const endMs = selection.getSnapshot()?.toMs ?? durationMs;
  selection.set(rangeOf(atMs, endMs > atMs + sameMs ? endMs : durationMs, durationMs));
}

/** Ends the selection here. Its start stays if it is earlier, otherwise it becomes the start of the recording. */
export function selectToHere(): void {
  const [atMs, durationMs] = [player.positionMs(), player.durationMs()];
  const startMs = selection.getSnapshot()?.fromMs ?? 0;
  selection.set(rangeOf(startMs < atMs - sameMs ? startMs : 0, atMs, durationMs));
}

/** Plays the selection from its start, and pauses at its end unless it is looped. */
export function playSelection(): void {
  const chosen = selection.getSnapshot();
  if (!chosen) return;
  if (looping.getSnapshot()) player.seek(chosen.fromMs);
  else player.seekRange(chosen.fromMs, chosen.toMs);
  player.play();
}
