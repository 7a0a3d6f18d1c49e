import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

// Runs in production before the server, so it needs no development dependency and changes nothing unless called.

/** The inputs of `dist/web`, besides every folder of `src` except the server's. */
const inputs = [
  'locales',
  'scripts/build-listening.ts',
  'scripts/catalogue',
  'scripts/chunk-groups.ts',
  'scripts/initial-parts.ts',
  'scripts/prerendered-pages.ts',
  'scripts/web-build-process.ts',
  'src/server/http/pages/page-kinds.ts',
  'vite.config.ts',
  'lingui.config.ts',
  'package-lock.json',
];

/** The pseudo-locales are generated from en.po during the build, so they add no information. */
const isGenerated = (path: string): boolean => /^locales\/(?:en-XA|ar-XB)\.po$/.test(path);

const stampFileOf = (root: string): string => join(root, 'dist', 'web.stamp');

/** Returns every file at or below a path; none if the path is missing. */
export async function filesBelow(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns all inputs below a root, as relative paths. A new folder in `src` is an input automatically. */
async function inputsOf(root: string): Promise<string[]> {
  const folders = await readdir(join(root, 'src'));
  return [...folders.filter((name) => name !== 'server').map((name) => `src/${name}`), ...inputs];
}

/**
 * Returns a hash over all inputs of `dist/web`. It depends on names and contents only, so a copy of the folder has
 * the same hash.
 */
async function stampOfInputs(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const input of (await inputsOf(root)).sort()) {
    for (const file of (await filesBelow(join(root, input))).sort()) {
      const path = relative(root, file).replaceAll('\\', '/');
      if (!isGenerated(path)) hash.update(path).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

export type WebBuildState = 'current' | 'missing' | 'outdated';

/** Compares `dist/web` with its source. */
export async function webBuildState(root: string): Promise<WebBuildState> {
  const known = await readFile(stampFileOf(root), 'utf8').catch(() => null);
  const isComplete =
    existsSync(join(root, 'dist', 'web', 'index.html')) &&
    ['prerendered.json', 'listening.js', 'listening.css'].every((file) =>
      existsSync(join(root, 'dist', 'web', '.vite', file)),
    );
  if (known === null || !isComplete) return 'missing';
  return known === (await stampOfInputs(root)) ? 'current' : 'outdated';
}

/** Runs a build and records its inputs. An interrupted build counts as missing. */
export async function stamped(root: string, build: () => Promise<void>): Promise<void> {
  const stamp = await stampOfInputs(root);
  await rm(stampFileOf(root), { force: true });
  await build();
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(stampFileOf(root), stamp);
}
