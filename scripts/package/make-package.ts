import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import { filesBelow } from '../web-build-state.ts';
import { externalPackage } from './bundle-server.ts';
import { elfMachine } from './elf-machine.ts';
import { type Architecture, PackageError, writeNativePackage, writeNode } from './platform-packages.ts';

const root = join(import.meta.dirname, '..', '..');

/** What a package has of this folder as it is. */
const copied = [
  'bin',
  'dist/web',
  'dist/source-maps',
  'deploy',
  'docs/self-hosting',
  'docs/upgrading.md',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
];
/** Pseudo-locales are for tests, glossaries for translators. */
const isShipped = (path: string): boolean => !/(?:en-XA\.po|ar-XB\.po|glossary)$/.test(path);

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
});

export interface PackageOptions {
  /** The server's bundle (`bundleServer`). */
  bundle: string;
  /** Where the package is written. */
  outDir: string;
  architecture: Architecture;
  /** Replaces the version of package.json. */
  version?: string | undefined;
  /** Of gzip, from 1 to 9. */
  compression?: number;
  /** When its files were changed, in seconds since 1970. */
  modifiedAtSeconds: number;
}

/** The name, version, description and licence of this version. */
export const ownManifest = async (): Promise<z.output<typeof manifestSchema>> =>
  manifestSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));

/**
 * Compares the processor of every binary with that of the package.
 * @throws PackageError if one is for another processor, or there is none
 */
async function checkBinaries(directory: string, architecture: Architecture): Promise<string[]> {
  const binaries: string[] = [];
  for (const path of await filesBelow(directory)) {
    const machine = await elfMachine(path);
    if (machine === null) continue;
    const name = relative(directory, path);
    if (machine !== architecture)
      throw new PackageError(`${name} is not for ${architecture}, but for ${machine}.`);
    binaries.push(name);
  }
  if (!binaries.includes('runtime/node')) throw new PackageError('There is no Node in the package.');
  return binaries;
}

/** Writes the folder of a package. */
async function stage(directory: string, { bundle, architecture, version }: PackageOptions): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(join(directory, 'dist'), { recursive: true });
  for (const path of copied) await cp(join(root, path), join(directory, path), { recursive: true });
  await cp(join(root, 'locales'), join(directory, 'locales'), { recursive: true, filter: isShipped });
  await cp(bundle, join(directory, 'dist', 'server'), { recursive: true });
  await rename(
    join(directory, 'dist', 'server', 'THIRD-PARTY-LICENSES.md'),
    join(directory, 'THIRD-PARTY-LICENSES.md'),
  );
  await writeNode(architecture, join(directory, 'runtime'));
  await writeNativePackage(externalPackage, architecture, join(directory, 'node_modules'));
  const manifest = await ownManifest();
  await writeFile(
    join(directory, 'package.json'),
    `${JSON.stringify({ ...manifest, version: version ?? manifest.version, private: true, type: 'module' }, null, 2)}\n`,
  );
}

/** Archives a folder, in the order of the names and without the user who made it. */
async function archive(
  directory: string,
  path: string,
  { compression = 9, modifiedAtSeconds }: Pick<PackageOptions, 'compression' | 'modifiedAtSeconds'>,
): Promise<void> {
  const tar = spawn(
    'tar',
    [
      '--format=gnu',
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u=rwX,go=rX',
      `--mtime=@${modifiedAtSeconds}`,
      '-C',
      dirname(directory),
      '-cf',
      '-',
      basename(directory),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('close', resolve);
  });
  await Promise.all([
    pipeline(tar.stdout, createGzip({ level: compression }), createWriteStream(path)),
    ended.then((code) => {
      if (code !== 0) throw new PackageError(`tar ended with ${code}.`);
    }),
  ]);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export interface MadePackage {
  path: string;
  /** Its folder, which the archive contains. */
  directory: string;
  binaries: string[];
}

/**
 * Makes `earshot-<version>-linux-<architecture>.tar.gz`, and beside it the folder that it contains. The web app must
 * have been built.
 * @throws PackageError
 */
export async function makePackage(options: PackageOptions): Promise<MadePackage> {
  const version = options.version ?? (await ownManifest()).version;
  const directory = join(options.outDir, `earshot-${version}-linux-${options.architecture}`);
  await stage(directory, options);
  const binaries = await checkBinaries(directory, options.architecture);
  const path = `${directory}.tar.gz`;
  await archive(directory, path, options);
  return { path, directory, binaries };
}

/** Writes the file of checksums that `sha256sum --check` reads, in the folder of the packages. */
export async function writeChecksums(outDir: string, paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const path of paths) lines.push(`${await sha256Of(path)}  ${basename(path)}\n`);
  const file = join(outDir, 'SHA256SUMS');
  await writeFile(file, lines.join(''));
  return file;
}
