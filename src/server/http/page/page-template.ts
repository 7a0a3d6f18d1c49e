import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ShippedLocale } from '#contract/locales.ts';

const manifestSchema = z.record(z.string(), z.object({ file: z.string() }));

interface PageLook { locale: ShippedLocale; theme: 'light' | 'dark' | null; nonce: string }
export type PageTemplate = (look: PageLook) => string;

async function catalogueFiles(directory: string): Promise<Map<string, string>> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(directory, '.vite', 'manifest.json'), 'utf8')));
  const files = Object.entries(manifest).flatMap(([source, { file }]): [string, string][] => {
    const tag = /locales\/([\w-]+)\.po$/.exec(source)?.[1];
    return tag === undefined ? [] : [[tag, file]];
  });
  return new Map(files);
}

/**
 * Reads the built page. What a visitor's language and theme change in it is written into the HTML itself, so that nothing flashes, and
 * the one catalogue that will be needed begins to load with the page.
 */
export async function readPageTemplate(directory: string): Promise<PageTemplate> {
  const html = (await readFile(join(directory, 'index.html'), 'utf8')).replace(/<meta property="csp-nonce"[^>]*>\s*/, '');
  const catalogues = await catalogueFiles(directory);
  return ({ locale, theme, nonce }) => {
    const catalogue = catalogues.get(locale.tag);
    const root = `<html lang="${locale.tag}" dir="${locale.dir}"${theme ? ` data-theme="${theme}"` : ''}>`;
    const head = `<meta property="csp-nonce" content="${nonce}" nonce="${nonce}">${catalogue ? `\n<link rel="modulepreload" href="/${catalogue}">` : ''}`;
    return html.replace(/<html[^>]*>/, root).replace(/<meta charset="utf-8">/, (charset) => `${charset}\n${head}`);
  };
}
