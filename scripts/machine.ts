import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { findBrowser, namedBrowsers } from '#tests/support/find-browser.ts';
import { findPostgres } from './postgres-for-tests.ts';

let browser: string | null | undefined;

/** Says why there is no browser, once. */
function lookForBrowser(): string | null {
  try {
    return findBrowser();
  } catch (error) {
    if (process.env['CI']) throw error;
    console.log(error instanceof Error ? error.message : error);
    return null;
  }
}

/**
 * The browser of the browser tests, which is installed if none is found.
 * @returns null if none can be had: the browser tests are then skipped
 * @throws Error in CI, where they must not be skipped
 */
export function browserToTestWith(): string | null {
  // Not `??=`: what was not found is not installed a second time.
  if (browser === undefined) browser = lookForBrowser();
  return browser;
}

/** Says what the tests use of this machine, what they install, and what they skip. */
export function describeMachine(): void {
  const postgres = findPostgres();
  const hasFfmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;
  console.log(
    postgres === null
      ? 'PostgreSQL 15 or later is not installed: its tests are skipped. (Debian: apt-get install postgresql)'
      : `PostgreSQL: ${dirname(postgres)}`,
  );
  console.log(
    hasFfmpeg
      ? 'ffmpeg: installed'
      : 'ffmpeg is not installed: the tests that convert audio are skipped. (Debian: apt-get install ffmpeg)',
  );
  console.log('S3: its tests are those of "npm run test:s3", which builds a server with Go.');
  console.log(browserToTestWith() === null ? 'The browser tests are skipped.' : namedBrowsers());
}
