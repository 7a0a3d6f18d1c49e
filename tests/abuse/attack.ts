import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { ApiClient, appendAll, startTake, newId, sealTake, sha256Hex } from '#tests/support/api-client.ts';
import { oggOfSilence, peaksOf } from '#tests/support/api-under-test.ts';
import { copyPostgresTemplate } from '#tests/support/database-templates.ts';
import { addressOf, onPostgres } from '#tests/support/on-postgres.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { hasPostgres, testPostgresUrl as postgresUrl } from '#tests/support/test-postgres.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';

/** Limits for the neighbour during and after an attack. They are safety nets for slow machines, not benchmarks. */
const slowestAppendP99Ms = 500;
const slowestReadyMs = 10_000;
const appendEveryMs = 100;

/**
 * Launches a server in its own process, with jobs running, which ends with the test. Pass `DATABASE_URL` for
 * PostgreSQL.
 */
export async function launchServer(environment: Record<string, string> = {}): Promise<EarshotServer> {
  const server = await EarshotServer.launch(environment);
  onTestFinished(() => server.dispose());
  return server;
}

type Launch = (environment?: Record<string, string>) => Promise<EarshotServer>;

/** Declares tests that run on SQLite and, if `TEST_POSTGRES_URL` is set, on an empty PostgreSQL database. */
export function onEveryDatabase(declare: (launch: Launch) => void): void {
  describe('on SQLite', () => {
    declare(launchServer);
  });
  describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
    declare(async (environment) => {
      const database = `attack_${randomBytes(8).toString('hex')}`;
      await copyPostgresTemplate(postgresUrl, database);
      onTestFinished(async () => {
        await onPostgres(postgresUrl, (client) => client.query(`drop database ${database} with (force)`));
      });
      return launchServer({ ...environment, DATABASE_URL: addressOf(postgresUrl, database) });
    });
  });
}

/** Signs up a new user of this server. Returns their API client, which uses a real socket. */
export async function newUser(server: EarshotServer): Promise<ApiClient> {
  const client = new ApiClient(server.url);
  await client.signUp();
  onTestFinished(() => client.close());
  return client;
}

