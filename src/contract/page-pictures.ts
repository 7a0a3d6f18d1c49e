import type { ShippedLocale } from './locales.ts';

/**
 * How a page of the app begins before its program runs, as HTML: links for the end of its head, and what
 * stands in its body in the place of the empty root.
 */
export interface PageParts {
  links: string;
  root: string;
}

/**
 * The beginnings of all pages in one language, as a device keeps them; `pages` by the source of the pattern
 * that their paths fit.
 */
export interface PagePictures {
  pages: readonly (PageParts & { address: string })[];
  others: PageParts;
}

/** Where the server gives the pictures of a language, by its tag. */
export const picturesPath = '/app-pictures/';

/** Stands in the head of the built page, and in no page of anything in front of the server. */
export const applicationMark = '<meta name="application-name" content="Earshot">';

/** The app's root without a picture in it, as the build leaves it. */
export const emptyRoot = '<div id="root"></div>';

/** How a page is shown, whoever writes it. */
export interface ShellOptions {
  locale: ShippedLocale;
  /** What was chosen; null: as the system has it. */
  theme: 'light' | 'dark' | null;
  /** How it begins; null: with nothing but what the built page has. */
  parts: PageParts | null;
}

/**
 * The built page in a language, direction and theme, beginning as its address and language want it: the
 * server and the service worker write it alike.
 */
export function renderShell(html: string, { locale, theme, parts }: ShellOptions): string {
  const dressed = html.replace(
    /<html[^>]*>/,
    `<html lang="${locale.tag}" dir="${locale.dir}"${theme ? ` data-theme="${theme}"` : ''}>`,
  );
  if (parts === null) return dressed;
  return dressed.replace('</head>', () => `${parts.links}</head>`).replace(emptyRoot, () => parts.root);
}
