import { allKinds } from '#tests/faults/kinds/all-kinds.ts';
import { readOptions } from '#tests/faults/run/options.ts';
import { runAndReport } from '#tests/faults/run/run-all.ts';
import { Random } from '#tests/faults/world/random.ts';
import { buildWeb } from './build-web.ts';
import { printClosing } from './summary.ts';

// `npm run soak -- --runs 200 [--seed N] [--kinds 2,7]`: random kinds at random moments, all from one printed
// seed.
const { runs, seed, kinds } = readOptions(process.argv.slice(2));
console.log(`Seed ${seed}`);
await buildWeb();
const random = new Random(seed);
const chosen = allKinds.filter(({ number }) => kinds === null || kinds.includes(number));
const jobs = Array.from({ length: runs ?? 200 }, () => ({
  kind: random.pick(chosen),
  seed: random.between(1, 1_000_000_000),
}));
process.exit(
  printClosing(
    await runAndReport(
      jobs.map((job) => [job]),
      { file: '.cache/soak.json', seed },
    ),
  ),
);
