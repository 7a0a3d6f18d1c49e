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
import { pageKinds } from './page-kinds.ts';
import { readRoots } from './page-picture.ts';

interface PageLook extends Omit<ShellOptions, 'parts'> {
  path: string;
  nonce: string;
}

export interface PageTemplates {
  /** The page at a path. */
  page: (look: PageLook) => string;
  /**
   * The page to be kept: it names no catalogue and shows no picture, as its language and its address are
   * chosen when it is opened.
   */
  shell: (nonce: string) => string;
  /** What makes of the kept page, when it is opened, what `page` would have been. */
  pictures: (tag: string) => PagePictures;
}

const styleSheet = (file: string): string => `<link rel="stylesheet" crossorigin href="/${file}">`;
/** Comes behind what the first paint waits for. */
const laterModule = (file: string): string =>
  `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`;

/**
 * Links of the head that begin to load what a module needs and the page does not name yet; its styles hold
 * the first paint back, which is the picture's.
 */
function linksTo(
  module: string,
  { manifest, html }: { manifest: Manifest; html: string },
): { styles: string[]; modules: string[] } {
  const isNew = (file: string) => !html.includes(`/${file}"`);
  const { scripts, styles } = filesOfModule(manifest, module);
  return {
    styles: [...styles].filter(isNew).map(styleSheet),
    modules: [...scripts].filter(isNew).map(laterModule),
  };
}

const inHead = (html: string, links: string): string => html.replace('</head>', () => `${links}</head>`);
/**
 * What the page's first file lays into the head once the picture is complete: until then the line is the
 * picture's and the app's.
 */
const afterPicture = (links: readonly string[]): string =>
  `<template class="after-picture">${links.join('')}</template>`;
const lines = (links: readonly string[]): string => links.map((link) => `${link}\n`).join('');

/** What is known of each language and each kind of page: the beginning of a page. */
async function readParts(
  directory: string,
  { manifest, html }: { manifest: Manifest; html: string },
): Promise<(tag: string, kind: string | undefined) => PageParts> {
  const roots = await readRoots(directory);
  const languages = languageFiles(manifest);
  const kinds = new Map(
    pageKinds.map(({ name, module, words }) => [
      name,
      { words, links: linksTo(module ?? '', { manifest, html }) },
    ]),
  );
  return (tag, name) => {
    const kind = kinds.get(name ?? '');
    const words =
      kind?.words.flatMap((part) => manifest[`../../locales/${tag}.po?${part}?lingui`]?.file ?? []) ?? [];
    const { styles = [], modules = [] } = kind?.links ?? {};
    const links = lines([
      ...styles,
      afterPicture([...(languages.get(tag) ?? []), ...words].map(laterModule).concat(modules)),
    ]);
    return { links, root: roots(tag, name) };
  };
}

/**
 * Reads the built page. What a visitor's language and theme change in it is written into the HTML itself, so
 * that nothing flashes; what its address will need begins to load with the page, else every file would be
 * asked for by the one before it; and until that is there, the page is shown as a picture.
 */
export async function readPageTemplates(directory: string): Promise<PageTemplates> {
  const [built, manifest] = await Promise.all([
    readFile(join(directory, 'index.html'), 'utf8'),
    readManifest(directory),
  ]);
  const bare = built.replace(/<meta property="csp-nonce"[^>]*>\s*/, '');
  // What every page needs: what the first paint waits for, and the app, which runs after it.
  const { styles, modules } = linksTo('app/main.tsx', { manifest, html: bare });
  const html = inHead(bare, lines([...styles, ...modules]));
  const partsOf = await readParts(directory, { manifest, html });
  const write = (nonce: string, dress: ShellOptions): string =>
    renderShell(html, dress).replace(
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
