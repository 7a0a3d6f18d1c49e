import { spawn, type ChildProcess } from 'node:child_process';

/** A server in its own process, which a test starts and ends any number of times. */
export class ServerProcess {
  #child: ChildProcess | null = null;
  #output = '';

  /** Its output so far, of all starts. */
  get output(): string {
    return this.#output;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Starts it, and waits until it prints its address.
   * @throws Error with its output if it ends before
   */
  async start(
    [program, ...words]: readonly [string, ...string[]],
    options: { env: Record<string, string | undefined>; cwd?: string },
  ): Promise<void> {
    const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.stderr.on('data', (chunk) => {
      this.#output += String(chunk);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => {
        reject(new Error(`the server ended with ${code}:\n${this.#output}`));
      });
      child.stdout.on('data', (chunk) => {
        this.#output += String(chunk);
        if (String(chunk).includes('http')) resolve();
      });
    });
  }

  /**
   * Ends it as a power cut would (SIGKILL) or in an orderly way (SIGTERM). Returns its exit code; null if it did not run.
   */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return null;
    const code = new Promise<number | null>((resolve) => {
      child.once('exit', resolve);
    });
    child.kill(signal);
    this.#child = null;
    return code;
  }
}
