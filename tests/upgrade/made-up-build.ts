import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { newFolder } from '#tests/support/start-server.ts';

/**
 * Makes the output of a build with a page and a few scripts, because building the web app of an earlier commit takes
 * minutes. Returns its folder and the paths of its scripts.
 */
export function makeBuild(version: string): { directory: string; paths: string[] } {
  const directory = newFolder();
  const write = (path: string, bytes: string | Uint8Array): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), bytes);
  };
  const names = ['first', 'library-page', 'language/de-rest'].map((name) => `${name}-${version}.js`);
  const [first = ''] = names;
  write(
    'index.html',
    `<!doctype html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">\n<meta property="csp-nonce" content="">\n<script type="module" crossorigin src="/assets/${first}"></script>\n</head><body>\n<div id="root"></div>\n</body></html>`,
  );
  write('.vite/manifest.json', JSON.stringify({ 'app/main.tsx': { file: `assets/${first}` } }));
  write('.vite/stand-ins.json', '{}');
  write('manifest.webmanifest', JSON.stringify({ name: 'Earshot', shortcuts: [] }));
  for (const name of names) {
    const script = `export const from = "${name}";`;
    write(`assets/${name}`, script);
    write(`assets/${name}.br`, brotliCompressSync(script));
  }
  return { directory, paths: names.map((name) => `/assets/${name}`) };
}
