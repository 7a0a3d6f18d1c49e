import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { round, type Row, type Section } from './figures.ts';

interface Chunk { file: string; imports?: string[]; isEntry?: boolean; css?: string[] }

const dist = join(import.meta.dirname, '..', 'dist', 'web');
const gzipKb = (file: string) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000;

/** What the first visit loads before it can show the recorder: the entry and all it imports at once, gzip -9. */
export function initialSizes(): { javaScriptKb: number; cssKb: number } {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  const seen = new Set<string>();
  const visit = (name: string): Chunk[] => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return [];
    seen.add(name);
    return [chunk, ...(chunk.imports ?? []).flatMap(visit)];
  };
  const chunks = Object.entries(manifest).filter(([, chunk]) => chunk.isEntry).flatMap(([name]) => visit(name));
  const css = new Set(chunks.flatMap((chunk) => chunk.css ?? []));
  return { javaScriptKb: chunks.reduce((sum, chunk) => sum + gzipKb(chunk.file), 0), cssKb: [...css].reduce((sum, file) => sum + gzipKb(file), 0) };
}

/** Initial JavaScript and CSS beside their budgets. */
export function sizeBench(): Section {
  const { javaScriptKb, cssKb } = initialSizes();
  const rows: Row[] = [
    { what: 'initial JavaScript, gzip', kB: round(javaScriptKb), 'budget kB': 120 },
    { what: 'initial CSS, gzip', kB: round(cssKb), 'budget kB': 12 },
  ];
  return { title: 'What the first visit loads', note: 'The entry chunk and everything it imports statically; one catalogue (at most 15 kB) comes beside it.', rows };
}
