import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import {
  startSession,
  findSession,
  touchSession,
} from '#server/features/accounts/sessions/sessions-store.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { storeUser } from '#tests/support/factories.ts';
import { ApiClient } from '#tests/support/api-client.ts';
import { percentile, round, type Section } from './figures.ts';
import { cpuMsOf } from './process-cpu.ts';

const password = 'a quiet harbour at dusk 7';
const concurrent = 50;
const rounds = 8;

/** Gives each user a separate network behind a trusted proxy, so that none reaches a rate limit. */
const headersOf = (account: number): Record<string, string> => ({
  'content-type': 'application/json',
  'sec-fetch-site': 'same-origin',
  'x-requested-with': 'earshot',
  'x-forwarded-for': `10.0.${account}.1`,
});

async function post(
  client: ApiClient,
  path: string,
  given: { account: number; body: object },
): Promise<void> {
  const reply = await client.send({
    method: 'POST',
    path,
    headers: headersOf(given.account),
    body: Buffer.from(JSON.stringify(given.body)),
  });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.body.toString()}`);
}

async function signIns(): Promise<Section> {
  const server = await EarshotServer.launch({ TRUSTED_PROXY_HOPS: '1' });
  const client = new ApiClient(server.url);
  const people = Array.from({ length: concurrent }, (_, account) => ({
    account,
    body: { email: `bench${account}@example.org`, password },
  }));
  for (const account of people) await post(client, '/auth/signup', account);
  const pid = server.pid ?? 0;
  const [cpuBefore, startedMs] = [cpuMsOf(pid), performance.now()];
  const timesMs: number[] = [];
  await Promise.all(
    people.map(async (account) => {
      for (let round = 0; round < rounds; round += 1) {
        const askedMs = performance.now();
        await post(client, '/auth/login', account);
        timesMs.push(performance.now() - askedMs);
      }
    }),
  );
  const [wallMs, cpuMs] = [performance.now() - startedMs, cpuMsOf(pid) - cpuBefore];
  client.close();
  await server.dispose();
  return {
    title: 'Signing in',
    note: `${concurrent} users sign in at the same time, ${rounds} times each, with argon2id at 46 MiB and one pass; one hash per core runs at a time.`,
    rows: [
      {
        'p50, ms': round(percentile(timesMs, 0.5)),
        'p99, ms': round(percentile(timesMs, 0.99)),
        'sign-ins a second': round((timesMs.length / wallMs) * 1000),
        'CPU per sign-in, ms': round(cpuMs / timesMs.length),
      },
    ],
  };
}

const people = 1000;
const lookUps = 20_000;

async function sessionLookUp(): Promise<Section> {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const database = await openSqliteDatabase({ path: join(directory, 'earshot.db') });
  const tokens: string[] = [];
  for (let account = 0; account < people; account += 1) {
    const { id: userId } = await storeUser(database.queries);
    const started = await startSession(
      database.queries,
      {
        userId,
        remember: true,
        proof: { method: 'password', isSecondFactor: false },
        label: '',
        ip: '192.0.2.1',
      },
      { clock: systemClock },
    );
    tokens.push(started.token);
  }
  const lookUp = async (index: number): Promise<void> => {
    const nowMs = systemClock.nowMs();
    const found = await findSession(database.queries, tokens[index % people] ?? '', nowMs);
    if (!found) throw new Error('a session is missing');
    await touchSession(database.queries, found.session, nowMs);
  };
  for (let index = 0; index < 2000; index += 1) await lookUp(index);
  const before = process.cpuUsage();
  for (let index = 0; index < lookUps; index += 1) await lookUp(index);
  const { user, system } = process.cpuUsage(before);
  await database.close();
  rmSync(directory, { recursive: true, force: true });
  return {
    title: 'Session lookup',
    note: `The first cost of every request with a cookie: finding the session and its user among ${people}, in SQLite.`,
    rows: [{ 'look-ups': lookUps, 'CPU per look-up, µs': round((user + system) / lookUps) }],
  };
}

/** Measures signing in, and looking up a session on each request. */
export async function signInBench(): Promise<Section[]> {
  return [await signIns(), await sessionLookUp()];
}
