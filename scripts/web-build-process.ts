// The process that builds `dist/web`. build-web.ts starts it and prints what it reports: the compiler needs more than
// a gigabyte, which only the end of a process returns.
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import type { BuildReport } from './build-progress.ts';
import { buildListening } from './build-listening.ts';
import { writePseudoCatalogues } from './catalogue/pseudo.ts';
import { buildForDrawing, writePrerenderedPages } from './prerendered-pages.ts';
import { moveSourceMaps } from './source-maps.ts';
import { filesBelow, stamped } from './web-build-state.ts';

const root = join(import.meta.dirname, '..');

/**
 * The best quality makes files a twelfth smaller but takes ten times as long. The many catalogues and the few very
 * large files get the second best.
 */
const qualityFor = (file: string, { length }: Buffer): number =>
  length > 400_000 || file.includes('language') ? 9 : constants.BROTLI_MAX_QUALITY;

/**
 * Writes `.br` and `.gz` files next to every text file, so that the server compresses nothing during a request.
 */
async function precompress(directory: string): Promise<void> {
  const texts = (await filesBelow(directory)).filter((file) =>
    /\.(js|css|html|svg|json|webmanifest)$/.test(file),
  );
  await Promise.all(
    texts.map(async (file) => {
      const bytes = await readFile(file);
      await writeFile(
        `${file}.br`,
        await promisify(brotliCompress)(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: qualityFor(relative(directory, file), bytes),
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        }),
      );
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

/** Sends a report, and waits until it has left: `process.exit` would drop it. */
const report = (message: BuildReport): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => {
      resolve();
    });
  });

async function reported(step: string, work: () => Promise<unknown>): Promise<void> {
  await report({ kind: 'start', text: step });
  await work();
  await report({ kind: 'end', text: step });
}

async function buildEverything(): Promise<void> {
  const web = join(root, 'dist', 'web');
  writePseudoCatalogues(join(root, 'locales'));
  await Promise.all([
    reported('Compile the app', () => build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })),
    reported('Compile the app for prerendering', buildForDrawing),
  ]);
  await moveSourceMaps(web, join(root, 'dist', 'source-maps'));
  await Promise.all([
    reported('Compress the files', () => precompress(web)),
    reported('Prerender the pages', () => writePrerenderedPages(web)),
  ]);
  await reported('Compile the listening page', () => buildListening(web));
}

// The channel closes when the parent ends, however it ends. A build that nobody waits for ends too.
process.once('disconnect', () => process.exit(1));
try {
  await stamped(root, buildEverything);
} catch (error) {
  await report({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
process.exit(0);
