import { minute } from '#base/duration.ts';
import { allKinds } from '#tests/faults/kinds/all-kinds.ts';
import { readOptions } from '#tests/faults/run/options.ts';
import { runAndReport } from '#tests/faults/run/run-all.ts';
import { processTree, signalAll } from '#tests/faults/world/process-tree.ts';
import { buildWeb } from './build-web.ts';
import { timeSoFar } from './elapsed.ts';
import { runCommand } from './run-command.ts';
import { withExit, type Tally } from './summary.ts';

/**
 * Runs every kind of fault several times, each with a different seed. The arguments are those of `readOptions`, such
 * as `--runs 3 --seed N --kinds 2,7 --exact --minutes 20`.
 */
export async function runFaultSuite(args: readonly string[]): Promise<Tally> {
  const { runs, seed, kinds, isExact, minutes } = readOptions([...args]);
  const endsAtMs = minutes === null ? Infinity : Date.now() + minutes * minute;
  const harness = await runCommand(['vitest', 'run', '--config', 'tests/faults/vitest.config.ts'], {
    prefix: timeSoFar,
  });
  await buildWeb();
  const chosen = allKinds.filter(({ number }) => kinds === null || kinds.includes(number));
  // In rounds: when time is short, every kind runs once before any runs twice.
  const rounds = Array.from({ length: isExact ? 1 : (runs ?? 3) }, (_, round) =>
    chosen.map((kind) => ({ kind, seed: isExact ? seed : (seed + round * 1000 + kind.number) >>> 0 })),
  );
  const tally = await runAndReport(rounds, {
    file: '.cache/faults.json',
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
