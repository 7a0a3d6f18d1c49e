import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { webBuildState, type WebBuildState } from './web-build-state.ts';

/** The app cannot be built here. The message is one sentence for the operator. */
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

function canResolve(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns why this user cannot build the app, or null. */
function obstacleOf(root: string): string | null {
  if (!canResolve('vite'))
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

/**
 * Builds `dist/web` if it is missing or older than its source. Writes nothing if it is current.
 * @throws WebBuildError when it cannot be built here
 */
export async function ensureWebBuild(root: string): Promise<void> {
  const state = await webBuildState(root);
  if (state === 'current') return;
  const obstacle = obstacleOf(root);
  if (obstacle !== null)
    throw new WebBuildError(
      `The web app ${problems[state]}, and ${obstacle}: run "npm ci && npm run build" in ${root} as the user who owns it, then start again.`,
    );
  const { buildWeb } = await import('./build-web.ts');
  await buildWeb();
}
