/** A file of the build; those whose names hold no hash have a revision. */
export interface BuildFile {
  url: string;
  revision: string | null;
}

/**
 * Where a build puts what only one language needs, and where the server gives the pictures of pages in one.
 */
const languageFile = /(?:^|\/)(?:assets\/language|app-pictures)\/([a-z]+)[\w-]*(?:\.js)?$/;

const languageOf = (tag: string): string => tag.split('-', 1)[0] ?? tag;

/** The files that every visitor needs: all but those of single languages. */
export function filesForAll(files: readonly BuildFile[]): BuildFile[] {
  return files.filter(({ url }) => !languageFile.test(url));
}

/** The files that only these languages need. */
export function filesForLanguages(files: readonly BuildFile[], tags: readonly string[]): BuildFile[] {
  const languages = new Set(tags.map(languageOf));
  return files.filter(({ url }) => languages.has(languageFile.exec(url)?.[1] ?? ''));
}

/**
 * No page of the app: what the server answers itself, shared recordings, and everything whose name has an
 * ending.
 */
export const pathsWithoutShell: readonly RegExp[] = [
  /^\/(api|auth|assets|healthz|readyz|metrics|s)(\/|\?|$)/,
  /^[^?]*\.[^/?]*(\?|$)/,
];

/** The first parts of the paths that the app has a page for (`src/web/app/paths.ts`). */
const pageNames: ReadonlySet<string> = new Set([
  '',
  'library',
  'recordings',
  'trash',
  'settings',
  'sign-in',
  'sign-up',
  'reset-password',
  'undo-email-change',
]);

/**
 * Whether the app has a page at this path. Any other may belong to something in front of the server: access
 * gateways sign people in below paths of the same origin.
 */
export const isPagePath = (pathname: string): boolean => pageNames.has(pathname.split('/', 2)[1] ?? '');
