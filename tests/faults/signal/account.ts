import type { Piece } from './hear-codes.ts';

export interface NamedGap {
  atMs: number;
  durationMs: number;
  cause: string;
}

/** What a recording owes: all that was captured is heard or named. */
export interface Account {
  /** Length of the recording's timeline. */
  timelineMs: number;
  /** Signal that is heard. */
  storedMs: number;
  namedGapsMs: number;
  /** Time that is neither heard nor named, beyond what the measurement can see. */
  unexplainedMs: number;
  /** The longest single break, named or not, that the machine itself does not answer for. */
  worstLossMs: number;
  /** Sound heard again or out of order. */
  repeatedMs: number;
  /** What was found, in words, for a person who reads a failure. */
  findings: string[];
}

/**
 * What the measurement can tell apart: borders of codes are found to about 10 ms on each side, and Opus
 * smears them by a frame.
 */
export const toleranceMs = 40;

/** A device that was opened again begins its file again: its codes are near zero. */
const isFreshStart = (piece: Piece): boolean => piece.fromMs + piece.offsetMs < 1200;

/**
 * The gap that the death of a page leaves behind the sound is a bound, made for a cut of the power: what was
 * really lost is what counts.
 */
function measuredTail(gaps: NamedGap[], lastMs: number, expectedEndMs: number): NamedGap[] {
  const lostMs = Math.max(0, expectedEndMs - lastMs);
  return gaps.map((gap) =>
    gap.cause === 'page-killed' && gap.atMs >= lastMs - toleranceMs
      ? { ...gap, durationMs: Math.min(gap.durationMs, lostMs) }
      : gap,
  );
}

/**
 * What a busy machine makes the page's own audio thread miss is named `unknown` and short, and no fault's
 * doing.
 */
const machineMs = 100;

function namedWithin(gaps: NamedGap[], fromMs: number, toMs: number): number {
  return gaps
    .filter(({ atMs, durationMs }) => atMs + durationMs >= fromMs - 250 && atMs <= toMs + 250)
    .reduce((sum, gap) => sum + gap.durationMs, 0);
}

/** What lies between two stretches: silence in the recording, and signal that is missing. */
interface Break {
  fromMs: number;
  toMs: number;
  holeMs: number;
  missingMs: number;
  isRestart: boolean;
}

function breakBetween(before: Piece, after: Piece): Break {
  const holeMs = Math.max(0, after.fromMs - before.toMs);
  const missingMs = after.fromMs + after.offsetMs - (before.toMs + before.offsetMs);
  return {
    fromMs: before.toMs,
    toMs: after.fromMs,
    holeMs,
    missingMs,
    isRestart: isFreshStart(after) && missingMs < 0,
  };
}

const breaksIn = (pieces: Piece[]): Break[] =>
  pieces.slice(1).map((after, i) => breakBetween(pieces[i] ?? after, after));

/**
 * Whether the machine answers for a gap: a short one, or one of any length in which the mock microphone, a
 * timer, gave nothing. Its signal stands still then: it goes on after the silence where it was before, and of
 * what was given nothing is missing.
 */
function isMachine({ cause, atMs, durationMs }: NamedGap, breaks: Break[]): boolean {
  if (cause !== 'unknown') return false;
  const isSilenceOf = ({ fromMs, holeMs }: Break) =>
    Math.abs(atMs - fromMs) <= toleranceMs && Math.abs(durationMs - holeMs) <= toleranceMs;
  return (
    durationMs <= machineMs ||
    breaks.some((silence) => isSilenceOf(silence) && Math.abs(silence.missingMs) <= toleranceMs)
  );
}

/**
 * Holds what is heard against what is named. `expectedEndMs` is where the capture stood when it ended, on the
 * recording's timeline.
 */
export function balance(
  pieces: Piece[],
  named: NamedGap[],
  { timelineMs, expectedEndMs }: { timelineMs: number; expectedEndMs: number },
): Account {
  const lastMs = pieces.at(-1)?.toMs ?? 0;
  const gaps = measuredTail(named, lastMs, expectedEndMs);
  const breaks = breaksIn(pieces);
  const machines = gaps.filter((gap) => isMachine(gap, breaks));
  const account: Account = {
    timelineMs,
    storedMs: pieces.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
    namedGapsMs: gaps.reduce((sum, gap) => sum + gap.durationMs, 0),
    unexplainedMs: 0,
    worstLossMs: Math.max(0, ...gaps.filter((gap) => !machines.includes(gap)).map((gap) => gap.durationMs)),
    repeatedMs: 0,
    findings: [],
  };
  const lose = (lossMs: number, [fromMs, toMs]: [number, number], where: string) => {
    const namedMs = namedWithin(gaps, fromMs, toMs);
    const faultMs = lossMs - namedWithin(machines, fromMs, toMs);
    account.worstLossMs = Math.max(account.worstLossMs, faultMs <= toleranceMs ? 0 : faultMs);
    const unexplainedMs = lossMs - namedMs;
    if (unexplainedMs <= toleranceMs) return;
    account.unexplainedMs += unexplainedMs;
    account.findings.push(`${Math.round(unexplainedMs)} ms unexplained ${where}`);
  };
  for (const { fromMs, toMs, holeMs, missingMs, isRestart } of breaks) {
    const lossMs = isRestart ? holeMs : Math.max(holeMs, missingMs);
    lose(lossMs, [fromMs, toMs], `at ${Math.round(fromMs)} ms`);
    if (!isRestart && missingMs < -toleranceMs) {
      account.repeatedMs -= missingMs;
      account.findings.push(`${Math.round(-missingMs)} ms heard again at ${Math.round(toMs)} ms`);
    }
  }
  lose(Math.max(0, expectedEndMs - lastMs), [lastMs, expectedEndMs], 'at the end');
  return account;
}
