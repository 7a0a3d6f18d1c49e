import { mkdirSync } from 'node:fs';
import { minute } from '#base/duration.ts';
import { tierVariable } from '#tests/tiers.ts';
import { runBrowserTests } from './browser-suite.ts';
import { buildWeb } from './build-web.ts';
import { checks, runChecks } from './check.ts';
import { initialSizes, maxCatalogueKb, printLargestParts, sizeBudgets } from './initial-sizes.ts';
import { browserToTestWith, describeMachine } from './machine.ts';
import { compareWithBudgets } from './processor-budget.ts';
import { isSuiteName, suites } from './suites.ts';
import { add, nothing, printClosing, type Tally } from './summary.ts';
import { runVitest } from './vitest-suite.ts';

type Part = [name: string, run: () => Tally | Promise<Tally>];

async function check(): Promise<Tally> {
  const failed = await runChecks();
  return {
    ...nothing,
    passed: checks.length - failed.length,
    failed: failed.length,
    failures: failed.map((name) => `check of ${name}`),
  };
}

/** Builds the app and compares the sizes of a first visit with their budgets. */
async function buildAndMeasure(): Promise<Tally> {
  await buildWeb();
  const { javaScriptKb, cssKb } = initialSizes();
  const measured = [
    ['initial JavaScript', javaScriptKb, sizeBudgets.javaScriptKb],
    ['CSS', cssKb, sizeBudgets.cssKb],
    ['largest catalogue part', maxCatalogueKb(), sizeBudgets.catalogueKb],
  ] as const;
  const fits = measured.every(([, kb, budgetKb]) => kb <= budgetKb);
  console.log(
    `${fits ? 'ok  ' : 'FAIL'} ${measured.map(([name, kb, budgetKb]) => `${name} ${kb.toFixed(1)} of ${budgetKb} kB`).join(', ')} (gzip)`,
  );
  printLargestParts();
  return fits ? { ...nothing, passed: 1 } : { ...nothing, failed: 1, failures: ['sizes of a first visit'] };
}

/** The tests of `npm test`, and a comparison of their processor time with its budgets. */
async function coreUnitTests(acceptTimes: boolean): Promise<Tally> {
  const run = await runVitest({ name: 'unit', env: { [tierVariable]: 'core' } });
  return add(run.tally, compareWithBudgets(run, { acceptTimes }));
}

function browserTests(args: readonly string[]): Promise<Tally> {
  if (browserToTestWith() === null) return Promise.resolve({ ...nothing, skipped: 1 });
  return runBrowserTests({ config: 'playwright.config.ts', report: '.cache/e2e.json', args });
}

/** The parts of `npm test` or, with `isWhole`, of `npm run test:all`. */
function partsOf({ isWhole, acceptTimes }: { isWhole: boolean; acceptTimes: boolean }): Part[] {
  return [
    ['checks', check],
    // Before the tests, because those of `npm start` run the built app.
    ['build', buildAndMeasure],
    ['unit and integration tests', () => (isWhole ? suites.unit([]) : coreUnitTests(acceptTimes))],
    ['browser tests', () => browserTests(isWhole ? [] : ['--grep', '@core'])],
  ];
}

async function runParts(parts: readonly Part[]): Promise<Tally> {
  let total = nothing;
  for (const [index, [name, run]] of parts.entries()) {
    console.log(`\n${name} (part ${index + 1} of ${parts.length})`);
    const startedMs = performance.now();
    total = add(total, await run());
    console.log(`${name}: ${((performance.now() - startedMs) / minute).toFixed(1)} min`);
  }
  console.log(`all parts: ${(process.uptime() / 60).toFixed(1)} min`);
  return total;
}

/**
 * Runs the tests of `npm test` (`core`), those of `npm run test:all` (`all`), or one of the suites. Prints the
 * closing line last. Returns the exit code.
 * @param args those of the suite; for `core`, `--accept-times` stores the processor times as the accepted ones
 */
export async function runTests(name: string, args: readonly string[]): Promise<number> {
  mkdirSync('.cache', { recursive: true });
  if (isSuiteName(name)) return printClosing(await suites[name](args));
  if (name !== 'core' && name !== 'all') {
    console.error(
      `There is no suite "${name}". The suites are: core, all, ${Object.keys(suites).join(', ')}.`,
    );
    return 1;
  }
  describeMachine();
  return printClosing(
    await runParts(partsOf({ isWhole: name === 'all', acceptTimes: args.includes('--accept-times') })),
  );
}
