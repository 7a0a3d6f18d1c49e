import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '#scripts/free-port.ts';
import { type CommandEnd, runProgram } from '#tests/support/run-earshot.ts';
import { ServerProcess } from '#tests/support/server-process.ts';

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
  readonly #server = new ServerProcess();

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
    return this.#server.output;
  }

  #command(words: readonly string[]): [string, ...string[]] {
    const program = '/opt/earshot/current/bin/earshot';
    return canChangeRoot
      ? ['/usr/sbin/chroot', this.root, program, ...words]
      : [join(this.root, program), ...words];
  }

  /** Runs a command in `/`, without other settings than these. */
  run(words: readonly string[], env: Record<string, string> = {}): Promise<CommandEnd> {
    return runProgram(this.#command(words), { cwd: this.root, env });
  }

  /** Starts the server by the command without arguments, and waits until it is ready. Its only setting is the port. */
  async start(): Promise<void> {
    this.#port ||= await freePort();
    await this.#server.start(this.#command([]), { cwd: this.root, env: { PORT: String(this.#port) } });
  }

  /** Ends the server. Returns its exit code. */
  stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    return this.#server.end(signal);
  }

  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  }
}
