import { dirname, join, normalize } from 'node:path';
import { fileExists, isTypeScript, productFiles, readSource } from './source-files.ts';

const importPattern = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/** Returns the path of an import of this project, relative to the root; null for a package. */
function targetOf(specifier: string, importer: string): string | null {
  const path = specifier.replace(/\?.*$/, '');
  if (path.startsWith('.')) return normalize(join(dirname(importer), path));
  if (path.startsWith('#')) return `src/${path.slice(1)}`;
  return null;
}

/**
 * Returns the two modules that an import connects: a folder, or a file that stands beside a folder; null for two files
 * of one folder.
 */
export function siblingsOf(from: string, to: string): [string, string] | null {
  const [a, b] = [from.split('/'), to.split('/')];
  const shared = a.findIndex((part, index) => part !== b[index]);
  if (shared === -1 || (shared === a.length - 1 && shared === b.length - 1)) return null;
  return [a.slice(0, shared + 1).join('/'), b.slice(0, shared + 1).join('/')];
}

/** Reports every pair of siblings that import each other, with the imports of the rarer direction. */
export function cyclesAmong(imports: readonly { from: string; to: string }[]): string[] {
  const arrows = new Map<string, string[]>();
  for (const { from, to } of imports) {
    const pair = siblingsOf(from, to);
    if (pair === null) continue;
    const key = pair.join(' -> ');
    arrows.set(key, [...(arrows.get(key) ?? []), `${from} imports ${to}`]);
  }
  return [...arrows].flatMap(([key, forth]) => {
    const [a, b] = key.split(' -> ');
    const back = arrows.get(`${b} -> ${a}`);
    if (back === undefined || a === undefined || b === undefined || a > b) return [];
    const fewer = forth.length <= back.length ? forth : back;
    return [`${a} and ${b} import each other:\n  ${fewer.join('\n  ')}`];
  });
}

/** Returns all imports between the product's files. */
const imports = () =>
  productFiles()
    .filter(isTypeScript)
    .flatMap((from) =>
      [...readSource(from).matchAll(importPattern)].flatMap(([, specifier]) => {
        const to = targetOf(specifier ?? '', from);
        return to !== null && fileExists(to) ? [{ from, to }] : [];
      }),
    );

if (import.meta.main) {
  const findings = cyclesAmong(imports());
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
