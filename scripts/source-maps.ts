import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { filesBelow } from './web-build-state.ts';

/**
 * Moves the source maps of a build to the same paths below another folder, which is emptied first. Every file below
 * `dist/web` is served, stored in the database for older tabs, and cached by service workers; a map is for us alone.
 */
export async function moveSourceMaps(web: string, maps: string): Promise<void> {
  await rm(maps, { recursive: true, force: true });
  for (const file of await filesBelow(web)) {
    if (!file.endsWith('.map')) continue;
    const moved = join(maps, relative(web, file));
    await mkdir(dirname(moved), { recursive: true });
    await rename(file, moved);
  }
}

/** The place of a frame: `https://host/assets/app-a1b2.js:1:2345`, in the form of every browser. */
const place =
  /(?:[a-z][a-z-]*:\/\/[^\s/]+)?\/(?<file>(?:assets\/)?[\w./-]+\.js)(?:\?[^\s:]*)?:(?<line>\d+):(?<column>\d+)/g;

export interface ReadStack {
  text: string;
  /** The files of the stack that have no map here. */
  unknownFiles: string[];
}

interface LoadedMap {
  map: SourceMap;
  /** The folder that its sources are relative to, without the folder of the maps. */
  folder: string;
}

/**
 * Returns the start of the statement or the name at a place, or null. Paths in a map are relative to the file that was
 * built, which lay as deep below `dist` as its map does now.
 */
function sourcePlace({ map, folder }: LoadedMap, line: number, column: number): string | null {
  // Counts from 0.
  const entry = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in entry)) return null;
  const { originalSource, originalLine, originalColumn } = entry;
  // Node's types leave it out.
  const name = 'name' in entry && typeof entry.name === 'string' ? ` (${entry.name})` : '';
  const source = join('dist', 'web', folder, originalSource).replaceAll('\\', '/');
  return `${source}:${originalLine + 1}:${originalColumn + 1}${name}`;
}

/** Loads the maps of the files that a stack names; null for a file without one. */
async function mapsOf(stack: string, maps: string): Promise<Map<string, LoadedMap | null>> {
  const loaded = new Map<string, LoadedMap | null>();
  for (const { groups } of stack.matchAll(place)) {
    const file = groups?.['file'] ?? '';
    const path = join(maps, `${file}.map`);
    if (loaded.has(file) || relative(maps, path).startsWith('..')) continue;
    const text = await readFile(path, 'utf8').catch(() => null);
    loaded.set(file, text === null ? null : { map: new SourceMap(JSON.parse(text)), folder: dirname(file) });
  }
  return loaded;
}

/** Replaces the places of a stack by those in the source: `src/web/app/main.tsx:12:3`. */
export async function readStack(stack: string, maps: string): Promise<ReadStack> {
  const loaded = await mapsOf(stack, maps);
  const text = stack.replaceAll(place, (whole, ...[file, line, column]: string[]) => {
    const known = loaded.get(file ?? '') ?? null;
    return (known && sourcePlace(known, Number(line), Number(column))) ?? whole;
  });
  return { text, unknownFiles: [...loaded].flatMap(([file, known]) => (known === null ? [file] : [])) };
}
