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
  let isMounted = false;
  return {
    async mount(app) {
      isMounted = await access(join(directory, 'index.html')).then(
        () => true,
        () => false,
      );
      if (isMounted) await mountWebApp(app, directory, builds);
      else app.log.warn({ directory }, 'the web app has not been built; only the API is served');
    },
    start() {
      if (isMounted) builds.start(directory, onError);
    },
    stop: () => builds.stop(),
  };
}
