import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { namedBrowsers } from '../tests/support/find-browser.ts';
import { buildWeb } from './build-web.ts';
import { checks, runChecks } from './check.ts';
import { initialSizes, largestCatalogueKb, sizeBudgets } from './initial-sizes.ts';
import { add, nothing, playwrightTally, printClosing, withExit, type Tally } from './summary.ts';
import { runVitest } from './vitest-suite.ts';

function run(program: string, args: string[], environment: Record<string, string> = {}): boolean {
  return spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...environment } }).status === 0;
}

/** The built app stays within what a first visit may cost. */
function sizes(): Tally {
  const { javaScriptKb, cssKb } = initialSizes();
  const measured = [['initial JavaScript', javaScriptKb, sizeBudgets.javaScriptKb], ['CSS', cssKb, sizeBudgets.cssKb], ['largest catalogue part', largestCatalogueKb(), sizeBudgets.catalogueKb]] as const;
  const fits = measured.every(([, kb, budgetKb]) => kb <= budgetKb);
  console.log(`${fits ? 'ok  ' : 'FAIL'} ${measured.map(([name, kb, budgetKb]) => `${name} ${kb.toFixed(1)} of ${budgetKb} kB`).join(', ')} (gzip)`);
  return fits ? { ...nothing, passed: 1 } : { ...nothing, failed: 1, failures: ['sizes of a first visit'] };
}

async function browser(): Promise<Tally> {
  console.log(namedBrowsers());
  const ok = run('playwright', ['test']);
  return withExit(playwrightTally('.cache/e2e.json'), ok, 'playwright');
}

/** Runs everything; 0 when nothing failed. Prints what failed by name, and `N passed, N failed, N skipped` as its last line. */
export async function runEverything(): Promise<number> {
  mkdirSync('.cache', { recursive: true });
  rmSync('.cache/e2e.json', { force: true });
  const failedChecks = runChecks();
  const checked: Tally = { passed: checks.length - failedChecks.length, failed: failedChecks.length, skipped: 0, failures: failedChecks.map((name) => `check of ${name}`) };
  let total = add(nothing, checked);
  total = add(total, await runVitest({ name: 'unit' }));
  await buildWeb();
  total = add(total, sizes());
  total = add(total, await browser());
  return printClosing(total);
}
