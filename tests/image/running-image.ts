import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#scripts/free-port.ts';
import type { BuiltImage } from './build-image.ts';

/** The user `node` of the base image. */
const userId = 1000;

/** What container engines set for an image that sets none. */
const defaultPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Mounts what a container has, makes the root read-only, and starts the image's own command as its own user. */
const startScript = `
set -eu
root=$1; data=$2; shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot "$root" /usr/bin/setpriv --reuid=${userId} --regid=${userId} --clear-groups --no-new-privs \\
  --bounding-set=-all --inh-caps=-all /usr/bin/env --ignore-environment "$@"
`;

export interface ProcessFacts {
  pid: number;
  command: string;
  userIds: number[];
  capabilities: string;
  /** Processor time that it has used so far. */
  processorMs: number;
}

/** The kernel counts processor time in hundredths of a second (sysconf(_SC_CLK_TCK) on every Linux). */
const tickMs = 10;

/** A container of the image: its own processes and mounts, a read-only root, and the network of this machine. */
export class RunningImage {
  readonly url: string;
  readonly startedInMs: number;
  readonly #child: ChildProcess;
  readonly #environment: string[];
  readonly #image: BuiltImage;

  private constructor(
    image: BuiltImage,
    started: { child: ChildProcess; environment: string[]; url: string; startedInMs: number },
  ) {
    this.#image = image;
    this.#child = started.child;
    this.#environment = started.environment;
    this.url = started.url;
    this.startedInMs = started.startedInMs;
  }

  /** Starts the image on a data folder, which is made, and waits until it is ready. */
  static async start(image: BuiltImage, dataFolder: string): Promise<RunningImage> {
    await mkdir(dataFolder, { recursive: true });
    await chown(dataFolder, userId, userId);
    const port = await freePort();
    const { config } = image;
    // Reachable from this machine alone: the container shares its network.
    const environment = [
      defaultPath,
      ...config.Env,
      'HOST=127.0.0.1',
      `PORT=${port}`,
      'DISK_RESERVE_BYTES=0',
      'SIGN_UP_QUOTA_BYTES=0',
    ];
    const startedAtMs = performance.now();
    const child = spawn(
      'unshare',
      [
        '--mount',
        '--pid',
        '--ipc',
        '--fork',
        '--kill-child',
        'sh',
        '-c',
        startScript,
        'sh',
        image.root,
        dataFolder,
        '--chdir',
        config.WorkingDir,
        ...environment,
        ...config.Entrypoint,
        ...config.Cmd,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    const url = `http://localhost:${port}`;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the container ended with ${child.exitCode}:\n${output}`);
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      if (answer?.ok === true) break;
      await delay(10);
    }
    const startedInMs = performance.now() - startedAtMs;
    return new RunningImage(image, { child, environment, url, startedInMs });
  }

  /** Processor time that its processes have used so far. */
  async processorMs(): Promise<number> {
    return (await this.processes()).reduce((sum, each) => sum + each.processorMs, 0);
  }

  /** The processes in the container, the first one first. */
  async processes(): Promise<ProcessFacts[]> {
    const found: ProcessFacts[] = [];
    let waiting = await childrenOf(this.#child.pid ?? 0);
    while (waiting.length > 0) {
      found.push(...(await Promise.all(waiting.map(factsOf))));
      waiting = (await Promise.all(waiting.map(childrenOf))).flat();
    }
    return found;
  }

  /** Runs a command in the container, as its user or as root. Returns its exit code and output. */
  async execute(
    command: readonly string[],
    { asRoot = false }: { asRoot?: boolean } = {},
  ): Promise<{ code: number; output: string }> {
    const id = String(asRoot ? 0 : userId);
    const [first] = await this.processes();
    return new Promise((resolve) => {
      const child = execFile(
        'nsenter',
        [
          `--target=${first?.pid}`,
          '--mount',
          '--pid',
          '--root',
          '--setuid',
          id,
          '--setgid',
          id,
          '/usr/bin/env',
          '--ignore-environment',
          '--chdir',
          this.#image.config.WorkingDir,
          ...this.#environment,
          ...command,
        ],
        { maxBuffer: 16 * 1024 ** 2 },
        (_error, stdout, stderr) => {
          resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
        },
      );
    });
  }

  /** Sends a signal to the container's first process. Returns the container's exit code. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const ended = new Promise<number | null>((resolve) => {
      this.#child.once('exit', resolve);
    });
    const [first] = await this.processes();
    if (first !== undefined) process.kill(first.pid, signal);
    return ended;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

async function factsOf(pid: number): Promise<ProcessFacts> {
  const [status, command, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
  ]);
  // The fields after the name, which may contain spaces: utime and stime are 14 and 15 (proc(5)).
  const [userTicks = 0, systemTicks = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  const field = (name: string): string => new RegExp(`^${name}:\\s+(.+)$`, 'm').exec(status)?.[1] ?? '';
  return {
    pid,
    command: command.replaceAll('\0', ' ').trim(),
    userIds: field('Uid').split('\t').map(Number),
    capabilities: field('CapEff'),
    processorMs: (userTicks + systemTicks) * tickMs,
  };
}

/** Removes a folder and everything below it. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(join(folder), { recursive: true, force: true });
