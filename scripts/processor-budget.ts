import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileBudgets, fileBudgetSeconds, totalBudgetSeconds } from '#tests/processor-budgets.ts';
import { readFileTimes, type FileTime } from './processor-times.ts';
import { nothing, type Tally } from './summary.ts';

/** The accepted processor time of each file of `npm test`, in seconds, from an idle machine. */
const acceptedFile = 'tests/processor-times.json';

const inSeconds = (ms: number): string => (ms / 1000).toFixed(1);

function readAccepted(): Record<string, number> {
  return existsSync(acceptedFile)
    ? (JSON.parse(readFileSync(acceptedFile, 'utf8')) as Record<string, number>)
    : {};
}

/** The ten files whose processor time grew most since it was accepted, largest growth first. */
export function grownMost(
  times: readonly FileTime[],
  accepted: Readonly<Record<string, number>>,
): { file: string; fromMs: number; toMs: number }[] {
  return times
    .map(({ file, processorMs }) => ({ file, fromMs: (accepted[file] ?? 0) * 1000, toMs: processorMs }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))
    .slice(0, 10);
}

/** The files that used more than their budget, each with the sentence to print. */
export function overBudget(
  times: readonly FileTime[],
  budgets: Readonly<Record<string, { seconds: number }>> = fileBudgets,
): string[] {
  return times.flatMap(({ file, processorMs }) => {
    const seconds = budgets[file]?.seconds ?? fileBudgetSeconds;
    return processorMs > seconds * 1000
      ? [`${file} used ${inSeconds(processorMs)} of ${seconds} processor seconds`]
      : [];
  });
}

/** Stores the times of this run as the accepted ones. */
function accept(times: readonly FileTime[]): void {
  const rounded = times
    .map(({ file, processorMs }) => [file, Math.round(processorMs / 100) / 10] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(acceptedFile, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`);
}

/**
 * Compares the processor time of the unit and integration tests with its budgets, and prints what grew. Exceeding a
 * budget fails in CI only, because another machine may be slower.
 */
export function compareWithBudgets(
  { processorMs, timesFile }: { processorMs: number | null; timesFile: string },
  { acceptTimes = false }: { acceptTimes?: boolean } = {},
): Tally {
  const times = readFileTimes(timesFile);
  if (processorMs === null || times.length === 0) {
    console.log('Processor time was not measured: this system does not tell it.');
    return { ...nothing, skipped: 1 };
  }
  if (acceptTimes) accept(times);
  for (const { file, fromMs, toMs } of grownMost(times, readAccepted()))
    console.log(`  grew from ${inSeconds(fromMs)} to ${inSeconds(toMs)} s  ${file}`);
  const exceeded = overBudget(times);
  if (processorMs > totalBudgetSeconds * 1000)
    exceeded.push(
      `unit and integration tests used ${inSeconds(processorMs)} of ${totalBudgetSeconds} processor seconds`,
    );
  for (const line of exceeded) console.log(`OVER ${line}`);
  console.log(
    `${exceeded.length === 0 ? 'ok  ' : 'OVER'} processor time ${inSeconds(processorMs)} of ${totalBudgetSeconds} s`,
  );
  return exceeded.length === 0 || !process.env['CI']
    ? { ...nothing, passed: 1 }
    : { ...nothing, failed: exceeded.length, failures: exceeded };
}
