import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { namedBrowsers } from '#tests/support/find-browser.ts';
import { buildWeb } from './build-web.ts';
import { playwrightTally, printClosing, withExit, type Tally } from './summary.ts';

export interface BrowserSuite {
  config: string;
  report: string;
  args?: string[];
}

/** Runs Playwright on the built app. The config must name the same report file. */
export async function runBrowserTests({ config, report, args = [] }: BrowserSuite): Promise<Tally> {
  mkdirSync('.cache', { recursive: true });
  rmSync(report, { force: true });
  await buildWeb();
  console.log(namedBrowsers());
  const { status } = spawnSync('playwright', ['test', '--config', config, ...args], { stdio: 'inherit' });
  return withExit(playwrightTally(report), status === 0, 'playwright');
}

/**
 * Runs a browser suite as a script, with the script's arguments. The last line of its output is `N passed, N
 * failed, N skipped`.
 */
export async function runBrowserSuite(suite: BrowserSuite): Promise<void> {
  process.exitCode = printClosing(await runBrowserTests({ ...suite, args: process.argv.slice(2) }));
}
