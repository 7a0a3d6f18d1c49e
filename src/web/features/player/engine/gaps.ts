import type { Gap } from '#contract/recordings.ts';
import { second } from '#base/duration.ts';

export type { Gap } from '#contract/recordings.ts';

/** A gap shorter than this passes like a breath: it is neither jumped over nor told while playing. */
export const noticedGapMs = 300;
/** A seek may land this much before the moment it was sent to. */
const seekToleranceMs = 20;
const shownForMs = 4 * second;

const endOf = ({ atMs, durationMs }: Gap): number => atMs + durationMs;

/** The gap that a position lies in, the longest where several overlap; null where there is sound. */
export function gapAt(gaps: readonly Gap[], positionMs: number): Gap | null {
  const around = gaps.filter((gap) => positionMs >= gap.atMs && positionMs < endOf(gap) - seekToleranceMs);
  return around.toSorted((a, b) => b.durationMs - a.durationMs)[0] ?? null;
}

/** A jump over a gap and those that follow it without sound between. */
export interface Skip {
  /** The longest of them: the one that is told. */
  gap: Gap;
  fromMs: number;
  toMs: number;
}

/** The jump to be made at a position, at most to the end of the recording; null where nothing is skipped. */
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

/** Whether a jump lies so little behind that it is still worth telling. */
export const isJustBehind = (skip: Skip, positionMs: number): boolean =>
  positionMs >= skip.fromMs && positionMs < skip.toMs + shownForMs;
