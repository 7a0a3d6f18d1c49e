import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ShippedLocale } from '#contract/locales.ts';

const namesSchema = z.array(z.string()).default([]);
const manifestSchema = z.record(z.string(), z.object({ file: z.string(), imports: namesSchema, dynamicImports: namesSchema, css: namesSchema }));
type Manifest = z.infer<typeof manifestSchema>;

/** Which module shows the page of an address, and which parts of the catalogue it says. */
const pages: readonly { address: RegExp; module: string; words: readonly string[] }[] = [
  { address: /^\/library\/?$/, module: 'app/pages/library-page.tsx', words: ['library'] },
  { address: /^\/recordings\/[^/]+$/, module: 'app/pages/player-page.tsx', words: ['library', 'player'] },
  { address: /^\/trash\/?$/, module: 'app/pages/trash-page.tsx', words: ['library'] },
  { address: /^\/settings(\/|$)/, module: 'app/pages/settings-page.tsx', words: ['rest', 'recording', 'library', 'accounts'] },
];

interface PageLook {
  /** Of the address asked for. */
  path: string;
  locale: ShippedLocale;
  theme: 'light' | 'dark' | null;
  nonce: string;
  /** A page to be kept names no catalogue: its language is chosen when it is opened. */
  isToBeKept?: boolean;
}
export type PageTemplate = (look: PageLook) => string;

/** What the page needs of each language before it can show anything: the first part of its catalogue and the words of React Aria. */
function languageFiles(manifest: Manifest): Map<string, string[]> {
  const files = Object.entries(manifest).flatMap(([source, { file, dynamicImports }]): [string, string[]][] => {
    const tag = /locales\/([\w-]+)\.po\?first/.exec(source)?.[1];
    const aria = dynamicImports.find((name) => name.includes('react-aria-components/i18n/'));
    return tag === undefined ? [] : [[tag, [file, manifest[aria ?? '']?.file ?? []].flat()]];
  });
  return new Map(files);
}

/** The files of a module and of all that it imports, styles apart. */
function filesOfModule(manifest: Manifest, module: string): { scripts: Set<string>; styles: Set<string> } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    chunk.css.forEach((file) => styles.add(file));
    chunk.imports.forEach(visit);
  };
  visit(module);
  return { scripts, styles };
}

/** What each page needs beyond the first screen's files, as links of the head that begin to load it. */
function linksOfPages(manifest: Manifest, html: string) {
  const isNew = (file: string) => !html.includes(`/${file}"`);
  return pages.map(({ address, module, words }) => {
    const { scripts, styles } = filesOfModule(manifest, module);
    // A style sheet proper would hold the first paint back.
    const links = [...styles].filter(isNew).map((file) => `<link rel="preload" as="style" crossorigin fetchpriority="low" href="/${file}">`).concat([...scripts].filter(isNew).map(modulePreload));
    return { address, links, words };
  });
}

/** Behind what the first paint waits for. */
const modulePreload = (file: string): string => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`;

/**
 * Reads the built page. What a visitor's language and theme change in it is written into the HTML itself, so that nothing flashes, and
 * what its address will need begins to load with the page: else every file would be asked for by the one before it.
 */
export async function readPageTemplate(directory: string): Promise<PageTemplate> {
  const html = (await readFile(join(directory, 'index.html'), 'utf8')).replace(/<meta property="csp-nonce"[^>]*>\s*/, '');
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(directory, '.vite', 'manifest.json'), 'utf8')));
  const languages = languageFiles(manifest);
  const linked = linksOfPages(manifest, html);
  const linksFor = (path: string, tag: string): string => {
    const page = linked.find(({ address }) => address.test(path));
    if (!page) return '';
    const words = page.words.flatMap((part) => manifest[`../../locales/${tag}.po?${part}?lingui`]?.file ?? []);
    return [...page.links, ...words.map(modulePreload)].map((link) => `${link}\n`).join('');
  };
  return ({ path, locale, theme, nonce, isToBeKept = false }) => {
    const needed = isToBeKept ? [] : languages.get(locale.tag) ?? [];
    const root = `<html lang="${locale.tag}" dir="${locale.dir}"${theme ? ` data-theme="${theme}"` : ''}>`;
    const head = `<meta property="csp-nonce" content="${nonce}" nonce="${nonce}">${needed.map((file) => `\n<link rel="modulepreload" href="/${file}">`).join('')}`;
    const later = isToBeKept ? '' : linksFor(path, locale.tag);
    return html.replace(/<html[^>]*>/, root).replace(/<meta charset="utf-8">/, (charset) => `${charset}\n${head}`).replace('</head>', () => `${later}</head>`);
  };
}
