import { missingMsOf } from '#contract/gap-summary.ts';
import type { Piece } from './read-codes.ts';

export interface NamedGap {
  atMs: number;
  durationMs: number;
  cause: string;
  /** Audio that is missing at `atMs` and takes no time. */
  cutMs?: number | undefined;
}

export const missingMsIn = (gaps: readonly NamedGap[]): number =>
  gaps.reduce((sum, gap) => sum + missingMsOf(gap), 0);

/** The account of a recording: all captured audio must be stored or in a named gap. */
export interface Account {
  /** Length of the recording's timeline. */
  timelineMs: number;
  /** Length of the signal found in the recording. */
  storedMs: number;
  namedGapsMs: number;
  /** Time that is neither stored nor named, beyond the measurement's tolerance. */
  unexplainedMs: number;
  /** The longest single break, named or not, that the test machine itself did not cause. */
  worstLossMs: number;
  /** Audio that is repeated or out of order. */
  repeatedMs: number;
  /** The findings as text, for the developer who reads a failure. */
  findings: string[];
}

/**
 * The tolerance of the measurement: code borders are located to about 10 ms on each side, and Opus smears them by
 * a frame.
 */
export const toleranceMs = 40;

/** A reopened device starts its file again, so its codes are near zero. */
const isFreshStart = (piece: Piece): boolean => piece.fromMs + piece.offsetMs < 1200;

/** A killed page's gap at the end is an upper bound for a power cut. Only the audio that was really lost counts. */
function measuredTail(gaps: NamedGap[], lastMs: number, expectedEndMs: number): NamedGap[] {
  const lostMs = Math.max(0, expectedEndMs - lastMs);
  return gaps.map((gap) =>
    gap.cause === 'page-killed' && gap.atMs >= lastMs - toleranceMs
      ? { ...gap, durationMs: Math.min(gap.durationMs, lostMs) }
      : gap,
  );
}

/**
 * A busy machine makes the page's audio thread miss some audio. Such a gap is short, has the cause `unknown`, and
 * is not the fault's doing.
 */
const machineMs = 100;

/** How far from a loss its gap may be, and a gap that takes no time (decision 0120). */
const defaultPlaceMs = 250;
const cutPlaceMs = 500;

function namedWithin(gaps: NamedGap[], [fromMs, toMs]: [number, number], placeMs = 0): number {
  const near = gaps.filter((gap) => {
    const reachMs = Math.max(placeMs, gap.cutMs === undefined ? defaultPlaceMs : cutPlaceMs);
    return gap.atMs + gap.durationMs >= fromMs - reachMs && gap.atMs <= toMs + reachMs;
  });
  return missingMsIn(near);
}

/** The break between two pieces: silence in the recording, and missing signal. */
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
 * Whether the test machine caused a gap: a short one, or one of any length in which the fake microphone, a timer,
 * delivered nothing. Its signal then stops and resumes after the silence where it was, with nothing missing.
 */
function isMachine({ cause, atMs, durationMs, cutMs = 0 }: NamedGap, breaks: Break[]): boolean {
  if (cause !== 'browser-busy' && cause !== 'unknown') return false;
  const isSilenceOf = ({ fromMs, holeMs }: Break) =>
    Math.abs(atMs - fromMs) <= toleranceMs && Math.abs(durationMs - holeMs) <= toleranceMs;
  return (
    durationMs + cutMs <= machineMs ||
    breaks.some((silence) => isSilenceOf(silence) && Math.abs(silence.missingMs) <= toleranceMs)
  );
}

/**
 * Compares the stored signal with the named gaps. `expectedEndMs` is the captured length by the clock when the capture
 * ended. On the recording's timeline it is less by the losses that take no time. `placeMs` is how far from its place a
 * loss may be named, if that is more than usual.
 */
export function balance(
  pieces: Piece[],
  named: NamedGap[],
  {
    timelineMs,
    expectedEndMs: clockEndMs,
    placeMs = 0,
  }: { timelineMs: number; expectedEndMs: number; placeMs?: number },
): Account {
  const expectedEndMs = named.reduce((endMs, { cutMs = 0 }) => endMs - cutMs, clockEndMs);
  const lastMs = pieces.at(-1)?.toMs ?? 0;
  const gaps = measuredTail(named, lastMs, expectedEndMs);
  const breaks = breaksIn(pieces);
  const machines = gaps.filter((gap) => isMachine(gap, breaks));
  const account: Account = {
    timelineMs,
    storedMs: pieces.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
    namedGapsMs: missingMsIn(gaps),
    unexplainedMs: 0,
    worstLossMs: Math.max(0, ...gaps.filter((gap) => !machines.includes(gap)).map(missingMsOf)),
    repeatedMs: 0,
    findings: [],
  };
  const lose = (lossMs: number, [fromMs, toMs]: [number, number], where: string) => {
    const namedMs = namedWithin(gaps, [fromMs, toMs], placeMs);
    const faultMs = lossMs - namedWithin(machines, [fromMs, toMs], placeMs);
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
