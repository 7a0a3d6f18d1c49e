import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceLocale } from '#contract/locales.ts';
import {
  renderShell,
  type ShellOptions,
  type PageParts,
  type PagePictures,
} from '#contract/page-pictures.ts';
import { filesOfModule, languageFiles, readManifest, type Manifest } from './page-files.ts';
import { fillingModule, pageKinds } from './page-kinds.ts';
import { readRoots } from './page-picture.ts';

interface PageOptions extends Omit<ShellOptions, 'parts'> {
  path: string;
  nonce: string;
}

export interface PageTemplates {
  /** Renders the page at a path. */
  page: (options: PageOptions) => string;
  /**
   * Renders the page that the service worker caches. It has no catalogue and no prerendered HTML, because its
   * language and URL are only known when it is opened.
   */
  shell: (nonce: string) => string;
  /** Returns the parts that complete the cached page when it is opened, so that it equals `page`. */
  pictures: (tag: string) => PagePictures;
}

interface BuiltPage {
  manifest: Manifest;
  html: string;
}

const styleSheet = (file: string): string => `<link rel="stylesheet" crossorigin href="/${file}">`;
/** The prerendered HTML waits for it. */
const earlyModule = (file: string): string => `<link rel="modulepreload" crossorigin href="/${file}">`;
/** Low priority, because the first paint does not wait for it. */
const laterModule = (file: string): string =>
  `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`;

/**
 * Returns links for the head that start loading a module's dependencies which the page does not reference yet. Its
 * styles delay the first paint, because the prerendered HTML needs them.
 */
function linksTo(
  module: string,
  { manifest, html, link = laterModule }: BuiltPage & { link?: (file: string) => string },
): { styles: string[]; modules: string[] } {
  const isNew = (file: string) => !html.includes(`/${file}"`);
  const { scripts, styles } = filesOfModule(manifest, module);
  return {
    styles: [...styles].filter(isNew).map(styleSheet),
    modules: [...scripts].filter(isNew).map(link),
  };
}

const inHead = (html: string, links: string): string => html.replace('</head>', () => `${links}</head>`);
/**
 * Wraps links that the page's first script adds to the head once the prerendered HTML is complete. Until then the
 * bandwidth belongs to the prerendered HTML and the app.
 */
const afterPicture = (links: readonly string[]): string =>
  `<template class="after-picture">${links.join('')}</template>`;
const lines = (links: readonly string[]): string => links.map((link) => `${link}\n`).join('');

/** Reads the parts of a page that depend on its language and kind. */
async function readParts(
  directory: string,
  { manifest, html }: BuiltPage,
): Promise<(tag: string, kind: string | undefined) => PageParts> {
  const roots = await readRoots(directory);
  const languages = languageFiles(manifest);
  const filling = linksTo(fillingModule, { manifest, html, link: earlyModule }).modules;
  const kinds = new Map(
    pageKinds.map(({ name, module, messageParts, isFilled }) => {
      const early = isFilled ? filling : [];
      const named = `${html}${early.join('')}`;
      return [name, { messageParts, early, links: linksTo(module ?? '', { manifest, html: named }) }];
    }),
  );
  return (tag, name) => {
    const kind = kinds.get(name ?? '');
    const messages =
      kind?.messageParts.flatMap((part) => manifest[`../../locales/${tag}.po?${part}?lingui`]?.file ?? []) ??
      [];
    const { styles = [], modules = [] } = kind?.links ?? {};
    const links = lines([
      ...styles,
      ...(kind?.early ?? []),
      afterPicture([...(languages.get(tag) ?? []), ...messages].map(laterModule).concat(modules)),
    ]);
    return { links, root: roots(tag, name) };
  };
}

/**
 * Reads the built page. A visitor's language and theme are written into the HTML, so that nothing flashes. Files
 * for the requested URL start loading with the page instead of one after another, and prerendered HTML is shown
 * until they have loaded.
 */
export async function readPageTemplates(directory: string): Promise<PageTemplates> {
  const [built, manifest] = await Promise.all([
    readFile(join(directory, 'index.html'), 'utf8'),
    readManifest(directory),
  ]);
  const bare = built.replace(/<meta property="csp-nonce"[^>]*>\s*/, '');
  // The files that every page needs: those for the first paint, and the app, which runs after it.
  const { styles, modules } = linksTo('app/main.tsx', { manifest, html: bare });
  const html = inHead(bare, lines([...styles, ...modules]));
  const partsOf = await readParts(directory, { manifest, html });
  const write = (nonce: string, options: ShellOptions): string =>
    renderShell(html, options).replace(
      '<meta charset="utf-8">',
      (charset) => `${charset}\n<meta property="csp-nonce" content="${nonce}" nonce="${nonce}">`,
    );
  return {
    page: ({ path, nonce, ...look }) =>
      write(nonce, {
        ...look,
        parts: partsOf(look.locale.tag, pageKinds.find(({ address }) => address.test(path))?.name),
      }),
    shell: (nonce) => write(nonce, { locale: sourceLocale, theme: null, parts: null }),
    pictures: (tag) => ({
      pages: pageKinds.map(({ name, address }) => ({ address: address.source, ...partsOf(tag, name) })),
      others: partsOf(tag, undefined),
    }),
  };
}
