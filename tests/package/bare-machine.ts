import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '#scripts/free-port.ts';

/** The libraries that a program of this machine loads. */
const librariesOf = (program: string): string[] =>
  [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(?:=> |^\s+)(\/\S+)/gm)].map(
    ([, path = '']) => path,
  );

/** Whether a root of its own can be made here. */
const canChangeRoot = process.getuid?.() === 0 && existsSync('/usr/sbin/chroot');

/**
 * A machine with nothing but `/bin/sh`, the C and C++ libraries, and packages below `/opt/earshot`. Where this process
 * may not change the root, only the environment is empty.
 */
export class BareMachine {
  static readonly limitation = canChangeRoot
    ? null
    : 'without a root of its own, because only root may make one';
  readonly root = mkdtempSync(join(tmpdir(), 'earshot-bare-'));
  readonly #folder = join(this.root, 'opt', 'earshot');
  #port = 0;
  #server: ChildProcess | null = null;
  #output = '';

  /** Unpacks an archive beside the other versions. */
  unpack(archive: string): void {
    mkdirSync(this.#folder, { recursive: true });
    execFileSync('tar', ['-xzf', archive, '-C', this.#folder]);
  }

  /** Copies what every machine has: a shell, and the libraries that it and these programs load. */
  prepare(programs: readonly string[]): void {
    if (!canChangeRoot) return;
    for (const path of ['/bin/sh', ...['/bin/sh', ...programs].flatMap(librariesOf)]) {
      mkdirSync(join(this.root, dirname(path)), { recursive: true });
      copyFileSync(path, join(this.root, path));
    }
    for (const folder of ['dev', 'tmp']) mkdirSync(join(this.root, folder), { recursive: true });
    execFileSync('mknod', ['-m', '666', join(this.root, 'dev', 'null'), 'c', '1', '3']);
  }

  /** Makes `/opt/earshot/current` link to a version, as docs/self-hosting/systemd.md does. */
  use(version: string): void {
    rmSync(join(this.#folder, 'next'), { force: true });
    symlinkSync(version, join(this.#folder, 'next'));
    renameSync(join(this.#folder, 'next'), join(this.#folder, 'current'));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get output(): string {
    return this.#output;
  }

  #spawn(words: readonly string[], environment: Record<string, string>): ChildProcess {
    const program = '/opt/earshot/current/bin/earshot';
    const [command, ...args]: [string, ...string[]] = canChangeRoot
      ? ['/usr/sbin/chroot', this.root, program, ...words]
      : [join(this.root, program), ...words];
    return spawn(command, args, { cwd: this.root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Runs a command in `/`, without settings. Returns its exit code and what it printed. */
  run(
    words: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<{ code: number | null; output: string }> {
    return new Promise((resolve, reject) => {
      const child = this.#spawn(words, environment);
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
          output += String(chunk);
        });
      child.once('error', reject);
      child.once('close', (code) => {
        resolve({ code, output });
      });
    });
  }

  /** Starts the server by the command without arguments, and waits until it is ready. Its only setting is the port. */
  async start(): Promise<void> {
    this.#port ||= await freePort();
    const child = this.#spawn([], { PORT: String(this.#port) });
    this.#server = child;
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => {
        reject(new Error(`the server ended with ${code}:\n${this.#output}`));
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
          this.#output += String(chunk);
          if (this.#output.endsWith(`${this.#port}\n`)) resolve();
        });
    });
  }

  /** Ends the server. Returns its exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const child = this.#server;
    this.#server = null;
    if (child === null || child.exitCode !== null) return null;
    const code = new Promise<number | null>((resolve) => {
      child.once('exit', resolve);
    });
    child.kill(signal);
    return code;
  }

  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  }
}
