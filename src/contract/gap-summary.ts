import { second } from '#base/duration.ts';
import type { Gap, GapCause } from './recordings.ts';

/** Recordings with less missing sound than this are called complete; their gaps are in the details. */
const negligibleMs = 100;
/** Pieces of lost sound shorter than this are listed together. */
const shortPieceMs = 300;
/** Pieces further apart than this are listed as two stretches. */
const maxBetweenPiecesMs = 15 * second;

/** What the gaps of a recording add up to. */
export interface GapSummary {
  /** Whether the recording is called complete: nothing is missing, or less than a tenth of a second. */
  isComplete: boolean;
  /** Overlapping gaps are counted once. */
  missingMs: number;
  /** How much of the recording's own time is without sound: less than `missingMs` if some of it takes no time. */
  silentMs: number;
  /** Number of places where sound is missing. Gaps that touch are one place. */
  places: number;
  /** Why sound is missing; null if nothing is, or if there are several causes. */
  cause: GapCause | null;
}

type Span = Readonly<Gap>;

/** How much sound is missing in a gap, whether it takes time in the recording or not. */
export const missingMsOf = ({
  durationMs,
  cutMs = 0,
}: {
  durationMs: number;
  cutMs?: number | undefined;
}): number => durationMs + cutMs;

const endOf = ({ atMs, durationMs }: Pick<Span, 'atMs' | 'durationMs'>): number => atMs + durationMs;
const inOrder = (gaps: readonly Span[]): Span[] => gaps.toSorted((a, b) => a.atMs - b.atMs);

/** Decides for every screen and document whether a recording is complete, and if not how much is missing and why. */
export function summarizeGaps(gaps: readonly Span[]): GapSummary {
  let [silentMs, cutMs, places, endMs] = [0, 0, 0, -Infinity];
  for (const gap of inOrder(gaps)) {
    if (gap.atMs > endMs) places += 1;
    silentMs += Math.max(0, endOf(gap) - Math.max(gap.atMs, endMs));
    cutMs += gap.cutMs ?? 0;
    endMs = Math.max(endMs, endOf(gap));
  }
  const [cause = null, ...others] = new Set(gaps.map((gap) => gap.cause));
  const missingMs = silentMs + cutMs;
  return {
    isComplete: missingMs < negligibleMs,
    missingMs,
    silentMs,
    places,
    cause: others.length === 0 ? cause : null,
  };
}

/** A gap as it is listed: one gap, or many small ones close to each other. */
export interface ListedGap extends Gap {
  /** The small gaps of a stretch; a single one otherwise. */
  pieces: readonly Gap[];
  /** How much is missing in all pieces. */
  missingMs: number;
  /** Where the last piece ends. */
  untilMs: number;
}

const isPiece = (gap: Span): boolean => gap.cause === 'browser-busy' && missingMsOf(gap) < shortPieceMs;

/** The gaps in order of time. Small pieces that a busy browser lost close to each other are one entry. */
export function listedGaps(gaps: readonly Span[]): ListedGap[] {
  const listed: ListedGap[] = [];
  for (const gap of inOrder(gaps)) {
    const last = listed.at(-1);
    const isSameStretch =
      last !== undefined &&
      isPiece(gap) &&
      last.pieces.every(isPiece) &&
      gap.atMs - last.untilMs <= maxBetweenPiecesMs;
    if (!isSameStretch)
      listed.push({ ...gap, pieces: [gap], missingMs: missingMsOf(gap), untilMs: endOf(gap) });
    else
      listed[listed.length - 1] = {
        ...last,
        durationMs: last.durationMs + gap.durationMs,
        missingMs: last.missingMs + missingMsOf(gap),
        pieces: [...last.pieces, gap],
        untilMs: Math.max(last.untilMs, endOf(gap)),
      };
  }
  return listed;
}
