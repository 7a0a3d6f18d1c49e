import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { productFiles } from '#scripts/source-files.ts';

// An update may change the files of a server that runs. What it imports later than at its start has to be `deferred`,
// which loads it before.

/** Files whose dynamic imports run at the start or in commands: of what only some settings need. */
const atStart = [
  'src/server/cli.ts',
  'src/server/earshot.ts',
  'src/server/start/backup-targets.ts',
  'src/server/start/check-storage.ts',
  'src/server/start/installation.ts',
  'src/server/start/open-hub.ts',
  'src/server/start/stores.ts',
  'src/server/start/tiered-blobs.ts',
];

/** The source of the arguments of every call of `deferred`. */
function deferredParts(text: string): string[] {
  return [...text.matchAll(/\bdeferred\(/g)].map(({ index }) => {
    let depth = 0;
    for (let at = text.indexOf('(', index); at < text.length; at += 1) {
      depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
      if (depth === 0) return text.slice(index, at);
    }
    return '';
  });
}

const countImports = (text: string): number => text.match(/(?<!typeof )\bimport\(/g)?.length ?? 0;

test('the server imports nothing later than at its start, unless it is deferred', () => {
  const late = productFiles()
    .filter((file) => file.startsWith('src/server/') && !/\.(test|suite)\.ts$/.test(file))
    .filter((file) => {
      const text = readFileSync(file, 'utf8');
      const deferredCount = deferredParts(text).reduce((sum, part) => sum + countImports(part), 0);
      return countImports(text) > deferredCount;
    });
  expect(late.sort()).toEqual(atStart);
});
