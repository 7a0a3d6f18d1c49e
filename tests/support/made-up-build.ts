import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { newFolder } from './start-server.ts';

/**
 * Makes the output of a build with a page, because building the web app takes minutes. Returns its folder, which is
 * deleted after the test.
 * @param assets the texts of the files below `assets/`; the page loads the first one
 */
export function makeBuild(assets: Readonly<Record<string, string>>): string {
  const directory = newFolder();
  const write = (path: string, bytes: string | Uint8Array): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), bytes);
  };
  const [first = ''] = Object.keys(assets);
  write(
    'index.html',
    `<!doctype html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">\n<meta property="csp-nonce" content="">\n<script type="module" crossorigin src="/assets/${first}"></script>\n</head><body>\n<div id="root"></div>\n</body></html>`,
  );
  write('.vite/manifest.json', JSON.stringify({ 'app/main.tsx': { file: `assets/${first}` } }));
  write('.vite/prerendered.json', '{}');
  write('manifest.webmanifest', JSON.stringify({ name: 'Earshot', shortcuts: [] }));
  for (const [name, text] of Object.entries(assets)) {
    write(`assets/${name}`, text);
    write(`assets/${name}.br`, brotliCompressSync(text));
  }
  return directory;
}
