import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** The folder of this version: that of a checkout, or that of a package. */
export const ownFolder = dirname(findPackageJSON(import.meta.url) ?? '');
/** The code that runs: the sources of a checkout, or the bundle of a package. */
const ownCode = import.meta.filename.endsWith('.ts')
  ? 'src/{base,audio,contract,server}/**/*.ts'
  : 'dist/server/**/*.js';

/** The version of this code, from package.json. */
export async function ownVersion(): Promise<string> {
  const text = await readFile(join(ownFolder, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** Eight digits that distinguish this code from other code of the same version: a hash of the server's files. */
export async function ownBuild(): Promise<string> {
  const paths: string[] = [];
  for await (const path of glob(ownCode, { cwd: ownFolder }))
    if (!/\.(test|suite)\.ts$/.test(path)) paths.push(path);
  const hash = createHash('sha256');
  for (const path of paths.sort()) hash.update(`${path}\0`).update(await readFile(join(ownFolder, path)));
  return hash.digest('hex').slice(0, 8);
}
