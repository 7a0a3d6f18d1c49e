import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

/** A PostgreSQL server for the tests only, on loopback, deleted when stopped. */
export interface TestPostgres {
  url: string;
  /** The process id of the server. */
  readonly pid: number;
  /** Ends it as a crash would. Its data stay until `stop`. */
  end(): Promise<void>;
  /** Ends it as a crash would, and starts it again on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A server that replays what a primary writes. */
export interface TestStandby extends Pick<TestPostgres, 'url' | 'stop'> {
  /** Makes it a primary. Resolves once it accepts writes. */
  promote(): Promise<void>;
}

/** Returns the folder of PostgreSQL's newest programs; null if version 15 or later is not installed. */
export function findPostgres(): string | null {
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN;
  const home = '/usr/lib/postgresql';
  if (!existsSync(home)) return null;
  const versions = readdirSync(home)
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a);
  const newest = versions.find((version) => existsSync(join(home, String(version), 'bin', 'initdb')));
  return newest === undefined ? null : join(home, String(newest), 'bin');
}

/** PostgreSQL refuses to run as root, so root switches to the account that its package created. */
function asPostgresUser(command: string, args: string[]): [string, string[]] {
  return process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args];
}

async function untilReady(bin: string, port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    try {
      execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-q']);
      return;
    } catch {
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  }
  throw new Error('postgres did not become ready');
}

function newDirectory(parent: string): string {
  const directory = mkdtempSync(join(parent, 'earshot-postgres-'));
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', directory]);
  return directory;
}

/** Starts a server on a cluster in the folder `data` of a directory, which is deleted when it is stopped. */
async function startServer(
  bin: string,
  { directory, settings }: { directory: string; settings: readonly string[] },
): Promise<TestPostgres> {
  const data = join(directory, 'data');
  const port = await freePort();
  const [command, args] = asPostgresUser(join(bin, 'postgres'), [
    '-D',
    data,
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-k',
    directory,
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(command, args, { stdio: 'ignore' });
    await untilReady(bin, port, server);
    return server;
  };
  let server = await start();
  /** The first line of the file that the server writes (storage-file-layout in PostgreSQL's manual). */
  const serverPid = (): number | null => {
    const file = join(data, 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null;
  };
  // When this process is interrupted, nothing asynchronous runs any more.
  const endAtOnce = (): void => {
    const pid = serverPid();
    try {
      if (pid !== null) process.kill(pid, 'SIGKILL');
    } catch {
      /* A server that crashed leaves its file behind. */
    }
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', endAtOnce);
  const end = async (): Promise<void> => {
    if (server.exitCode !== null) return;
    const ended = once(server, 'exit');
    execFileSync(...asPostgresUser(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop']), {
      stdio: 'ignore',
    });
    await ended;
  };
  return {
    url: `postgres://earshot@127.0.0.1:${port}/postgres`,
    get pid() {
      return serverPid() ?? server.pid ?? 0;
    },
    end,
    async restart() {
      await end();
      server = await start();
    },
    async stop() {
      await end();
      process.off('exit', endAtOnce);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a new cluster in a temporary folder. Unless `isDurable`, it is not crash-safe, because the tests do not need
 * its data after a power cut.
 * @param options.settings further settings of the server, such as `max_connections=200`
 * @param options.parent the folder in which its own is created
 * @throws Error when it cannot start
 */
export async function startPostgres(
  bin: string,
  {
    isDurable = false,
    settings = [],
    parent = tmpdir(),
  }: { isDurable?: boolean; settings?: string[]; parent?: string } = {},
): Promise<TestPostgres> {
  const directory = newDirectory(parent);
  const [initCommand, initArgs] = asPostgresUser(join(bin, 'initdb'), [
    '-D',
    join(directory, 'data'),
    '-U',
    'earshot',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  execFileSync(initCommand, initArgs, { stdio: 'pipe' });
  const fast = isDurable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'];
  return startServer(bin, { directory, settings: [...fast, ...settings] });
}

/**
 * Copies a running server, and starts a standby on the copy that streams from it.
 * @param options.port where the standby connects to its primary, on loopback
 * @param options.settings those of the primary: a standby must allow as many connections
 */
export async function startStandby(
  bin: string,
  { port, settings }: { port: number; settings: readonly string[] },
): Promise<TestStandby> {
  const directory = newDirectory(tmpdir());
  const data = join(directory, 'data');
  const primary = `host=127.0.0.1 port=${port} user=earshot`;
  const copy = ['-D', data, '-d', primary, '--checkpoint=fast', '--write-recovery-conf', '--no-sync'];
  const [command, args] = asPostgresUser(join(bin, 'pg_basebackup'), copy);
  // The primary may be reached through this process, so it must not be blocked.
  await promisify(execFile)(command, args);
  const server = await startServer(bin, { directory, settings });
  return {
    url: server.url,
    async promote() {
      const [program, words] = asPostgresUser(join(bin, 'pg_ctl'), ['-D', data, '--wait', 'promote']);
      await promisify(execFile)(program, words);
    },
    stop: () => server.stop(),
  };
}

/**
 * Runs `work` with the environment variables that make the database suites run on PostgreSQL too, and with the
 * server's process id. If it is not installed, prints a note and passes none.
 */
export async function withTestPostgres<T>(
  work: (environment: Record<string, string>, pid: number | null) => T | Promise<T>,
): Promise<T> {
  const bin = findPostgres();
  if (bin === null) {
    console.log(
      'PostgreSQL 15 or later is not installed: the database suites run on SQLite only. (Debian: apt-get install postgresql)',
    );
    return work({}, null);
  }
  const postgres = await startPostgres(bin);
  try {
    return await work({ TEST_POSTGRES_URL: postgres.url }, postgres.pid);
  } finally {
    await postgres.stop();
  }
}
