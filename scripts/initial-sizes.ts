import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const dist = join(import.meta.dirname, '..', 'dist', 'web');
const gzipKb = (file: string) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000;

/**
 * What the first visit loads before it can show the recorder: what the page and the server name in it and all
 * that imports at once, gzip -9.
 */
export function initialSizes(): { javaScriptKb: number; cssKb: number } {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/((?:assets\/)?[^"]+\.(?:js|css))"/g)].flatMap(
    ([, file]) => file ?? [],
  );
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const chunk = Object.values(manifest).find((candidate) => candidate.file === file);
    for (const imported of chunk?.imports ?? []) visit(manifest[imported]?.file ?? '');
    for (const style of chunk?.css ?? []) visit(style);
  };
  named.forEach(visit);
  // The page's own program; the server names it in the page (page-template.ts).
  visit(manifest['app/main.tsx']?.file ?? '');
  const sum = (ending: string) =>
    [...files].filter((file) => file.endsWith(ending)).reduce((total, file) => total + gzipKb(file), 0);
  return { javaScriptKb: sum('.js'), cssKb: sum('.css') };
}

/** The largest file of words: a part of a catalogue, gzip -9. */
export function largestCatalogueKb(): number {
  const folder = join('assets', 'language');
  const files = readdirSync(join(dist, folder)).filter((name) => name.endsWith('.js'));
  return Math.max(...files.map((name) => gzipKb(join(folder, name))));
}

/** What the first visit may cost, kB after gzip. */
export const sizeBudgets = { javaScriptKb: 120, cssKb: 12, catalogueKb: 15 } as const;
