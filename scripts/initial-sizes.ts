import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { initialPartsFile, type InitialParts } from './initial-parts.ts';

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const dist = join(import.meta.dirname, '..', 'dist', 'web');
const gzipKb = (file: string) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000;

/**
 * Measures what the first visit loads before it can show the recorder: the files that the page and the server name
 * in it and all their static imports, gzip -9.
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
  // The app's entry, which the server adds to the page (page-template.ts).
  visit(manifest['app/main.tsx']?.file ?? '');
  const sum = (ending: string) =>
    [...files].filter((file) => file.endsWith(ending)).reduce((total, file) => total + gzipKb(file), 0);
  return { javaScriptKb: sum('.js'), cssKb: sum('.css') };
}

/** Measures the largest file of a catalogue part, gzip -9. */
export function maxCatalogueKb(): number {
  const folder = join('assets', 'language');
  const files = readdirSync(join(dist, folder)).filter((name) => name.endsWith('.js'));
  return Math.max(...files.map((name) => gzipKb(join(folder, name))));
}

/** Budgets of the first visit, in kB after gzip. */
export const sizeBudgets = { javaScriptKb: 116, cssKb: 12, catalogueKb: 15 } as const;

/** Prints the ten largest folders of `src/` in the first visit, in minified bytes. */
export function printLargestParts(): void {
  const parts: InitialParts = JSON.parse(readFileSync(join(dist, initialPartsFile), 'utf8'));
  const folders = new Map<string, number>();
  for (const [path, bytes] of Object.entries(parts))
    folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + bytes);
  const largest = [...folders].sort(([, one], [, other]) => other - one).slice(0, 10);
  console.log(
    `First visit, largest folders of src/ (minified bytes): ${largest.map(([folder, bytes]) => `${folder} ${bytes}`).join(', ')}`,
  );
}
