import type { ShippedLocale } from './locales.ts';

/** The prerendered HTML of a page: links for the end of its head, and the content that replaces the empty root. */
export interface PageParts {
  links: string;
  root: string;
}

/**
 * The prerendered pages in one language, as cached by a device; the `address` of each is the source of a pattern
 * for its paths.
 */
export interface PagePictures {
  pages: readonly (PageParts & { address: string })[];
  others: PageParts;
}

/** Where the server serves the prerendered pages of a language, by tag. */
export const picturesPath = '/app-pictures/';

/** Part of the head of the built page, by which it differs from pages of anything in front of the server. */
export const applicationMark = '<meta name="application-name" content="Earshot">';

/** The app's root without prerendered content, as the build leaves it. */
export const emptyRoot = '<div id="root"></div>';

/** How the server or the service worker renders a page. */
export interface ShellOptions {
  locale: ShippedLocale;
  /** The chosen theme; null for that of the system. */
  theme: 'light' | 'dark' | null;
  /** The prerendered content; null for the built page alone. */
  parts: PageParts | null;
}

/**
 * Renders the built page in a language, direction and theme with its prerendered content, the same on the server
 * and in the service worker.
 */
export function renderShell(html: string, { locale, theme, parts }: ShellOptions): string {
  const dressed = html.replace(
    /<html[^>]*>/,
    `<html lang="${locale.tag}" dir="${locale.dir}"${theme ? ` data-theme="${theme}"` : ''}>`,
  );
  if (parts === null) return dressed;
  return dressed.replace('</head>', () => `${parts.links}</head>`).replace(emptyRoot, () => parts.root);
}
