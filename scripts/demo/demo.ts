// Runs Earshot on a temporary folder, with a local provider and a few recordings, to try it out offline. Never
// part of `npm start`.
import '../node-version.mjs';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '../build-web.ts';
import { choosePage } from './choose-page.ts';
import { startLocalIssuer, type LocalUser } from './local-issuer.ts';
import { demoInstructions } from './demo-instructions.ts';
import { runningSpeech, storeDemoRecordings } from './demo-recordings.ts';
import { recordUntilAborted } from './running-recording.ts';
import { signInAs } from './sign-in-as.ts';

const people: readonly LocalUser[] = [
  {
    sub: 'demo-ada',
    claims: { name: 'Ada Demo', preferred_username: 'ada', email: 'ada@demo.example', email_verified: true },
  },
  {
    sub: 'demo-karim',
    claims: {
      name: 'Karim Demo',
      preferred_username: 'karim',
      email: 'karim@demo.example',
      email_verified: true,
    },
  },
];
const defaultPort = 3000;

const portOr = (wanted: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () => {
      if (wanted === 0) reject(new Error('no port is free'));
      else portOr(0).then(resolve, reject);
    });
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(address === null || typeof address === 'string' ? wanted : address.port);
      });
    });
  });

function startEarshot(environment: Record<string, string>): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '32', ...environment },
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      reject(new Error(`the server ended with ${code ?? signal}`));
    });
    child.stdout.once('data', () => {
      resolve(child);
    });
  });
}

/** A server that restarts when it is killed, as under a service manager. */
class DemoServer {
  readonly #environment: Record<string, string>;
  #process: ChildProcess | null = null;
  #isStopping = false;

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  get processId(): number | undefined {
    return this.#process?.pid;
  }

  async start(): Promise<void> {
    this.#process = await startEarshot(this.#environment);
    this.#process.once('exit', (code, signal) => {
      void this.#restart(code ?? signal);
    });
  }

  async #restart(reason: number | string | null): Promise<void> {
    if (this.#isStopping) return;
    await this.start();
    console.log(
      `The server ended (${reason}) and is running again as process ${this.processId}. The running recording is complete: look at it.`,
    );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#process === null || this.#process.exitCode !== null || this.#process.signalCode !== null)
      return;
    const ended = new Promise((resolve) => {
      this.#process?.once('exit', resolve);
    });
    this.#process.kill('SIGTERM');
    await ended;
  }
}

async function run(): Promise<void> {
  await buildWeb();
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-demo-'));
  const port = await portOr(Number(process.env['PORT'] ?? defaultPort));
  const url = `http://localhost:${port}`;
  const client = {
    clientId: 'earshot-demo',
    clientSecret: randomBytes(32).toString('hex'),
    redirectUris: [`${url}/auth/demo/callback`],
  };
  const issuer = await startLocalIssuer({ port: 0, people, client, choosePage });
  const server = new DemoServer({
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    OIDC_DEMO_ISSUER: issuer.issuer,
    OIDC_DEMO_NAME: 'Demo provider',
    OIDC_DEMO_CLIENT_ID: client.clientId,
    OIDC_DEMO_CLIENT_SECRET: client.clientSecret,
    OIDC_DEMO_TRUST_EMAIL: 'true',
  });
  const stopping = new AbortController();
  const stop = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    await server.stop();
    await issuer.stop();
    await rm(dataDir, { recursive: true, force: true });
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      void stop();
    });
  await server.start();
  const ada = await signInAs(url, 'demo', 'demo-ada');
  await storeDemoRecordings(ada);
  void recordUntilAborted(
    ada,
    { title: 'A lecture, recording now', speech: await runningSpeech() },
    stopping.signal,
  );
  console.log(demoInstructions({ url, processId: server.processId }));
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