/** Sends JSON as this user. Returns the response's status, whatever it is. */
export async function statusOf(
  client: ApiClient,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<number> {
  const headers = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot', cookie: client.cookie };
  const reply =
    body === undefined
      ? await client.send({ method, path, headers })
      : await client.send({
          method,
          path,
          headers: { ...headers, 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify(body)),
        });
  return reply.status;
}

/** The additional field of the server's first sign-up: the set-up code that it printed. */
export function setUpOf(server: EarshotServer): { setUpCode?: string } {
  const setUpCode = /\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(server.output)?.[0];
  return setUpCode === undefined ? {} : { setUpCode };
}

/** The status of one request, anonymous unless its headers say otherwise. */
export async function anonymousStatus(
  server: EarshotServer,
  request: { path: string; method?: string; headers?: Record<string, string> },
): Promise<number> {
  const client = new ApiClient(server.url);
  const { status } = await client.send({ method: 'GET', ...request });
  client.close();
  return status;
}

/**
 * Appends to a take ten times a second until `signal` aborts. Returns the duration of each append in milliseconds.
 */
export async function appendUntil(
  client: ApiClient,
  take: { audioId: string; token: string },
  signal: AbortSignal,
): Promise<number[]> {
  const waitsMs: number[] = [];
  const piece = soundBytes(1200);
  for (let offsetBytes = 0; !signal.aborted; offsetBytes += piece.length) {
    const sentAtMs = performance.now();
    const reply = await client.append({
      uploadId: take.audioId,
      token: take.token,
      offsetBytes,
      bytes: piece,
    });
    waitsMs.push(performance.now() - sentAtMs);
    if (reply.status !== 204)
      throw new Error(`an append of the neighbour returned ${reply.status}: ${reply.body.toString()}`);
    await delay(Math.max(0, appendEveryMs - (performance.now() - sentAtMs)));
  }
  return waitsMs;
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/**
 * Records and finishes a take of five seconds and waits until it is ready. Returns the milliseconds since
 * `finish`.
 */
export async function readyAfterMs(client: ApiClient): Promise<number> {
  const take = await startTake(client);
  const [audio, peaks] = [oggOfSilence(5), peaksOf(5)];
  await appendAll(client, { uploadId: take.audioId, token: take.token }, { bytes: audio });
  await appendAll(client, { uploadId: take.peaksId, token: take.token }, { bytes: peaks });
  const sealed = (bytes: Uint8Array) => ({ lengthBytes: bytes.length, sha256: sha256Hex(bytes) });
  await sealTake(client, take, { audio: sealed(audio), peaks: sealed(peaks), durationMs: 5000 });
  const finishedAtMs = performance.now();
  await expect
    .poll(async () => stateOf(client, take.recordingId), { timeout: 60_000, interval: 50 })
    .toBe('ready');
  return performance.now() - finishedAtMs;
}

/** Sends a take with this file as its only segment, without peaks, and finishes it. Returns the recording's id. */
export async function sendTake(
  client: ApiClient,
  {
    bytes,
    container,
    durationMs = 1000,
  }: { bytes: Uint8Array; container: 'ogg' | 'webm' | 'mp4'; durationMs?: number },
): Promise<string> {
  const recordingId = newId();
  const registered = await client.json('PUT', `/api/recordings/${recordingId}`, {
    body: {
      title: 'Attack',
      startedAt: new Date().toISOString(),
      timeZone: 'UTC',
      source: 'microphone',
      format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
    },
  });
  const { token } = (registered as { upload: { token: string } }).upload;
  await sendSegment(client, { recordingId, token, bytes, container });
  await client.json('POST', `/api/recordings/${recordingId}/finish`, {
    token,
    body: { durationMs, segmentCount: 1, gaps: [], pauses: [] },
  });
  return recordingId;
}

/**
 * Sends a file as an import, optionally with the peaks that a device has computed, and finishes it. Returns the
 * recording's id.
 */
export async function sendImport(
  client: ApiClient,
  {
    bytes,
    name,
    durationMs = 1000,
    peaks,
  }: { bytes: Uint8Array; name: string; durationMs?: number; peaks?: Uint8Array },
): Promise<string> {
  const recordingId = newId();
  const registered = await client.json('PUT', `/api/recordings/${recordingId}`, {
    body: {
      title: name,
      startedAt: new Date().toISOString(),
      timeZone: 'UTC',
      source: 'import',
      format: { container: 'other', codec: 'unknown', sampleRateHz: 48_000, channels: 1 },
      file: { name, mediaType: '', sizeBytes: bytes.length, sha256: sha256Hex(bytes) },
    },
  });
  const { token } = (registered as { upload: { token: string } }).upload;
  if (peaks !== undefined) await sendSegment(client, { recordingId, token, bytes: peaks, stream: 'peaks' });
  await sendSegment(client, { recordingId, token, bytes, container: 'original' });
  await client.json('POST', `/api/recordings/${recordingId}/finish`, {
    token,
    body: { durationMs, segmentCount: 1, gaps: [], pauses: [] },
  });
  return recordingId;
}

async function sendSegment(
  client: ApiClient,
  {
    recordingId,
    token,
    bytes,
    stream = 'audio',
    container,
  }: {
    recordingId: string;
    token: string;
    bytes: Uint8Array;
    stream?: 'audio' | 'peaks';
    container?: string;
  },
): Promise<void> {
  const uploadId = newId();
  await client.json('PUT', `/api/uploads/${uploadId}`, {
    token,
    body: { recordingId, stream, segmentIndex: 0, container, startMs: 0, epoch: 1 },
  });
  await appendAll(client, { uploadId, token }, { bytes });
  await client.json('POST', `/api/uploads/${uploadId}/complete`, {
    token,
    body: { lengthBytes: bytes.length, sha256: sha256Hex(bytes), epoch: 1 },
  });
}

/** The fields of a recording that these tests check. */
export interface SeenRecording {
  id: string;
  state: string;
  durationMs: number;
  damagedAt: string | null;
  sizeBytes: number;
  rendition: string;
}

/** A recording as its owner sees it. */
export async function recordingOf(client: ApiClient, recordingId: string): Promise<SeenRecording> {
  return (await client.json('GET', `/api/recordings/${recordingId}`)) as SeenRecording;
}

/** Waits until a recording is ready or failed, and returns it. */
export async function settledRecording(client: ApiClient, recordingId: string): Promise<SeenRecording> {
  await expect
    .poll(async () => stateOf(client, recordingId), { timeout: 120_000, interval: 100 })
    .toMatch(/^(ready|failed)$/);
  return recordingOf(client, recordingId);
}

/** The state of one of this user's recordings. */
export async function stateOf(client: ApiClient, recordingId: string): Promise<string> {
  const reply = await client.json('GET', `/api/recordings/${recordingId}`);
  return (reply as { state: string }).state;
}

function expectAtMost(name: string, measuredMs: number, limitMs: number): void {
  if (measuredMs > limitMs)
    throw new Error(`${name}: ${Math.round(measuredMs)} ms, at most ${limitMs} ms allowed`);
}

function expectAlive(server: EarshotServer): void {
  if (!server.isRunning) throw new Error(`the server process ended:\n${server.output}`);
}

/**
 * Runs an attack while another user records. Fails if the neighbour's appends are slow, if a take of theirs takes
 * too long to be ready, or if the process ends.
 */
export async function expectNeighbourUnharmed(
  server: EarshotServer,
  attack: () => Promise<void>,
): Promise<void> {
  const neighbour = await newUser(server);
  const pid = server.pid;
  const recording = await startTake(neighbour);
  const attackEnded = new AbortController();
  const appending = appendUntil(neighbour, recording, attackEnded.signal);
  try {
    await Promise.race([attack(), appending]);
    expectAtMost('a take of five seconds is ready', await readyAfterMs(neighbour), slowestReadyMs);
  } finally {
    attackEnded.abort();
  }
  expectAtMost('p99 of the neighbour’s appends', percentile(await appending, 0.99), slowestAppendP99Ms);
  expectAlive(server);
  if (server.pid !== pid) throw new Error('the process was replaced during the attack');
}

/**
 * Restarts the server on its data as after a crash, and checks that a user can record a take: by default a new one.
 * Pass one who is signed in if the attack used up the sign-ups of its address, which survive the restart on PostgreSQL.
 */
export async function expectRestartHolds(server: EarshotServer, user?: ApiClient): Promise<void> {
  await server.end('SIGKILL');
  await server.start();
  expectAtMost(
    'a take is ready after the restart',
    await readyAfterMs(user ?? (await newUser(server))),
    slowestReadyMs,
  );
  expectAlive(server);
}
