import { mkdirSync, rmSync } from 'node:fs';
import { namedBrowsers } from '#tests/support/find-browser.ts';
import { buildWeb } from './build-web.ts';
import { timeSoFar } from './elapsed.ts';
import { runCommand } from './run-command.ts';
import { playwrightTally, withExit, type Tally } from './summary.ts';

export interface BrowserSuite {
  config: string;
  /** The report that the configuration names. */
  report: string;
  args?: readonly string[];
}

/** Runs Playwright on the built app. */
export async function runBrowserTests({ config, report, args = [] }: BrowserSuite): Promise<Tally> {
  mkdirSync('.cache', { recursive: true });
  rmSync(report, { force: true });
  await buildWeb();
  console.log(namedBrowsers());
  const { status } = await runCommand(['playwright', 'test', '--config', config, ...args], {
    prefix: timeSoFar,
  });
  return withExit(playwrightTally(report), status === 0, 'playwright');
}
