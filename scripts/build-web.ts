import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { buildListening } from './build-listening.ts';
import { writePseudoCatalogues } from './catalogue/pseudo.ts';
import { printLargestParts } from './initial-sizes.ts';
import { buildForDrawing, drawStandIns } from './stand-ins.ts';
import { filesBelow, stamped, webBuildState } from './web-build-state.ts';

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

/** Runs work with NODE_ENV set to production: with any other value, Vite builds for development. */
async function inProduction(work: () => Promise<void>): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    await work();
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}

/** Builds `dist/web` unless its inputs are unchanged. */
export async function buildWeb(): Promise<'built' | 'fresh'> {
  if ((await webBuildState(root)) === 'current') return 'fresh';
  const web = join(root, 'dist', 'web');
  await stamped(root, () =>
    inProduction(async () => {
      writePseudoCatalogues(join(root, 'locales'));
      await Promise.all([
        build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' }),
        buildForDrawing(),
      ]);
      await Promise.all([precompress(web), drawStandIns(web)]);
      await buildListening(web);
    }),
  );
  return 'built';
}

if (import.meta.main) {
  await buildWeb();
  printLargestParts();
}
