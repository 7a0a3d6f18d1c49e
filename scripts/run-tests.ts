import { mkdirSync } from 'node:fs';
import { minute } from '#base/duration.ts';
import { runBrowserTests } from './browser-suite.ts';
import { buildWeb } from './build-web.ts';
import { checks, runChecks } from './check.ts';
import { initialSizes, largestCatalogueKb, sizeBudgets } from './initial-sizes.ts';
import { add, nothing, printClosing, type Tally } from './summary.ts';
import { runVitest } from './vitest-suite.ts';

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
    ['largest catalogue part', largestCatalogueKb(), sizeBudgets.catalogueKb],
  ] as const;
  const fits = measured.every(([, kb, budgetKb]) => kb <= budgetKb);
  console.log(
    `${fits ? 'ok  ' : 'FAIL'} ${measured.map(([name, kb, budgetKb]) => `${name} ${kb.toFixed(1)} of ${budgetKb} kB`).join(', ')} (gzip)`,
  );
  return fits ? { ...nothing, passed: 1 } : { ...nothing, failed: 1, failures: ['sizes of a first visit'] };
}

/**
 * Runs the tests of `npm test`, or those of `npm run test:all`. Prints the duration of each part and the closing
 * line. Returns the exit code.
 */
export async function runTests({ everyBrowserTest }: { everyBrowserTest: boolean }): Promise<number> {
  mkdirSync('.cache', { recursive: true });
  const parts: [name: string, run: () => Tally | Promise<Tally>][] = [
    ['checks', check],
    // Before the tests, because those of `npm start` run the built app.
    ['build', buildAndMeasure],
    ['unit and integration tests', () => runVitest({ name: 'unit' })],
    [
      'browser tests',
      () =>
        runBrowserTests({
          config: 'playwright.config.ts',
          report: '.cache/e2e.json',
          args: everyBrowserTest ? [] : ['--grep', '@core'],
        }),
    ],
  ];
  let total = nothing;
  for (const [name, run] of parts) {
    const startedMs = performance.now();
    total = add(total, await run());
    console.log(`${name}: ${((performance.now() - startedMs) / minute).toFixed(1)} min`);
  }
  return printClosing(total);
}
