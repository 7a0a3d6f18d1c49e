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
  /** Whether a slow machine may run one part of it and leave the others to other runs. */
  isDivisible?: boolean;
  /** The part that runs, counted from 1. */
  part?: { number: number; count: number };
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
/** A suite is divided into at most so many parts. */
const maxParts = 4;

export const minutesOf = (suites: readonly CiSuite[]): number =>
  suites.reduce((sum, { minutes }) => sum + minutes, 0);

const isChanged = ({ covers = [] }: CiSuite, changedFiles: readonly string[]): boolean =>
  covers.some((pattern) => changedFiles.some((file) => pattern.test(file)));

/** The suites of every run, with every divisible one reduced to the part whose turn it is. */
function requiredSuites(suites: readonly CiSuite[], count: number, commitCount: number): CiSuite[] {
  const part = { number: (commitCount % count) + 1, count };
  return suites
    .filter((suite) => suite.isRequired === true)
    .map((suite) =>
      suite.isDivisible === true && count > 1 ? { ...suite, minutes: suite.minutes / count, part } : suite,
    );
}

/**
 * Chooses the suites of a run: those of every run, even if they need more time; then, as many as fit into
 * `totalMinutes`, those whose turn it is by the number of commits, those that cover changed files, and the others. If
 * the machine is too slow for those of every run, one part of each divisible suite runs. The suites are ordered by risk,
 * and run in this order.
 * @param slowness how many times as long as on two idle cores the suites take
 */
export function planSuites(
  suites: readonly CiSuite[],
  {
    commitCount,
    changedFiles,
    totalMinutes,
    slowness = 1,
  }: { commitCount: number; changedFiles: readonly string[]; totalMinutes: number; slowness?: number },
): CiPlan {
  const minutes = totalMinutes / slowness;
  let count = 1;
  while (count < maxParts && minutesOf(requiredSuites(suites, count, commitCount)) > minutes) count += 1;
  const required = requiredSuites(suites, count, commitCount);
  const others = suites.filter((suite) => suite.isRequired !== true);
  const isDue = (suite: CiSuite): boolean => others.indexOf(suite) % turns === commitCount % turns;
  const changed = others.filter((suite) => isChanged(suite, changedFiles));
  const chosen = new Set<CiSuite>();
  for (const suite of [...others.filter(isDue), ...changed, ...others])
    if (!chosen.has(suite) && minutesOf([...required, ...chosen]) + suite.minutes <= minutes)
      chosen.add(suite);
  return {
    run: [...required, ...others.filter((suite) => chosen.has(suite))],
    later: others.filter((suite) => !chosen.has(suite)),
  };
}

/** A suite that hangs is ended after this multiple of its usual duration. */
const timeoutFactor = 3;

/**
 * The command of a suite with its part or its share of the spare time, and when it is ended.
 * @param spareMinutes what the plan leaves of the run's time, on two idle cores
 */
export function commandOf(
  { command, minutes, extraMinutes = 0, part }: CiSuite,
  { spareMinutes = 0, slowness = 1 }: { spareMinutes?: number; slowness?: number } = {},
): { command: string[]; timeoutMs: number } {
  const granted = minutes + Math.max(0, Math.min(extraMinutes, Math.floor(spareMinutes)));
  const options = [
    ...(extraMinutes > 0 ? ['--minutes', String(granted)] : []),
    ...(part === undefined ? [] : [`--shard=${part.number}/${part.count}`]),
  ];
  const separator = options.length === 0 || command.includes('--') ? [] : ['--'];
  return {
    command: [...command, ...separator, ...options],
    timeoutMs: granted * slowness * timeoutFactor * minute,
  };
}
