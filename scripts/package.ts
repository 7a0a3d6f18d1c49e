// `npm run package`: files that install Earshot without git, npm and a build (docs/self-hosting/package.md). Writes them
// to dist/packages.
import { execFileSync } from 'node:child_process';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWeb, WebBuildError } from './build-web.ts';
import { bundleServer } from './package/bundle-server.ts';
import { hasDpkgDeb, makeDeb } from './package/make-deb.ts';
import { makePackage, ownManifest, writeChecksums } from './package/make-package.ts';
import { architectures, PackageError } from './package/platform-packages.ts';

const root = join(import.meta.dirname, '..');
const outDir = join(root, 'dist', 'packages');
/** The largest package, in bytes. */
const maxBytes = 60_000_000;

/** When the newest commit was made, so that packages of one commit have the same times. */
function commitSeconds(): number {
  const given = Number(process.env['SOURCE_DATE_EPOCH'] ?? Number.NaN);
  if (Number.isInteger(given)) return given;
  try {
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
  } catch {
    return Math.floor(Date.now() / 1000);
  }
}

const { values } = parseArgs({
  options: {
    /** One processor instead of all. */
    arch: { type: 'string' },
  },
});

async function makeAll(): Promise<void> {
  // Everyone may read what is installed, whatever this user's own files allow.
  process.umask(0o022);
  const chosen = architectures.filter(
    (architecture) => values.arch === undefined || values.arch === architecture,
  );
  if (chosen.length === 0)
    throw new PackageError(
      `There is no package for ${values.arch}, only for ${architectures.join(' and ')}.`,
    );
  await buildWeb();
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  const bundle = join(root, 'dist', 'server-bundle');
  await bundleServer(bundle);
  const { version, description } = await ownManifest();
  const withDebs = hasDpkgDeb();
  if (!withDebs) console.log('There is no dpkg-deb here, so no Debian packages are made.');
  const paths: string[] = [];
  for (const architecture of chosen) {
    const options = { outDir, architecture, modifiedAtSeconds: commitSeconds() };
    const made = await makePackage({ ...options, bundle });
    const { path, directory, binaries } = made;
    await rm(directory, { recursive: true });
    const { size } = await stat(path);
    console.log(
      `${basename(path)}: ${(size / 1e6).toFixed(1)} MB; binaries for ${architecture}: ${binaries.join(', ')}`,
    );
    if (size > maxBytes) throw new PackageError(`${basename(path)} has ${size} bytes, at most ${maxBytes}.`);
    paths.push(path);
    if (withDebs) paths.push(await makeDeb({ ...options, made, version, description }));
  }
  await rm(bundle, { recursive: true });
  console.log(`Checksums: ${await writeChecksums(outDir, paths)}`);
}

try {
  await makeAll();
} catch (error) {
  console.error(error instanceof PackageError || error instanceof WebBuildError ? error.message : error);
  process.exitCode = 1;
}
