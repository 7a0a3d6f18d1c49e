import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Feature } from '#server/features/feature.ts';
import { mountWebApp } from '#server/http/pages/web-app.ts';
import { WebBuilds, type WebBuildsDeps } from './web-builds.ts';

/**
 * Builds the feature that serves the web app and stores its files for other servers.
 * @param directory contains the output of `npm run build`; without it the API runs alone. Null: this process serves no
 *   pages
 * @param deps.onError called if the files cannot be stored; it is repeated
 */
export function createWebApp(
  directory: string | null,
  { onError, ...deps }: WebBuildsDeps & { onError: (error: unknown) => void },
): Feature {
  if (directory === null) return {};
  const builds = new WebBuilds(deps);
  const isBuilt = (): Promise<boolean> =>
    access(join(directory, 'index.html')).then(
      () => true,
      () => false,
    );
  return {
    async mount(app) {
      if (await isBuilt()) await mountWebApp(app, directory, builds);
      else app.log.warn({ directory }, 'the web app has not been built; only the API is served');
    },
    // Pages are mounted later, when the server starts to listen.
    async start() {
      if (await isBuilt()) builds.start(directory, onError);
    },
    stop: () => builds.stop(),
  };
}
