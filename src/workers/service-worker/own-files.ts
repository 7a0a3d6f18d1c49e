import { mediaTypeOf } from '#contract/answer-source.ts';
import { applicationMark } from '#contract/page-pictures.ts';
import { type BuildFile, namesOnlyFilesOf } from './shell-files.ts';

/** Media types by file extension. A file without an extension is a page, or declares its type. */
const typesByEnding: Readonly<Record<string, RegExp>> = {
  js: /javascript$/,
  css: /^text\/css$/,
  html: /^text\/html$/,
  json: /json$/,
  webmanifest: /json$/,
  svg: /^image\/svg/,
  png: /^image\/png$/,
};
const pageType = 'text/html';

const endingOf = (pathname: string): string => /\.([a-z\d]+)$/i.exec(pathname)?.[1]?.toLowerCase() ?? '';

/**
 * Checks whether a response is the requested file. An access gateway or captive portal answers with its own page,
 * after a redirect or with 200. Cached instead of a script or the app's page, it would stay until the next build,
 * even after the gateway lets requests through.
 */
async function isOwnFile(url: string, response: Response): Promise<boolean> {
  if (response.status !== 200 || response.redirected || response.type === 'opaqueredirect') return false;
  const expected = typesByEnding[endingOf(new URL(url).pathname)];
  if (expected) return expected.test(mediaTypeOf(response));
  return mediaTypeOf(response) !== pageType || (await response.clone().text()).includes(applicationMark);
}

/** Whether a response is the file of this build, not that of a server with another one. */
export async function isFileOfBuild(
  build: readonly BuildFile[],
  url: string,
  response: Response,
): Promise<boolean> {
  if (!(await isOwnFile(url, response))) return false;
  const isNamedByHash = endingOf(new URL(url).pathname) !== '';
  return isNamedByHash || namesOnlyFilesOf(build, await response.clone().text());
}

/** Returns a Workbox plugin that caches only files of the build. */
export const onlyFilesOf = (build: readonly BuildFile[]) => ({
  cacheWillUpdate: async ({
    request,
    response,
  }: {
    request: Request;
    response: Response;
  }): Promise<Response | null> => ((await isFileOfBuild(build, request.url, response)) ? response : null),
});
