import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  type ApiClient,
  playedBytes,
  sealTake,
  sha256Hex,
  startTake,
  type OpenTake,
} from '#tests/support/api-client.ts';
import { onPostgres } from '#tests/support/on-postgres.ts';
import { emptyPostgres, launchOn, storeSpeechAs, userOf } from '#tests/support/recorded-server.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';
import { type Receipt, storeTake, streamBytes } from './take-bytes.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';

const runningTakes = 8;
const finishedTakes = 30;
const appendEveryMs = 500;
const takeBytes = 200_000;

/** A take whose device appends to it twice a second, and tries again for as long as there is no server. */
class RunningTake {
  readonly take: OpenTake;
  readonly #audio: Buffer;
  readonly #peaks: Buffer;
  readonly #clientNow: () => ApiClient;
  /** How many bytes of the sound the server has acknowledged. */
  ackedBytes = 0;
  /** The longest time without an acknowledgement, in milliseconds. */
  maxGapMs = 0;
  isStopped = false;
  readonly ended: Promise<void>;

  constructor(take: OpenTake, seed: number, clientNow: () => ApiClient) {
    this.take = take;
    this.#audio = streamBytes(seed, takeBytes);
    this.#peaks = streamBytes(seed + 500, takeBytes / 50);
    this.#clientNow = clientNow;
    this.ended = this.#record();
  }

  async #record(): Promise<void> {
    const { audioId, peaksId } = this.take;
    const sizes = { audio: 0, peaks: 0 };
    let ackedAtMs = performance.now();
    while (!this.isStopped && sizes.audio < takeBytes) {
      try {
        sizes.audio = await this.#append(audioId, this.#audio.subarray(0, sizes.audio + 3000), sizes.audio);
        sizes.peaks = await this.#append(peaksId, this.#peaks.subarray(0, sizes.peaks + 60), sizes.peaks);
        this.maxGapMs = Math.max(this.maxGapMs, performance.now() - ackedAtMs);
        ackedAtMs = performance.now();
        this.ackedBytes = sizes.audio;
      } catch {
        // The device has the bytes, and repeats the call.
      }
      await delay(appendEveryMs);
    }
    const [audio, peaks] = [this.#audio.subarray(0, sizes.audio), this.#peaks.subarray(0, sizes.peaks)];
    await sealTake(this.#clientNow(), this.take, {
      audio: { lengthBytes: audio.length, sha256: sha256Hex(audio) },
      peaks: { lengthBytes: peaks.length, sha256: sha256Hex(peaks) },
      durationMs: 5000,
    });
  }

  /** Sends what follows `fromByte`. Returns the size on the server. */
  async #append(uploadId: string, bytes: Buffer, fromByte: number): Promise<number> {
    const upload = { uploadId, token: this.take.token };
    const { status, headers } = await this.#clientNow().append({
      ...upload,
      offsetBytes: fromByte,
      bytes: bytes.subarray(fromByte),
    });
    if (status === 204) return bytes.length;
    // The answer to an earlier call was lost.
    if (status === 409) return Number(headers['upload-offset']);
    throw new Error(`the append was answered with ${status}`);
  }
}

const cli = join(import.meta.dirname, '..', '..', 'src', 'server', 'cli.ts');

/** Starts a command and kills it once `isTime` returns true. */
async function killed(
  environment: Record<string, string>,
  words: string[],
  isTime: () => Promise<boolean>,
): Promise<void> {
  const child = spawn(process.execPath, [cli, ...words], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => {
    child.once('exit', (_code, signal) => {
      resolve(signal);
    });
  });
  while (child.exitCode === null && !(await isTime())) await delay(5);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
}

/** How many files the new place has. */
const movedCount = (url: string): Promise<number> =>
  onPostgres(url, async (client) => {
    const { rows } = await client.query<{ n: string }>('select count(*) as n from unfinished_move');
    return Number(rows[0]?.n);
  }).catch(() => 0);

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/(?:server\.(?:lock|json)|moved\.json|-shm|-wal)$/.test(path))
    .sort();

const sumsOf = (folder: string): string[] =>
  filesIn(folder).map((path) => `${path} ${sha256Hex(readFileSync(path))}`);

/** Writes a file of settings. */
function settingsOf(variables: Record<string, string>): string {
  const path = join(newFolder(), 'new.env');
  const lines = Object.entries(variables).map(([name, value]) => `${name}="${value}"\n`);
  writeFileSync(path, lines.join(''));
  return path;
}

/** Copies beside the running server; the command is killed twice. */
async function prepareInterrupted(
  oldPlace: Record<string, string>,
  settings: string,
  url: string,
): Promise<void> {
  await killed(oldPlace, ['move', settings], async () => (await movedCount(url)) >= 1);
  const before = await movedCount(url);
  await killed(oldPlace, ['move', settings], async () => (await movedCount(url)) > before);
  expect(await runEarshot(oldPlace, 'move', settings)).toMatchObject({
    code: 0,
    output: expect.stringContaining('run it with --finish') as string,
  });
}

