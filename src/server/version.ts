import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');

/** The version of this code, from package.json. */
export async function ownVersion(): Promise<string> {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** Eight digits that distinguish this code from other code of the same version: a hash of the server's files. */
export async function ownBuild(): Promise<string> {
  const paths: string[] = [];
  for await (const path of glob('src/{base,audio,contract,server}/**/*.ts', { cwd: root }))
    if (!/\.(test|suite)\.ts$/.test(path)) paths.push(path);
  const hash = createHash('sha256');
  for (const path of paths.sort()) hash.update(`${path}\0`).update(await readFile(join(root, path)));
  return hash.digest('hex').slice(0, 8);
}
