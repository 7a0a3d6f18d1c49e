/** A file of the build. Files without a hash in their name have a revision. */
export interface BuildFile {
  url: string;
  revision: string | null;
}

/** Where a build puts files for one language, and where the server serves prerendered pages in one language. */
const languageFile = /(?:^|\/)(?:assets\/language|app-pictures)\/([a-z]+)[\w-]*(?:\.js)?$/;

const languageOf = (tag: string): string => tag.split('-', 1)[0] ?? tag;

/** The files that every visitor needs: all except those for single languages. */
export function filesForAll(files: readonly BuildFile[]): BuildFile[] {
  return files.filter(({ url }) => !languageFile.test(url));
}

/** The files that only these languages need. */
export function filesForLanguages(files: readonly BuildFile[], tags: readonly string[]): BuildFile[] {
  const languages = new Set(tags.map(languageOf));
  return files.filter(({ url }) => languages.has(languageFile.exec(url)?.[1] ?? ''));
}

/**
 * Whether a page, or a part of one, names only scripts and styles of this build. During an update, servers of two
 * builds may answer, and a page of the other one would lack its files when there is no network.
 */
export function namesOnlyFilesOf(files: readonly BuildFile[], text: string): boolean {
  const own = new Set(files.map(({ url }) => url.replace(/^\//, '')));
  return [...text.matchAll(/\/(assets\/[\w./@+-]+\.(?:js|css))/g)].every(([, name = '']) => own.has(name));
}

/**
 * Paths without a page of the app: endpoints of the server, shared recordings and their previews, and every name
 * with a file extension.
 */
export const pathsWithoutShell: readonly RegExp[] = [
  /^\/(api|auth|assets|healthz|readyz|metrics|s|embed|oembed)(\/|\?|$)/,
  /^[^?]*\.[^/?]*(\?|$)/,
];

/** The first segments of the paths that the app has a page for (`src/web/app/paths.ts`). */
const pageNames: ReadonlySet<string> = new Set([
  '',
  'library',
  'recordings',
  'shared',
  'trash',
  'settings',
  'sign-in',
  'sign-up',
  'reset-password',
  'undo-email-change',
]);

/**
 * Whether the app has a page at this path. Any other path may belong to something in front of the server: access
 * gateways sign users in under paths of the same origin.
 */
export const isPagePath = (pathname: string): boolean => pageNames.has(pathname.split('/', 2)[1] ?? '');
