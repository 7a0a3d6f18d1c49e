import { minute } from '#base/duration.ts';

/** A suite of the CI run. */
export interface CiSuite {
  command: string[];
  /** How long the suite takes on two cores, in minutes. It does not start with less time left. */
  minutes: number;
  /**
   * How many more minutes it may run if time is left. The total is passed as `--minutes`, and the suite runs as
   * much as fits.
   */
  extraMinutes?: number;
  /** Runs however little time is left. */
  isRequired?: boolean;
}

export type Decision = { run: true; command: string[]; timeoutMs: number } | { run: false };

/** A suite that hangs is ended after this multiple of its usual duration. */
const timeoutFactor = 3;

/** One that is not required is also ended when its usual duration has passed after the end of the time. */
const timeoutMsOf = ({ minutes, isRequired = false }: CiSuite, granted: number, leftMs: number): number =>
  Math.min(granted * timeoutFactor * minute, isRequired ? Infinity : leftMs + minutes * minute);

/**
 * Decides whether the next suite starts, with which arguments, and when it is ended. Time that later suites need
 * is not available for extra minutes.
 */
export function scheduleSuite(
  suite: CiSuite,
  { leftMs, later }: { leftMs: number; later: readonly CiSuite[] },
): Decision {
  const { minutes, extraMinutes = 0, isRequired = false } = suite;
  if (!isRequired && leftMs < minutes * minute) return { run: false };
  const spareMinutes =
    Math.floor(leftMs / minute) - minutes - later.reduce((sum, other) => sum + other.minutes, 0);
  const granted = minutes + Math.max(0, Math.min(extraMinutes, spareMinutes));
  const command = extraMinutes > 0 ? [...suite.command, '--minutes', String(granted)] : suite.command;
  return { run: true, command, timeoutMs: timeoutMsOf(suite, granted, leftMs) };
}
