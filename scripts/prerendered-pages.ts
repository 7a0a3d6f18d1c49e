import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { locales } from '#contract/locales.ts';
import { pageKinds } from '#server/http/pages/page-kinds.ts';
import type * as prerendering from '#web/app/prerender/prerender.tsx';

const root = join(import.meta.dirname, '..');
const outDir = join(root, 'dist', 'prerender');
const drawing = join(outDir, 'prerender.js');

/** Builds the app a second time, for Node. */
export async function buildForDrawing(): Promise<void> {
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: {
      ssr: join(root, 'src', 'web', 'app', 'prerender', 'prerender.tsx'),
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      manifest: false,
      sourcemap: false,
    },
  });
}

/**
 * Prerenders every page in every language as the app first shows it, for the server to insert into its HTML.
 * Writes `.vite/prerendered.json` in the built app: HTML by language and page, plus the message for when the app
 * cannot load. Runs in a separate process, because the app expects to run for as long as its page is open.
 */
export async function writePrerenderedPages(web: string): Promise<void> {
  const drawn = promisify(execFile)(process.execPath, [import.meta.filename, web], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const kill = (): void => {
    drawn.child.kill();
  };
  process.once('exit', kill);
  await drawn;
  process.off('exit', kill);
  await rm(outDir, { recursive: true });
}

if (import.meta.main) {
  const { prerenderPage, drawLoadError }: typeof prerendering = await import(pathToFileURL(drawing).href);
  const drawn: Record<string, Record<string, string>> = {};
  for (const { tag } of locales) {
    const pages: Record<string, string> = (drawn[tag] = {});
    for (const { name, example } of pageKinds) pages[name] = await prerenderPage(tag, example);
    pages['load-error'] = await drawLoadError();
  }
  await writeFile(join(process.argv[2] ?? '', '.vite', 'prerendered.json'), JSON.stringify(drawn));
  process.exit(0);
}
