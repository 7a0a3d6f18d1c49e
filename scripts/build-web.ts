import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { writePseudoCatalogues } from './catalogue/pseudo.ts';
import { buildForDrawing, drawStandIns } from './stand-ins.ts';

const root = join(import.meta.dirname, '..');
const inputs = ['src/web', 'src/workers', 'src/audio', 'src/contract', 'src/base', 'locales', 'scripts/catalogue', 'scripts/chunk-groups.ts', 'scripts/stand-ins.ts', 'src/server/http/page/page-kinds.ts', 'vite.config.ts', 'lingui.config.ts', 'package-lock.json'];
const stampFile = join(root, 'dist', 'web.stamp');

async function filesBelow(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function stampOfInputs(): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of (await filesBelow(join(root, input))).sort()) hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** The best quality makes files a twelfth smaller, for ten times the time: for the many words and the few giants the second best will do. */
const qualityFor = (file: string, { length }: Buffer): number => (length > 400_000 || file.includes('language') ? 9 : constants.BROTLI_MAX_QUALITY);

/** Writes `.br` and `.gz` beside every text file, so that the server compresses nothing while people wait. */
async function precompress(directory: string): Promise<void> {
  const texts = (await filesBelow(directory)).filter((file) => /\.(js|css|html|svg|json|webmanifest)$/.test(file));
  await Promise.all(texts.map(async (file) => {
    const bytes = await readFile(file);
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: qualityFor(relative(directory, file), bytes), [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }));
}

/** Builds `dist/web` unless what it was built from is unchanged. */
export async function buildWeb(): Promise<'built' | 'fresh'> {
  writePseudoCatalogues(join(root, 'locales'));
  const stamp = await stampOfInputs();
  const known = await readFile(stampFile, 'utf8').catch(() => null);
  if (known === stamp) return 'fresh';
  const web = join(root, 'dist', 'web');
  await Promise.all([build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' }), buildForDrawing()]);
  await Promise.all([precompress(web), drawStandIns(web)]);
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(stampFile, stamp);
  return 'built';
}

if (import.meta.main) await buildWeb();
