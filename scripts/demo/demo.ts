// Earshot on a scratch folder, with a provider on this machine and a few recordings: for a look round without the internet.
// Never part of `npm start`.
import '../node-version.mjs';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hour, minute } from '../../src/base/duration.ts';
import { buildWeb } from '../build-web.ts';
import { choosePage } from './choose-page.ts';
import { startLocalIssuer, type LocalPerson } from './local-issuer.ts';
import { storeSampleRecordings } from './sample-recordings.ts';
import { signInAs } from './sign-in-as.ts';

const people: readonly LocalPerson[] = [
  { sub: 'demo-ada', claims: { name: 'Ada Demo', preferred_username: 'ada', email: 'ada@demo.example', email_verified: true } },
  { sub: 'demo-karim', claims: { name: 'Karim Demo', preferred_username: 'karim', email: 'karim@demo.example', email_verified: true } },
];
const samples = [
  { title: 'A minute of speech', durationMs: minute },
  { title: 'Ten minutes, to look around in', durationMs: 10 * minute },
  { title: 'Two hours, which open at once', durationMs: 2 * hour },
];
const usualPort = 3000;

const portOr = (wanted: number): Promise<number> => new Promise((resolve, reject) => {
  const probe = createServer();
  probe.once('error', () => { if (wanted === 0) reject(new Error('no port is free')); else portOr(0).then(resolve, reject); });
  probe.listen(wanted, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => { resolve(address === null || typeof address === 'string' ? wanted : address.port); });
  });
});

function startEarshot(environment: Record<string, string>): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, UV_THREADPOOL_SIZE: '32', ...environment } });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => { reject(new Error(`the server ended with ${code}`)); });
    child.stdout.once('data', () => { resolve(child); });
  });
}

async function run(): Promise<void> {
  await buildWeb();
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-demo-'));
  const port = await portOr(Number(process.env['PORT'] ?? usualPort));
  const url = `http://localhost:${port}`;
  const client = { clientId: 'earshot-demo', clientSecret: randomBytes(32).toString('hex'), redirectUris: [`${url}/auth/demo/callback`] };
  const issuer = await startLocalIssuer({ port: 0, people, client, choosePage });
  const server = await startEarshot({
    PORT: String(port), PUBLIC_URL: url, DATA_DIR: dataDir, DATABASE_URL: '',
    OIDC_DEMO_ISSUER: issuer.issuer, OIDC_DEMO_NAME: 'Demo provider', OIDC_DEMO_CLIENT_ID: client.clientId, OIDC_DEMO_CLIENT_SECRET: client.clientSecret, OIDC_DEMO_TRUST_EMAIL: 'true',
  });
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    const ended = new Promise((resolve) => { server.once('exit', resolve); });
    server.kill('SIGTERM');
    await ended;
    await issuer.stop();
    await rm(dataDir, { recursive: true, force: true });
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => { void stop(); });
  const ada = await signInAs(url, 'demo', 'demo-ada');
  await storeSampleRecordings(ada, samples);
  ada.close();
  console.log(`Earshot DEMO is ready at ${url}. Nothing here is kept: Ctrl+C ends it and removes its data.

  Sign in:       "Demo provider", as Ada (who has recordings) or Karim.
  Link:          create an account with a password, then Settings, Account, and link Demo provider.
  Held requests: sign in as Ada in two browsers; in one, sign the other out under Settings, Account; in the other,
                 rename a recording, sign in again, and see the new name.`);
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
