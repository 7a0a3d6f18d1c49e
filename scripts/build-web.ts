// `npm run build`, and the first step of everything that needs the built app. Runs in production before the server:
// it needs no development dependency unless there is something to build, and it never loads the compiler itself.
import { fork } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { BuildProgress, isBuildReport } from './build-progress.ts';
import { webBuildState, type WebBuildState } from './web-build-state.ts';

const root = join(import.meta.dirname, '..');
const redrawEveryMs = 1000;

/** The app cannot be built, or its build failed. The message is for the operator. */
export class WebBuildError extends Error {
  override readonly name = 'WebBuildError';
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
}

/** Returns why this user cannot build the app, or null. */
function obstacle(): string | null {
  if (!isInstalled('vite'))
    return 'the packages that build it are not installed (they are development dependencies)';
  const locked = [root, join(root, 'dist'), join(root, 'locales')].find(
    (path) => existsSync(path) && !canWrite(path),
  );
  return locked === undefined ? null : `this user may not write in ${locked}`;
}

const problems: Record<Exclude<WebBuildState, 'current'>, string> = {
  missing: 'has not been built',
  outdated: 'was built from other source files than those that are here',
};

/** The reason for a build that ended without giving one. */
const reasonOfEnd = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === 'SIGKILL'
    ? 'its process was killed, probably because the machine is out of memory'
    : `its process ended with ${signal ?? `code ${code}`}`;

/** Runs the build in a process of its own, which ends with this one, and prints its progress. */
async function runBuild(): Promise<void> {
  console.log('Building the web app. This takes about a minute, once per version.');
  const progress = new BuildProgress(process.stdout);
  const timer = setInterval(() => {
    progress.redraw();
  }, redrawEveryMs);
  const child = fork(join(import.meta.dirname, 'web-build-process.ts'), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    // With any other value, Vite builds for development.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let failure: string | null = null;
  child.on('message', (message) => {
    if (!isBuildReport(message)) return;
    if (message.kind === 'failed') failure = message.text;
    else progress[message.kind](message.text);
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      progress.print(text);
    });
  const end = await new Promise<string | null>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', (code, signal) => {
      resolve(code === 0 ? null : (failure ?? reasonOfEnd(code, signal)));
    });
  });
  clearInterval(timer);
  progress.close();
  if (end !== null) throw new WebBuildError(`The web app could not be built: ${end}`);
}

/**
 * Builds `dist/web` unless it is current. Writes nothing if it is.
 * @throws WebBuildError when it cannot be built here, or the build fails
 */
export async function buildWeb(): Promise<'built' | 'fresh'> {
  const state = await webBuildState(root);
  if (state === 'current') return 'fresh';
  const reason = obstacle();
  if (reason !== null)
    throw new WebBuildError(
      `The web app ${problems[state]}, and ${reason}: run "npm ci && npm run build" in ${root} as the user who owns it, then start again.`,
    );
  await runBuild();
  return 'built';
}

if (import.meta.main) {
  try {
    await buildWeb();
    // Loads the compiler, which the server's start must not.
    (await import('./initial-sizes.ts')).printLargestParts();
  } catch (error) {
    console.error(error instanceof WebBuildError ? error.message : error);
    process.exitCode = 1;
  }
}
