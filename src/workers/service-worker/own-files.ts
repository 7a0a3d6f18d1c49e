import { mediaTypeOf } from '#contract/answer-source.ts';
import { applicationMark } from '#contract/page-pictures.ts';

/** Media types by the ending of a file's name; a file without one is a page, or says below what it is. */
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
 * Whether a response is the file that was asked for. A gate or a captive portal answers with its own page,
 * after a redirect or with 200: kept in the place of a script or of the app's page, it would stand there
 * until the next build, also once the gate is open.
 */
export async function isOwnFile(url: string, response: Response): Promise<boolean> {
  if (response.status !== 200 || response.redirected || response.type === 'opaqueredirect') return false;
  const expected = typesByEnding[endingOf(new URL(url).pathname)];
  if (expected) return expected.test(mediaTypeOf(response));
  return mediaTypeOf(response) !== pageType || (await response.clone().text()).includes(applicationMark);
}

/** For workbox: keeps nothing but the files of the build. */
export const onlyOwnFiles = {
  cacheWillUpdate: async ({
    request,
    response,
  }: {
    request: Request;
    response: Response;
  }): Promise<Response | null> => ((await isOwnFile(request.url, response)) ? response : null),
};
