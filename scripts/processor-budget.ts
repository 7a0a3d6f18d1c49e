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

/** Files with less have times of the size of their unit, a tenth of a second. */
const minComparedSeconds = 0.5;
const minComparedFiles = 20;
/** A machine that is slower than this is not told from tests that became slower. */
const maxSlowness = 3;

/**
 * How much slower this machine is than the one of the accepted times, at least 1: the median of all files, which a
 * change of some of them does not move. Virtual machines differ by a factor of two, also from day to day.
 */
export function slownessOf(times: readonly FileTime[], accepted: Readonly<Record<string, number>>): number {
  const ratios = times
    .flatMap(({ file, processorMs }) => {
      const seconds = accepted[file] ?? 0;
      return seconds >= minComparedSeconds ? [processorMs / 1000 / seconds] : [];
    })
    .sort((a, b) => a - b);
  const median = ratios.length < minComparedFiles ? 1 : (ratios[Math.floor(ratios.length / 2)] ?? 1);
  return Math.min(maxSlowness, Math.max(1, median));
}

/** The files that used more than their budget on a machine of this slowness, each with the sentence to print. */
export function overBudget(
  times: readonly FileTime[],
  {
    budgets = fileBudgets,
    slowness = 1,
  }: { budgets?: Readonly<Record<string, { seconds: number }>>; slowness?: number } = {},
): string[] {
  return times.flatMap(({ file, processorMs }) => {
    const seconds = budgets[file]?.seconds ?? fileBudgetSeconds;
    return processorMs > seconds * 1000 * slowness
      ? [`${file} used ${inSeconds(processorMs / slowness)} of ${seconds} processor seconds`]
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

function printGrowth(
  times: readonly FileTime[],
  accepted: Readonly<Record<string, number>>,
  slowness: number,
): void {
  if (slowness > 1)
    console.log(
      `This machine is ${slowness.toFixed(1)} times as slow as that of the accepted times: its times are divided by that.`,
    );
  const comparable = times.map((time) => ({ ...time, processorMs: time.processorMs / slowness }));
  for (const { file, fromMs, toMs } of grownMost(comparable, accepted))
    console.log(`  grew from ${inSeconds(fromMs)} to ${inSeconds(toMs)} s  ${file}`);
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
  const accepted = readAccepted();
  const slowness = slownessOf(times, accepted);
  const usedMs = processorMs / slowness;
  printGrowth(times, accepted, slowness);
  const exceeded = overBudget(times, { slowness });
  if (usedMs > totalBudgetSeconds * 1000)
    exceeded.push(
      `unit and integration tests used ${inSeconds(usedMs)} of ${totalBudgetSeconds} processor seconds`,
    );
  for (const line of exceeded) console.log(`OVER ${line}`);
  console.log(
    `${exceeded.length === 0 ? 'ok  ' : 'OVER'} processor time ${inSeconds(usedMs)} of ${totalBudgetSeconds} s`,
  );
  return exceeded.length === 0 || !process.env['CI']
    ? { ...nothing, passed: 1 }
    : { ...nothing, failed: exceeded.length, failures: exceeded };
}