/** With the same database, no tables follow that would take longer than noticing that files were copied. */
async function killFinish(oldPlace: Record<string, string>, settings: string, url: string): Promise<void> {
  const prepared = await movedCount(url);
  await killed(oldPlace, ['move', settings, '--finish'], async () => (await movedCount(url)) > prepared);
  await expect(launchOn(newFolder(), { DATABASE_URL: url })).rejects.toThrow('earshot move');
}

/** Waits until each take has as much more as six appends. */
async function untilTheyContinue(takes: readonly RunningTake[], before: readonly number[]): Promise<void> {
  for (const [index, take] of takes.entries())
    await vi.waitFor(() => expect(take.ackedBytes).toBeGreaterThan((before[index] ?? 0) + 18_000), {
      timeout: 60_000,
    });
}

const placeOf = ({ dataDir }: { dataDir: string }, databaseUrl: string | null): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
});

describe.skipIf(!hasS3 || !hasPostgres)('a move to PostgreSQL and an object store', () => {
  const bucket = testBucket();

  test.for([
    { from: 'SQLite', prefix: 'a', isSame: false },
    { from: 'the same PostgreSQL', prefix: 'b', isSame: true },
  ])(
    'takes everything from a disk and $from while takes are recorded, though it is killed',
    async ({ prefix, isSame }) => {
      const url = await emptyPostgres();
      const folder = newFolder();
      const oldPlace = placeOf({ dataDir: folder }, isSame ? url : null);
      const old = await launchOn(folder, oldPlace);
      const { client, user } = await userOf(old);
      const speech = await storeSpeechAs(client, 'Speech');
      const receipts: Receipt[] = [];
      for (let seed = 1; seed <= finishedTakes; seed += 1) receipts.push(...(await storeTake(client, seed)));
      const [purged] = await storeTake(client, 400);
      let clientNow = client;
      const takes: RunningTake[] = [];
      for (let index = 0; index < runningTakes; index += 1)
        takes.push(
          new RunningTake(await startTake(client, `Running ${index}`), 100 + index, () => clientNow),
        );
      const changed = {
        ...bucket.environment(),
        STORAGE_URL: (bucket.environment()['STORAGE_URL'] ?? '').replace('/test?', `/${prefix}?`),
        DATABASE_URL: url,
        SECRET_KEY: `base64:${readFileSync(join(folder, 'secret.key')).toString('base64')}`,
      };
      const settings = settingsOf(changed);

      await prepareInterrupted(oldPlace, settings, url);
      await expect(launchOn(newFolder(), changed)).rejects.toThrow('earshot move');
      expect((await runEarshot(oldPlace, 'move', settings, '--finish')).output).toContain('stop it');

      // What happens between the two steps.
      const purgedUrl = `/api/recordings/${purged?.recordingId}`;
      await client.json('DELETE', purgedUrl);
      await client.json('POST', `${purgedUrl}/purge`);
      receipts.push(...(await storeTake(client, 401)));
      const storedBefore = takes.map(({ ackedBytes }) => ackedBytes);

      await old.end('SIGTERM');
      const sums = sumsOf(join(folder, 'blobs'));
      if (!isSame) await killFinish(oldPlace, settings, url);
      const { code, output } = await runEarshot(oldPlace, 'move', settings, '--finish');
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringContaining('The move is complete.') as string,
      });
      expect(sumsOf(join(folder, 'blobs'))).toEqual(sums);
      clientNow = (await userOf(await launchOn(newFolder(), changed), user)).client;

      // The takes continue where the previous server had acknowledged them.
      await untilTheyContinue(takes, storedBefore);
      for (const take of takes) take.isStopped = true;
      await Promise.all(takes.map(({ ended }) => ended));
      expect(Math.max(...takes.map(({ maxGapMs }) => maxGapMs))).toBeLessThan(60_000);

      const left = await onPostgres(url, (connection) =>
        connection.query('select 1 from blobs where key like $1', [`recordings/${purged?.recordingId}/%`]),
      );
      expect(left.rows).toEqual([]);
      const verified = await runEarshot({ ...changed, DATA_DIR: newFolder() }, 'verify');
      expect(verified).toMatchObject({
        code: 0,
        output: expect.stringMatching(/\d+ streams verified, 0 damaged$/) as string,
      });
      const count = Number(/(\d+) streams verified/.exec(verified.output)?.[1]);
      expect(count).toBeGreaterThanOrEqual(receipts.length + 2 * takes.length);
      expect(await playedBytes(clientNow, speech.id)).toEqual(speech.audio);
      await expect(launchOn(folder, oldPlace)).rejects.toThrow(
        `The recordings of DATA_DIR=${folder} were moved to s3://earshot/${prefix}/`,
      );
      expect((await runEarshot(oldPlace, 'move', settings)).code).toBe(2);
    },
  );
});
