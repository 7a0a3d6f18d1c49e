import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '#server/processes/limited-command.ts';

const root = join(import.meta.dirname, '..', '..');
/** The base image that deploy/Dockerfile names. */
const baseImage = 'docker.io/library/node:24-bookworm-slim';
const image = 'localhost/earshot:test';

/** The documentation and translations that Debian's slim images leave out as well. */
const leftOut = ['/usr/share/doc/*', '/usr/share/info/*', '/usr/share/locale/*', '/usr/share/man/*'];

const sources = `Types: deb
URIs: http://deb.debian.org/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://deb.debian.org/debian-security
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;

const find = (program: string): string | null => findProgram(program, process.env['PATH'] ?? '');

/** Why the image cannot be built on this machine; null if it can. */
export function obstacle(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root';
  const missing = ['buildah', 'mmdebstrap', 'nsenter', 'unshare'].filter((program) => find(program) === null);
  if (missing.length > 0) return `${missing.join(' and ')} not installed`;
  const isAllowed = spawnSync('unshare', [
    '--mount',
    '--pid',
    '--fork',
    'mount',
    '-t',
    'tmpfs',
    'tmpfs',
    '/mnt',
  ]);
  return isAllowed.status === 0 ? null : 'may not mount file systems';
}

/** Runs a program to its end. Returns its output; rejects with the end of it if it fails. */
export function run(
  program: string,
  args: readonly string[],
  { cwd = root, signal }: { cwd?: string; signal?: AbortSignal } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('nice', [program, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
    });
    let [output, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else
        reject(
          new Error(`${program} ${args[0] ?? ''} ended with ${code}:\n${(output + errors).slice(-4000)}`),
        );
    });
  });
}

/**
 * Makes the root of a stand-in for Node's official image: Debian without what its slim image leaves out, this
 * run's Node, npm, and the user `node`.
 */
async function makeBaseRoot(folder: string, signal: AbortSignal): Promise<void> {
  await run(
    'mmdebstrap',
    [
      '--quiet',
      '--variant=minbase',
      ...leftOut.map((path) => `--dpkgopt=path-exclude=${path}`),
      '--customize-hook=chroot "$1" useradd --uid 1000 --create-home --shell /bin/bash node',
      'bookworm',
      folder,
    ],
    { signal },
  );
  await rm(join(folder, 'etc/apt/sources.list'));
  await writeFile(join(folder, 'etc/apt/sources.list.d/debian.sources'), sources);
  const [node, npm] = await Promise.all([realpath(process.execPath), realpath(find('npm') ?? '')]);
  await cp(node, join(folder, 'usr/local/bin/node'));
  await cp(dirname(dirname(npm)), join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true });
  await run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm')]);
}

/** This machine's way to npm's registry, as secrets of the build. */
async function secretsOfHost(signal: AbortSignal): Promise<string[]> {
  const setting = async (name: string): Promise<string> =>
    (await run('npm', ['config', 'get', name], { signal })).trim();
  const npmrc = await setting('userconfig');
  const authorities = process.env['NODE_EXTRA_CA_CERTS'] ?? (await setting('cafile'));
  return [
    ...(existsSync(npmrc) ? ['--secret', `id=npmrc,src=${npmrc}`] : []),
    ...(authorities !== '' && existsSync(authorities) ? ['--secret', `id=ca,src=${authorities}`] : []),
  ];
}

/** An image's configuration, as Docker stores it. */
interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Volumes: Record<string, unknown>;
  Healthcheck: { Test: string[] };
}

export interface BuiltImage {
  config: ImageConfig;
  /** The folder with the image's files. */
  root: string;
  sizeBytes: number;
}

async function sizeOf(folder: string): Promise<number> {
  const [kibibytes = ''] = (await run('du', ['--summarize', '--one-file-system', folder])).split('\t');
  return Number(kibibytes) * 1024;
}

/**
 * Builds deploy/Dockerfile without a registry and without a daemon, into `folder`, on a base image that is made
 * here. What an earlier build left in the folder is used again, its steps only with `reusesLayers`.
 */
export async function buildImage(
  folder: string,
  { reusesLayers, signal }: { reusesLayers: boolean; signal: AbortSignal },
): Promise<BuiltImage> {
  const store = [
    '--root',
    join(folder, 'store'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ];
  const buildah = (command: string, ...args: string[]): Promise<string> =>
    run('buildah', [...store, command, ...args], { signal });
  await mkdir(folder, { recursive: true });
  const isBaseMade = (await buildah('images', '--quiet', '--filter', `reference=${baseImage}`)).trim() !== '';
  if (!isBaseMade) {
    const base = join(folder, 'base');
    await makeBaseRoot(base, signal);
    const fromScratch = (await buildah('from', 'scratch')).trim();
    await buildah('add', '--quiet', fromScratch, base, '/');
    await buildah('commit', '--quiet', '--rm', fromScratch, baseImage);
    await rm(base, { recursive: true });
  }
  await buildah(
    'build',
    '--pull-never',
    '--isolation=chroot',
    '--format=docker',
    `--layers=${reusesLayers}`,
    ...(await secretsOfHost(signal)),
    '--file',
    'deploy/Dockerfile',
    '--tag',
    image,
    '.',
  );
  const inspected: { Docker: { config: ImageConfig } } = JSON.parse(
    await buildah('inspect', '--type', 'image', image),
  );
  // An earlier run in the same folder left its container.
  await buildah('rm', '--all');
  const container = (await buildah('from', '--pull-never', image)).trim();
  const mounted = (await buildah('mount', container)).trim();
  return { config: inspected.Docker.config, root: mounted, sizeBytes: await sizeOf(mounted) };
}
