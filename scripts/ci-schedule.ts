import { minute } from '#base/duration.ts';

/** A suite of the CI run. */
export interface CiSuite {
  command: string[];
  /** How long the suite takes on two cores, in minutes. It is not started with less time left. */
  minutes: number;
  /**
   * How much longer it may run where time is left, in minutes: it is passed as `--minutes`, and the suite
   * does as much as fits.
   */
  extraMinutes?: number;
  /** Runs whatever the time. */
  isRequired?: boolean;
}

export type Decision = { run: true; command: string[]; timeoutMs: number } | { run: false };

/** A suite that hangs is ended after this many times its usual duration. */
const timeoutFactor = 3;

/**
 * Decides whether the next suite starts, with which arguments, and when it is ended. Later suites have first
 * claim on the time that extra minutes could use.
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
  return { run: true, command, timeoutMs: granted * timeoutFactor * minute };
}
