import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type ApiClient,
  playedBytes,
  sha256Hex,
  startTake,
  type OpenTake,
} from '#tests/support/api-client.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { filesBelow } from '#tests/support/files-below.ts';
import { emptyPostgres, launchOn, storeSpeechAs, userOf } from '#tests/support/recorded-server.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { type Receipt, storeTake, streamBytes } from './take-bytes.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';

const runningTakes = 20;
const finishedTakes = 30;
const appendEveryMs = 500;

/** Appends to both streams of a take twice a second until it is stopped. */
function record(client: ApiClient, take: OpenTake, isStopped: () => boolean): Promise<void> {
  const append = async (uploadId: string, pieceBytes: number): Promise<void> => {
    for (let offsetBytes = 0; !isStopped(); offsetBytes += pieceBytes) {
      const bytes = streamBytes(offsetBytes, pieceBytes);
      const { status } = await client.append({ uploadId, token: take.token, offsetBytes, bytes });
      expect(status).toBe(204);
      await delay(appendEveryMs);
    }
  };
  return Promise.all([append(take.audioId, 3000), append(take.peaksId, 50)]).then(() => undefined);
}

const contentsIn = (target: string): number => filesBelow(join(target, 'blobs')).length;

const cli = join(import.meta.dirname, '..', '..', 'src', 'server', 'cli.ts');

/** Starts a backup, and kills it once it has copied so many files more. */
async function killedBackup(environment: Record<string, string>, target: string, copiedCount: number) {
  const before = contentsIn(target);
  const child = spawn(process.execPath, [cli, 'backup', target], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => {
    child.once('exit', (_code, signal) => {
      resolve(signal);
    });
  });
  while (child.exitCode === null && contentsIn(target) < before + copiedCount) await delay(5);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
}

const listSchema = z.object({
  backups: z.array(z.object({ sizeBytes: z.number(), copiedBytes: z.number(), startedAtMs: z.number() })),
});

async function backupsIn(target: string) {
  const { code, output } = await runEarshot({}, 'backups', target, '--verify', '--json');
  expect({ code, output }).toMatchObject({ code: 0 });
  return listSchema.parse(JSON.parse(output)).backups;
}

const environmentOf = ({ dataDir, databaseUrl }: EarshotServer): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
});

test.for([
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
])(
  'restores every receipt from %s into %s after a backup under load that was killed twice',
  async ([from, to], { skip }) => {
    if (!hasPostgres) return skip('PostgreSQL is not installed');
    const database = async (kind: string | undefined): Promise<Record<string, string>> =>
      kind === 'PostgreSQL' ? { DATABASE_URL: await emptyPostgres() } : {};
    const server = await launchOn(newFolder(), await database(from));
    const environment = environmentOf(server);
    const { client, user } = await userOf(server);
    const speech = await storeSpeechAs(client, 'Speech');
    const receipts: Receipt[] = [];
    for (let seed = 1; seed <= finishedTakes; seed += 1) receipts.push(...(await storeTake(client, seed)));
    let isStopped = false;
    const takes: OpenTake[] = [];
    for (let index = 0; index < runningTakes; index += 1)
      takes.push(await startTake(client, `Running ${index}`));
    const recording = Promise.all(takes.map((take) => record(client, take, () => isStopped)));

    const target = newFolder();
    await killedBackup(environment, target, 5);
    await killedBackup(environment, target, 30);
    const { code, output } = await runEarshot(environment, 'backup', target);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(await backupsIn(target)).toHaveLength(1);

    const dataDir = newFolder();
    copyFileSync(join(server.dataDir, 'secret.key'), join(dataDir, 'secret.key'));
    const restoredTo = { DATA_DIR: dataDir, ...(await database(to)) };
    expect(await runEarshot(restoredTo, 'restore', target, '--verify')).toMatchObject({
      code: 0,
      output: expect.stringContaining(' 0 of them differ') as string,
    });
    isStopped = true;
    await recording;
    expect(await runEarshot(restoredTo, 'verify')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/(\d{2,}) streams verified, 0 damaged$/) as string,
    });

    const { client: again } = await userOf(await launchOn(dataDir, restoredTo), user);
    expect(await playedBytes(again, speech.id)).toEqual(speech.audio);
    for (const { recordingId, stream, sha256 } of receipts) {
      const path = join(dataDir, 'blobs', 'recordings', recordingId, `${stream}-0000`);
      expect(sha256Hex(readFileSync(path))).toBe(sha256);
    }

    // Nothing is recorded any more: the next two differ in nothing but the jobs that ran.
    await runEarshot(environment, 'backup', target);
    await runEarshot(environment, 'backup', target);
    const [newest] = await backupsIn(target);
    expect(newest?.copiedBytes).toBeLessThan((newest?.sizeBytes ?? 0) / 100);
  },
);
