import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { freePort } from '#scripts/free-port.ts';
import { processTree } from '#tests/faults/world/process-tree.ts';
import { entriesBelow } from './files-below.ts';

const root = join(import.meta.dirname, '..', '..');
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });

/** The folders of the packages that `npm ci --omit=dev` installs on this machine. */
function productionPackages(): string[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(root, path, 'package.json')))
    .map(([path]) => path);
}

/**
 * Hard-links every file below a folder, which needs no disk space, or copies it where that is impossible. Nested
 * packages are left out.
 */
function linkPackage(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && entry.name !== 'node_modules') linkPackage(source, target);
    else if (entry.isFile()) {
      try {
        linkSync(source, target);
      } catch {
        copyFileSync(source, target);
      }
    }
  }
}

function linkProductionPackages(directory: string): void {
  for (const path of productionPackages()) linkPackage(join(root, path), join(directory, path));
  const commands = join(directory, 'node_modules', '.bin');
  mkdirSync(commands, { recursive: true });
  symlinkSync('../node/bin/node', join(commands, 'node'));
}

/**
 * A copy of the product's folder, deleted after the test. `packages` are those of `npm ci` or `npm ci --omit=dev`.
 */
export function copyProduct({
  packages,
  isBuilt,
}: {
  packages: 'all' | 'production';
  isBuilt: boolean;
}): string {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-product-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  chmodSync(directory, 0o755);
  for (const name of [
    'package.json',
    'package-lock.json',
    'src',
    'scripts',
    'locales',
    'vite.config.ts',
    'lingui.config.ts',
    'tsconfig.json',
    'tsconfig.base.json',
    ...(isBuilt ? ['dist'] : []),
  ]) {
    cpSync(join(root, name), join(directory, name), { recursive: true });
  }
  if (packages === 'all') symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  else linkProductionPackages(directory);
  return directory;
}

/** Every file and folder below a folder, with its size and modification time, also while a server writes there. */
export const listingOf = (directory: string): string[] =>
  entriesBelow(directory).map(({ path, stats: { size, mtimeMs } }) => `${path} ${size} ${mtimeMs}`);

/** If root runs the tests, the command runs as a user who owns no files. */
const asStranger = (command: string[]): string[] =>
  process.getuid?.() === 0 ? ['runuser', '-u', 'nobody', '--', ...command] : command;

/** A folder that the user of `npmStart` may write to. */
export function writableFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-start-data-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  chmodSync(directory, 0o777);
  return directory;
}

export interface StartedCommand {
  url: string;
  /** Resolves with the exit code and everything that was printed. */ ended: Promise<{
    code: number | null;
    output: string;
  }>;
  ready: Promise<void>;
  /** Resolves once this was printed. */
  printed: (text: string) => Promise<void>;
  /** The process of `scripts/start.mjs`, below npm's own (Linux). */
  startProcessId: () => number;
  stop: () => void;
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  } catch {
    /* It has already ended. */
  }
}

/** Runs `npm start` in a folder, as a user who owns no files where possible, or as the owner. */
export async function npmStart(
  directory: string,
  environment: Record<string, string>,
  { asOwner = false }: { asOwner?: boolean } = {},
): Promise<StartedCommand> {
  const port = String(await freePort());
  const [program = '', ...words] = asOwner ? ['npm', 'start'] : asStranger(['npm', 'start']);
  const { PATH = '' } = process.env;
  const path = PATH.split(':')
    .filter((folder) => !folder.startsWith(root))
    .join(':');
  const child = spawn(program, words, {
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: path,
      HOME: '/nonexistent',
      npm_config_update_notifier: 'false',
      DISK_RESERVE_BYTES: '0',
      SIGN_UP_QUOTA_BYTES: '0',
      PORT: port,
      ...environment,
    },
  });
  onTestFinished(() => {
    endGroup(child);
  });
  let output = '';
  const awaited = new Map<string, PromiseWithResolvers<void>>();
  const printed = (text: string): Promise<void> => {
    const wait = awaited.get(text) ?? Promise.withResolvers<void>();
    awaited.set(text, wait);
    wait.promise.catch(() => undefined);
    if (output.includes(text)) wait.resolve();
    return wait.promise;
  };
  const ready = printed('Earshot is ready');
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => {
      for (const { reject } of awaited.values())
        reject(new Error(`npm start ended with ${code}:\n${output}`));
      resolve({ code, output });
    });
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
      for (const [text, { resolve }] of awaited) if (output.includes(text)) resolve();
    });
  }
  return {
    url: `http://127.0.0.1:${port}`,
    ended,
    ready,
    printed,
    startProcessId: () => {
      // The first one: until a child has loaded its program, it has the command of its parent.
      const start = processTree(child.pid ?? 0).find(({ command }) =>
        /^\S*node \S*scripts\/start\.mjs/.test(command),
      );
      if (start === undefined) throw new Error('npm start runs no scripts/start.mjs');
      return start.pid;
    },
    stop: () => {
      endGroup(child);
    },
  };
}

/** Bind-mounts a folder read-only over itself. Returns false where this machine does not allow it. */
export function mountReadOnly(directory: string): boolean {
  try {
    execFileSync('/bin/mount', ['--bind', directory, directory], { stdio: 'pipe' });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync('/bin/umount', ['-l', directory]);
  });
  execFileSync('/bin/mount', ['-o', 'remount,ro,bind', directory], { stdio: 'pipe' });
  return true;
}
