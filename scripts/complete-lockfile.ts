// Packages with a build for each platform list these builds as optional dependencies. npm writes only those into
// package-lock.json that it could look up, and `npm ci` then rejects the file. Run this after adding packages: it
// adds every such build in the version that its package requires, with its platform, so that the lockfile is
// complete on every machine.
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  libc?: string[];
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}
interface Lockfile {
  packages: Record<string, Entry>;
}

const systems: Record<string, string> = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  android: 'android',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
  wasm32: 'wasm32',
};
const processors: Record<string, string> = {
  x64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
};

function found(name: string, words: Record<string, string>): string[] {
  return name.split(/[-/]/).flatMap((word) => words[word] ?? []);
}

const libraries: Record<string, string> = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl' };

function buildEntry(name: string, version: string, parent: Entry): Entry {
  const [os, cpu, libc] = [found(name, systems), found(name, processors), found(name, libraries)];
  return {
    version,
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(parent.dev ? { dev: true } : {}),
    ...(libc.length > 0 && os.includes('linux') ? { libc } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  };
}

interface Options {
  path: string;
  parent: Entry;
  name: string;
  version: string;
}

/** Returns the platform builds that packages require in an exact version. */
function requestedOf(packages: Lockfile['packages']): Options[] {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(([, version]) => /^\d/.test(version))
      .map(([name, version]) => ({ path, parent, name, version })),
  );
}

/**
 * Adds or corrects the entry of every platform build that is required in an exact version. Returns their names.
 */
export function completeLockfile({ packages }: Lockfile): string[] {
  const requested = requestedOf(packages);
  const atTop = (name: string) => `node_modules/${name}`;
  const settled = new Set(
    requested
      .filter(({ name, version }) => packages[atTop(name)]?.version === version)
      .map(({ name }) => name),
  );
  const open = requested.filter(
    ({ path, name, version }) =>
      (packages[`${path}/node_modules/${name}`] ?? packages[atTop(name)])?.version !== version,
  );
  for (const { path, parent, name, version } of open) {
    // Two versions of one package cannot share the top level; the first one gets it.
    const isTaken = settled.has(name) && packages[atTop(name)]?.version !== version;
    packages[isTaken ? `${path}/node_modules/${name}` : atTop(name)] = buildEntry(name, version, parent);
    settled.add(name);
  }
  return open.map(({ name }) => name);
}

if (import.meta.main) {
  const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile;
  const completed = completeLockfile(lockfile);
  const sorted = {
    ...lockfile,
    packages: Object.fromEntries(Object.entries(lockfile.packages).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  if (completed.length > 0) writeFileSync('package-lock.json', `${JSON.stringify(sorted, null, 2)}\n`);
  console.log(`${completed.length} entries completed`);
}
