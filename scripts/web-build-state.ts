import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

// Runs in production, before the server: this file needs no development dependency and changes nothing unless
// it is asked to.

/** What `dist/web` is built from, beside every folder of `src` but the server's. */
const inputs = [
  'locales',
  'scripts/catalogue',
  'scripts/chunk-groups.ts',
  'scripts/stand-ins.ts',
  'src/server/http/pages/page-kinds.ts',
  'vite.config.ts',
  'lingui.config.ts',
  'package-lock.json',
];

/** The pseudo-locales are generated from en.po during the build, so they say nothing that en.po does not. */
const isGenerated = (path: string): boolean => /^locales\/(?:en-XA|ar-XB)\.po$/.test(path);

const stampFileOf = (root: string): string => join(root, 'dist', 'web.stamp');

/** Every file at or below a path. A missing path has none. */
export async function filesBelow(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** All inputs below a root, as paths relative to it. A folder that is added to `src` is an input at once. */
async function inputsOf(root: string): Promise<string[]> {
  const folders = await readdir(join(root, 'src'));
  return [...folders.filter((name) => name !== 'server').map((name) => `src/${name}`), ...inputs];
}

/**
 * A hash over everything that `dist/web` is built from. It depends on names and contents alone, so a copy of
 * the folder has the same one.
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
    existsSync(join(root, 'dist', 'web', '.vite', 'stand-ins.json'));
  if (known === null || !isComplete) return 'missing';
  return known === (await stampOfInputs(root)) ? 'current' : 'outdated';
}

/** Runs a build and records what it was built from. A build that was interrupted counts as missing. */
export async function stamped(root: string, build: () => Promise<void>): Promise<void> {
  const stamp = await stampOfInputs(root);
  await rm(stampFileOf(root), { force: true });
  await build();
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(stampFileOf(root), stamp);
}
