import { minute } from '#base/duration.ts';
import { allKinds } from '#tests/faults/kinds/all-kinds.ts';
import { engineFaults, notTried } from '#tests/faults/kinds/engine-faults.ts';
import type { FaultKind } from '#tests/faults/kinds/outcome.ts';
import type { Job } from '#tests/faults/run/job-queue.ts';
import { readOptions, type RunOptions } from '#tests/faults/run/options.ts';
import { runAndReport } from '#tests/faults/run/run-all.ts';
import { processTree, signalAll } from '#tests/faults/world/process-tree.ts';
import { Random } from '#tests/faults/world/random.ts';
import { buildWeb } from './build-web.ts';
import { timeSoFar } from './elapsed.ts';
import { runCommand } from './run-command.ts';
import { withExit, type Tally } from './summary.ts';

/** In rounds: when time is short, every kind runs once before any runs twice. */
function chromiumRounds(kinds: FaultKind[], { runs, seed, isExact }: RunOptions): Job[][] {
  return Array.from({ length: isExact ? 1 : (runs ?? 3) }, (_, round) =>
    kinds.map((kind) => ({ kind, seed: isExact ? seed : (seed + round * 1000 + kind.number) >>> 0 })),
  );
}

/** The faults in other engines run once. The seed decides their order, and what each does. */
function engineRounds(kinds: FaultKind[], { seed }: RunOptions): Job[][] {
  for (const line of notTried) console.log(`not tried: ${line}`);
  const random = new Random(seed);
  return kinds
    .map((kind) => ({ kind, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ kind }) => [{ kind, seed }]);
}

/**
 * Runs every kind of fault several times, each with a different seed. The arguments are those of `readOptions`, such
 * as `--runs 3 --seed N --kinds 2,7 --exact --minutes 20`, or `--engines --minutes 8`.
 */
export async function runFaultSuite(args: readonly string[]): Promise<Tally> {
  const options = readOptions([...args]);
  const { seed, kinds, minutes, only, isInEngines } = options;
  const endsAtMs = minutes === null ? Infinity : Date.now() + minutes * minute;
  const harness = await runCommand(['vitest', 'run', '--config', 'tests/faults/vitest.config.ts'], {
    prefix: timeSoFar,
  });
  await buildWeb();
  const chosen = (isInEngines ? engineFaults : allKinds).filter(
    ({ number, name }) => (kinds === null || kinds.includes(number)) && name.includes(only),
  );
  const tally = await runAndReport((isInEngines ? engineRounds : chromiumRounds)(chosen, options), {
    file: `.cache/${isInEngines ? 'engine-faults' : 'faults'}.json`,
    seed,
    endsAtMs,
    repeats: Boolean(process.env['CI']),
  });
  // An aborted run may have left a server or a browser behind.
  signalAll(
    processTree(process.pid)
      .slice(1)
      .map(({ pid }) => pid),
    'SIGKILL',
  );
  return withExit(tally, harness.status === 0, 'vitest (the tests of the fault suite itself)');
}
