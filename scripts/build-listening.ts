import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

/** The largest script of a page of a link, in bytes after gzip -9, as it is sent with the page. */
const scriptBudgetBytes = 13_500;

/**
 * The listening page opens on any phone. Safari 15.4 has everything of ES2022 that the script uses, and colours in
 * `oklch()`, but no `light-dark()` and no range syntax in media queries; the bundler rewrites both.
 */
const oldest = { script: 'es2022', style: ['safari15.4', 'chrome111', 'firefox113', 'edge111'] };

const declaration = /(?<=[{;])(--[\w-]+):[^;{}]*;?/g;

/** Removes the design tokens that neither the styles nor the script use. Some are used only by other tokens. */
export function withoutUnusedTokens(css: string, script: string): string {
  const isUsed = (name: string): boolean =>
    css.includes(`var(${name})`) ||
    css.includes(`var(${name},`) ||
    script.includes(name) ||
    (name.startsWith('--tag-') && script.includes('--tag-'));
  const rest = css.replaceAll(declaration, (whole, name: string) => (isUsed(name) ? whole : ''));
  return rest === css ? css : withoutUnusedTokens(rest, script);
}

/**
 * Builds the script and the style sheet of the listening page, which the server writes into it. Each is one file,
 * `.vite/listening.js` and `.vite/listening.css` below the built app, where nothing serves them.
 */
export async function buildListening(webDirectory: string): Promise<void> {
  const outDir = join(root, 'dist', 'listening');
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: true,
      target: oldest.script,
      cssTarget: oldest.style,
      sourcemap: false,
      cssCodeSplit: false,
      modulePreload: false,
      lib: {
        entry: join(root, 'src', 'listen', 'listening.ts'),
        name: 'listening',
        formats: ['iife'],
        fileName: () => 'listening.js',
        cssFileName: 'listening',
      },
    },
  });
  const [script, css] = await Promise.all(
    ['listening.js', 'listening.css'].map((file) => readFile(join(outDir, file), 'utf8')),
  );
  await rm(outDir, { recursive: true });
  const { length } = gzipSync(script ?? '', { level: 9 });
  if (length > scriptBudgetBytes)
    throw new Error(`listening.js has ${length} bytes after gzip, at most ${scriptBudgetBytes}`);
  const folder = join(webDirectory, '.vite');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'listening.js'), script ?? '');
  await writeFile(join(folder, 'listening.css'), withoutUnusedTokens(css ?? '', script ?? ''));
}
