import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#scripts/free-port.ts';
import { compileCache, runCommandLine } from './run-earshot.ts';
import { ServerProcess } from './server-process.ts';

const main = join(import.meta.dirname, '..', '..', 'src', 'server', 'main.ts');

/** A real Earshot server in its own process, with its own data folder. */
export class EarshotServer {
  readonly url: string;
  readonly dataDir: string;
  readonly #process = new ServerProcess();
  readonly #port: number;
  readonly #environment: Record<string, string>;
  readonly #script: string;
  readonly #fileLimit: number | null;

  private constructor(
    port: number,
    {
      environment,
      dataDir,
      script,
      fileLimit,
    }: { environment: Record<string, string>; dataDir: string; script: string; fileLimit: number | null },
  ) {
    this.#port = port;
    this.#environment = environment;
    this.#script = script;
    this.#fileLimit = fileLimit;
    this.url = `http://localhost:${port}`;
    this.dataDir = dataDir;
  }

  /**
   * Starts a server on a free port. `script` replaces the product's main script, `fileLimit` limits its file
   * descriptors.
   */
  static async launch(
    environment: Record<string, string> = {},
    dataDir = mkdtempSync(join(tmpdir(), 'earshot-data-')),
    { script = main, fileLimit = null }: { script?: string; fileLimit?: number | null } = {},
  ): Promise<EarshotServer> {
    const server = new EarshotServer(await freePort(), { environment, dataDir, script, fileLimit });
    await server.start();
    return server;
  }

  /** Starts the process again after `end`, on the same port and data. */
  async start(): Promise<void> {
    const command: [string, ...string[]] =
      this.#fileLimit === null
        ? [process.execPath, this.#script]
        : ['sh', '-c', `ulimit -n ${this.#fileLimit} && exec "$0" "$1"`, process.execPath, this.#script];
    await this.#process.start(command, { env: this.#processEnvironment() });
  }

  #processEnvironment(): Record<string, string | undefined> {
    return {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      UV_THREADPOOL_SIZE: '32',
      PORT: String(this.#port),
      DATA_DIR: this.dataDir,
      LOG_LEVEL: 'warn',
      DISK_RESERVE_BYTES: '0',
      SIGN_UP_QUOTA_BYTES: '0',
      ...this.#environment,
    };
  }

  /** Runs an `earshot …` command on the same data. Returns its exit code and output. */
  command(...words: string[]): Promise<{ code: number; output: string }> {
    return runCommandLine(this.#processEnvironment(), words);
  }

  /** The URL of its database, if that is PostgreSQL. */
  get databaseUrl(): string | undefined {
    return this.#environment['DATABASE_URL'];
  }

  /** Its output so far. */
  get output(): string {
    return this.#process.output;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isRunning(): boolean {
    return this.#process.isRunning;
  }

  /** Ends it as a power cut would (SIGKILL) or in an orderly way (SIGTERM). */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    return this.#process.end(signal);
  }

  /** Ends it and removes its data folder. */
  async dispose(): Promise<void> {
    await this.end('SIGTERM');
    for (const name of readdirSync(this.dataDir))
      rmSync(join(this.dataDir, name), { recursive: true, force: true });
    // The owner of a mounted file system removes its mount point.
    try {
      rmdirSync(this.dataDir);
    } catch {
      /* The folder is a mount point. */
    }
  }
}
