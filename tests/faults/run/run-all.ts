import { mkdirSync, writeFileSync } from 'node:fs';
import type { FaultKind, Outcome } from '../kinds/outcome.ts';
import { blankOutcome, lineOf, runKind, tableOf } from './run-kind.ts';

export interface Job { kind: FaultKind; seed: number }

/** When it is too late to begin another run. */
export interface Deadline { endsAtMs: number }

const notBegun = ({ kind, seed }: Job): Outcome => ({ ...blankOutcome(kind, seed), skipped: 'the time for this suite was up' });

/** Runs jobs, at most so many side by side; a kind that needs the machine for itself runs when nothing else does. What is not begun in time is skipped and says so. */
export async function runJobs(jobs: Job[], beside: number, { endsAtMs }: Deadline = { endsAtMs: Infinity }): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const work = async (queue: Job[]) => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      const outcome = Date.now() < endsAtMs ? await runKind(job.kind, job.seed) : notBegun(job);
      outcomes.push(outcome);
      console.log(lineOf(outcome));
    }
  };
  const shared = jobs.filter(({ kind }) => !kind.isAlone);
  await Promise.all(Array.from({ length: beside }, () => work(shared)));
  await work(jobs.filter(({ kind }) => kind.isAlone));
  return outcomes;
}

/** Prints the table, writes every run to a file, and answers with the closing counts. */
export function report(outcomes: Outcome[], { file, seed }: { file: string; seed: number }): { passed: number; failed: number; skipped: number } {
  mkdirSync('.cache', { recursive: true });
  writeFileSync(file, JSON.stringify({ seed, outcomes }, null, 2));
  const skipped = outcomes.filter((outcome) => outcome.skipped !== null).length;
  const failed = outcomes.filter(({ findings }) => findings.length > 0).length;
  const counts = { passed: outcomes.length - failed - skipped, failed, skipped };
  console.log(`\nSeed ${seed}\n${tableOf(outcomes)}\n`);
  for (const outcome of outcomes.filter(({ findings }) => findings.length > 0)) console.log(`failed: ${lineOf(outcome)}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts;
}
