import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';

/** Apache-2.0. It checks signatures and checksums, which the usual imitations of S3 do not. */
const program = 'github.com/versity/versitygw/cmd/versitygw';
const version = 'v1.8.0';

/** Outside of the working copy, so that every clone uses the same build. */
const cachedPath = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'earshot-tests',
  version,
  'versitygw',
);

/** Returns the path of the S3 server; null if it has not been built. */
export function findS3Server(): string | null {
  if (process.env.VERSITYGW_BIN) return process.env.VERSITYGW_BIN;
  return existsSync(cachedPath) ? cachedPath : null;
}

/** Builds the S3 server unless it has been built: two to four minutes of processor time. Returns null without Go. */
export function installS3Server(): string | null {
  const found = findS3Server();
  if (found !== null) return found;
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) return null;
  console.log(`Building ${program}@${version}, once (two to four minutes of processor time)…`);
  mkdirSync(dirname(cachedPath), { recursive: true });
  const { status } = spawnSync('nice', ['-n', '10', 'go', 'install', `${program}@${version}`], {
    stdio: 'inherit',
    env: { ...process.env, GOBIN: dirname(cachedPath) },
  });
  if (status !== 0) throw new Error(`go install ended with ${status}`);
  return cachedPath;
}

export const testS3Credentials = { accessKeyId: 'test-access', secretAccessKey: 'test-secret-key' };

/** An S3 server for the tests only, on loopback, with its own folder. */
export interface TestS3 {
  endpoint: string;
  /** Ends the process; what was stored stays. */
  stop(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  /** Ends the process and deletes everything. */
  dispose(): Promise<void>;
}

async function untilAnswering(endpoint: string, hasEnded: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (hasEnded()) throw new Error('the S3 server ended');
    const isAnswering = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (isAnswering) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  throw new Error('the S3 server did not become ready');
}

/** Starts a new S3 server without buckets. */
export async function startS3Server(bin: string): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let stop = async (): Promise<void> => undefined;
  const start = async (): Promise<void> => {
    const server = spawn(bin, ['--port', `127.0.0.1:${port}`, 'posix', directory], {
      stdio: 'ignore',
      env: {
        ...process.env,
        ROOT_ACCESS_KEY_ID: testS3Credentials.accessKeyId,
        ROOT_SECRET_ACCESS_KEY: testS3Credentials.secretAccessKey,
      },
    });
    const ended = new Promise<void>((resolve) => {
      server.once('exit', () => {
        resolve();
      });
    });
    stop = async () => {
      server.kill('SIGKILL');
      await ended;
    };
    await untilAnswering(endpoint, () => server.exitCode !== null);
  };
  await start();
  return {
    endpoint,
    start,
    stop: () => stop(),
    async dispose() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
