import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
];

const help = `The browser tests need Chromium. None was found, Playwright could not download its own, and Debian's package could not be installed.
Do one of these and run the tests again:
  - install Chromium or Chrome with your system's package manager (Debian: apt-get install chromium), or
  - name one: EARSHOT_CHROMIUM=/path/to/chromium npm test`;

function tryTo(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'inherit', timeout: 10 * 60_000 });
    return true;
  } catch {
    return false;
  }
}

const installed = () =>
  [process.env.EARSHOT_CHROMIUM, ...places, chromium.executablePath()].find(
    (place) => place !== undefined && existsSync(place),
  );

const withoutWindow = '/usr/bin/chromium-headless-shell';

/**
 * The Chromium for tests that need only its engine: the headless shell where installed, at half the work
 * (decision 0040 in docs/decisions/0024-tests.md).
 */
export const findEngine = (): string =>
  process.env.EARSHOT_CHROMIUM === undefined && existsSync(withoutWindow) ? withoutWindow : findBrowser();

/** Names the browsers that the tests use, and installs one if none is found. */
export const namedBrowsers = (): string =>
  `Browser: ${[...new Set([findBrowser(), findEngine()])].join(', without a window ')}`;

/**
 * The full Chromium for tests: an installed one, else Playwright's, else Debian's package where apt-get can be
 * used.
 * @throws Error with instructions if none can be installed.
 */
export function findBrowser(): string {
  const found = installed();
  if (found) return found;
  console.log('No Chromium is installed; trying to obtain one.');
  tryTo('npx', ['playwright', 'install', 'chromium']);
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!installed() && isDebianRoot && tryTo('apt-get', ['update']))
    tryTo('apt-get', ['install', '-y', '--no-install-recommends', 'chromium']);
  const obtained = installed();
  if (!obtained) throw new Error(help);
  return obtained;
}
