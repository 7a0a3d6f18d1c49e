import { spawnSync } from 'node:child_process';
import { minute } from '#base/duration.ts';
import { allKinds } from '#tests/faults/kinds/all-kinds.ts';
import { readOptions } from '#tests/faults/run/options.ts';
import { runAndReport } from '#tests/faults/run/run-all.ts';
import { processTree, signalAll } from '#tests/faults/world/process-tree.ts';
import { buildWeb } from './build-web.ts';
import { printClosing, withExit } from './summary.ts';

// `npm run test:faults [-- --runs 3 --seed N --kinds 2,7 --exact --minutes 20]`: every kind of fault, several
// times, each with a different seed.
const { runs, seed, kinds, isExact, minutes } = readOptions(process.argv.slice(2));
const endsAtMs = minutes === null ? Infinity : Date.now() + minutes * minute;
const harness = spawnSync('vitest', ['run', '--config', 'tests/faults/vitest.config.ts'], {
  stdio: 'inherit',
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
process.exit(
  printClosing(withExit(tally, harness.status === 0, 'vitest (the tests of the fault suite itself)')),
);
