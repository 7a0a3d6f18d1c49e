import type { Gap } from '#contract/recordings.ts';
import { second } from '#base/duration.ts';

export type { Gap } from '#contract/recordings.ts';

/** A shorter gap is as brief as a breath, so it is neither skipped nor announced. */
export const noticedGapMs = 300;
/** A seek may land this much before its target. */
const seekToleranceMs = 20;
const shownForMs = 4 * second;

const endOf = ({ atMs, durationMs }: Gap): number => atMs + durationMs;

/** The gap at a position, or the longest if several overlap; null if there is sound. */
export function gapAt(gaps: readonly Gap[], positionMs: number): Gap | null {
  const around = gaps.filter((gap) => positionMs >= gap.atMs && positionMs < endOf(gap) - seekToleranceMs);
  return around.toSorted((a, b) => b.durationMs - a.durationMs)[0] ?? null;
}

/** A skip over a gap and over any gaps that follow it directly. */
export interface Skip {
  /** The longest of these gaps, which is the one announced. */
  gap: Gap;
  fromMs: number;
  toMs: number;
}

/** The skip to perform at a position, limited to the end of the recording; null if nothing is skipped. */
export function skipAt(gaps: readonly Gap[], at: { fromMs: number; durationMs: number }): Skip | null {
  const first = gapAt(gaps, at.fromMs);
  if (!first || first.durationMs < noticedGapMs) return null;
  let [gap, toMs] = [first, endOf(first)];
  for (let next = gapAt(gaps, toMs); next; next = gapAt(gaps, toMs)) {
    if (next.durationMs > gap.durationMs) gap = next;
    toMs = endOf(next);
  }
  const skip = { gap, fromMs: at.fromMs, toMs: Math.min(toMs, at.durationMs) };
  return skip.toMs - at.fromMs > seekToleranceMs ? skip : null;
}

/** Whether a skip is recent enough to be shown. */
export const isJustBehind = (skip: Skip, positionMs: number): boolean =>
  positionMs >= skip.fromMs && positionMs < skip.toMs + shownForMs;
