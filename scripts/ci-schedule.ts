import { minute } from '#base/duration.ts';

/** A suite of the CI run. */
export interface CiSuite {
  command: readonly string[];
  /** How long the suite takes on two cores, in minutes. */
  minutes: number;
  /** How many more minutes it may run if the run has them. The total is passed as `--minutes`. */
  extraMinutes?: number;
  /** Whether it is part of every run. */
  isRequired?: boolean;
  /** What it tests. A change of these files makes it part of the run, as long as it fits. */
  covers?: readonly RegExp[];
}

export interface CiPlan {
  run: CiSuite[];
  /** Suites whose turn is another run. */
  later: CiSuite[];
}

/** Every suite that does not fit into each run has its turn in one of so many runs. */
const turns = 3;

export const minutesOf = (suites: readonly CiSuite[]): number =>
  suites.reduce((sum, { minutes }) => sum + minutes, 0);

const isChanged = ({ covers = [] }: CiSuite, changedFiles: readonly string[]): boolean =>
  covers.some((pattern) => changedFiles.some((file) => pattern.test(file)));

/**
 * Chooses the suites of a run: those of every run, even if they need more time; then, as many as fit into
 * `totalMinutes`, those whose turn it is by the number of commits, those that cover changed files, and the others. The
 * suites are ordered by risk, and run in this order.
 */
export function planSuites(
  suites: readonly CiSuite[],
  {
    commitCount,
    changedFiles,
    totalMinutes,
  }: { commitCount: number; changedFiles: readonly string[]; totalMinutes: number },
): CiPlan {
  const chosen = new Set(suites.filter((suite) => suite.isRequired === true));
  const others = suites.filter((suite) => suite.isRequired !== true);
  const isDue = (suite: CiSuite): boolean => others.indexOf(suite) % turns === commitCount % turns;
  const changed = others.filter((suite) => isChanged(suite, changedFiles));
  for (const suite of [...others.filter(isDue), ...changed, ...others])
    if (!chosen.has(suite) && minutesOf([...chosen]) + suite.minutes <= totalMinutes) chosen.add(suite);
  return {
    run: suites.filter((suite) => chosen.has(suite)),
    later: suites.filter((suite) => !chosen.has(suite)),
  };
}

/** A suite that hangs is ended after this multiple of its usual duration. */
const timeoutFactor = 3;

/**
 * The command of a suite with its share of the spare time, and when it is ended.
 * @param spareMinutes what the plan leaves of the run's time
 */
export function commandOf(
  { command, minutes, extraMinutes = 0 }: CiSuite,
  spareMinutes: number,
): { command: string[]; timeoutMs: number } {
  const granted = minutes + Math.max(0, Math.min(extraMinutes, Math.floor(spareMinutes)));
  return {
    command: extraMinutes > 0 ? [...command, '--minutes', String(granted)] : [...command],
    timeoutMs: granted * timeoutFactor * minute,
  };
}
