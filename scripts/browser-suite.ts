import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { namedBrowsers } from '../tests/support/find-browser.ts';
import { buildWeb } from './build-web.ts';
import { playwrightTally, printClosing, withExit } from './summary.ts';

/** Runs a suite of browser tests of its own on the built app, with the arguments given to the script; its closing line is `N passed, N failed, N skipped`. */
export async function runBrowserSuite({ config, report }: { config: string; report: string }): Promise<void> {
  mkdirSync('.cache', { recursive: true });
  rmSync(report, { force: true });
  await buildWeb();
  console.log(namedBrowsers());
  const { status } = spawnSync('playwright', ['test', '--config', config, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = printClosing(withExit(playwrightTally(report), status === 0, 'playwright'));
}
