import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trustedHtml, type Html } from './html.ts';

/** The elements of the script and the style sheet, with the hashes of their contents for the policy (CSP 3, 2.3.1). */
export interface ListeningFiles {
  script: Html | null;
  style: Html | null;
  scriptHash: string | null;
  styleHash: string | null;
}

/** Without a build: the page works by the browser's own player, links and forms. */
export const noListeningFiles: ListeningFiles = {
  script: null,
  style: null,
  scriptHash: null,
  styleHash: null,
};

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A text that ends its element early would break the page, and its hash. */
async function readInline(path: string, end: RegExp): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text !== null && end.test(text)) throw new Error(`${path} contains the end of its own element`);
  return text;
}

/**
 * Reads the files that `scripts/build-listening.ts` wrote. They stand in the page instead of beside it: one answer
 * shows everything, and no other address has to be reachable.
 * @param webDirectory contains the output of `npm run build`
 */
export async function readListeningFiles(webDirectory: string): Promise<ListeningFiles> {
  const folder = join(webDirectory, '.vite');
  const [script, style] = await Promise.all([
    readInline(join(folder, 'listening.js'), /<\/script|<!--/i),
    readInline(join(folder, 'listening.css'), /<\/style/i),
  ]);
  return {
    script: script === null ? null : trustedHtml(`<script>${script}</script>`),
    style: style === null ? null : trustedHtml(`<style>${style}</style>`),
    scriptHash: script === null ? null : hashOf(script),
    styleHash: style === null ? null : hashOf(style),
  };
}
