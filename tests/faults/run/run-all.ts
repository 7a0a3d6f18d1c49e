import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { minute } from '#base/duration.ts';
import type { Tally } from '#scripts/summary.ts';
import type { FaultKind, Outcome } from '#tests/faults/kinds/outcome.ts';
import { JobQueue, typicalMsOf, type Job } from './job-queue.ts';
import { blankOutcome, lineOf, runKind, tableOf } from './run-kind.ts';

export interface RunsTogether {
  /**
   * When everything must be over. A run that would not fit at twice its usual duration is not started; one that
   * has not ended by then has failed.
   */
  endsAtMs?: number;
  /**
   * Repeats a failed run once with its seed; if it then passes, it is flaky. Unexplained loss is never repeated.
   */
  repeats?: boolean;
  /** How many slots for parallel runs there are. A run mostly waits: for a take to last, for a fault to pass. */
  places?: number;
}

const defaultPlaces = (): number => Math.min(2 * availableParallelism(), 8);

const notStarted = ({ kind, seed }: Job): Outcome => ({
  ...blankOutcome(kind, seed),
  skipped: 'the time for this suite was up',
});

/**
 * Starts the slow preparations immediately. Returns whether a kind is ready, and calls `onReady` when another one
 * is. The run itself reports a failed preparation.
 */
function prepareAll(kinds: Set<FaultKind>, onReady: () => void): (kind: FaultKind) => boolean {
  const preparing = new Set([...kinds].filter((kind) => kind.prepare !== undefined));
  for (const kind of preparing) {
    void kind
      .prepare?.()
      .catch(() => undefined)
      .finally(() => {
        preparing.delete(kind);
        onReady();
      });
  }
  return (kind) => !preparing.has(kind);
}

/** Whether a failed run may be repeated: never if audio is missing without a gap. */
const mayRepeat = ({ findings, unexplainedMs }: Outcome): boolean =>
  findings.length > 0 && unexplainedMs === 0;

/** Runs one job. With `repeats`, a run that failed without unexplained loss is repeated once with its seed. */
async function runJob(
  job: Job,
  { endsAtMs, repeats }: { endsAtMs: number; repeats: boolean },
): Promise<Outcome> {
  const hasTime = () => Date.now() + 2 * typicalMsOf(job.kind) <= endsAtMs;
  if (!hasTime()) return notStarted(job);
  const first = await runKind(job.kind, job.seed, endsAtMs);
  if (!repeats || !mayRepeat(first) || !hasTime()) return first;
  console.log(lineOf(first));
  const second = await runKind(job.kind, job.seed, endsAtMs);
  return second.findings.length > 0 ? second : { ...second, flaky: first.findings.join('; ') };
}

/**
 * Runs jobs in rounds, in parallel as far as their slots allow. Jobs that no longer fit into the time are reported
 * as skipped.
 */
export async function runJobs(
  rounds: Job[][],
  { endsAtMs = Infinity, repeats = false, places = defaultPlaces() }: RunsTogether = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = new JobQueue(rounds, places);
  let wake: () => void = () => undefined;
  const isReady = prepareAll(new Set(rounds.flat().map(({ kind }) => kind)), () => {
    wake();
  });
  const start = async (job: Job) => {
    const outcome = await runJob(job, { endsAtMs, repeats });
    outcomes.push(outcome);
    console.log(lineOf(outcome));
    queue.end(job);
    wake();
  };
  const running = new Set<Promise<void>>();
  while (!queue.isEmpty) {
    const change = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const job = queue.take(isReady);
    if (job) {
      const run = start(job).finally(() => {
        running.delete(run);
      });
      running.add(run);
    } else {
      await change;
    }
  }
  await Promise.all(running);
  return outcomes;
}

/** Prints the table, writes every run to a file and returns the tally. */
function report(
  outcomes: Outcome[],
  { file, seed, wallMs }: { file: string; seed: number; wallMs: number },
): Tally {
  mkdirSync('.cache', { recursive: true });
  writeFileSync(file, JSON.stringify({ seed, wallMs, outcomes }, null, 2));
  const failures = outcomes.filter(({ findings }) => findings.length > 0);
  const skipped = outcomes.filter((outcome) => outcome.skipped !== null).length;
  const tally = {
    passed: outcomes.length - failures.length - skipped,
    failed: failures.length,
    skipped,
    failures: failures.map(lineOf),
    flaky: outcomes.flatMap((outcome) =>
      outcome.flaky === null ? [] : [`${outcome.kind} (seed ${outcome.seed}): ${outcome.flaky}`],
    ),
  };
  console.log(
    `\nSeed ${seed}; ${outcomes.length} runs in ${(wallMs / minute).toFixed(1)} minutes\n${tableOf(outcomes)}\n`,
  );
  return tally;
}

/** Runs jobs in rounds and reports on them, with their total duration. */
export async function runAndReport(
  rounds: Job[][],
  { file, seed, ...together }: RunsTogether & { file: string; seed: number },
): Promise<Tally> {
  const startedAtMs = Date.now();
  const outcomes = await runJobs(rounds, together);
  return report(outcomes, { file, seed, wallMs: Date.now() - startedAtMs });
}
