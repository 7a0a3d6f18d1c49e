import { afterAll, describe, expect, test } from 'vitest';
import { findPostgres, startStandby, type TestPostgres } from '#scripts/postgres-for-tests.ts';
import { sha256Hex, startTake } from '#tests/support/api-client.ts';
import { onPostgres } from '#tests/support/on-postgres.ts';
import { TcpProxy } from '#tests/support/tcp-proxy.ts';
import { hasPrograms, installationUnderTest, patient, postgresSettings } from './installation.ts';
import { note } from './note.ts';
import { RecordingTake } from './recording-take.ts';

const takesPerKind = 6;

/** The bytes of a take's sound that a database has; null if it has none. */
async function storedBytes(url: string, { recordingId }: RecordingTake): Promise<number | null> {
  return onPostgres(url, async (client) => {
    const { rows } = await client.query<{ size: number }>(
      'select size_bytes::int as size from blobs where key = $1',
      [`recordings/${recordingId}/audio-0000`],
    );
    return rows[0]?.size ?? null;
  });
}

/** Whether a standby has replayed everything that its primary has written. */
async function isReplayed(url: string): Promise<boolean> {
  return onPostgres(url, async (client) => {
    const { rows } = await client.query<{ replayed: boolean }>(
      'select replay_lsn >= pg_current_wal_lsn() as replayed from pg_stat_replication',
    );
    return rows[0]?.replayed === true;
  });
}

describe.skipIf(!hasPrograms)(
  'recording while PostgreSQL is replaced by a standby that lacks its last seconds',
  () => {
    let database: TcpProxy | undefined;
    const installation = installationUnderTest({
      nodeCount: 2,
      movesOften: true,
      databaseUrl: async ({ url }: TestPostgres) => {
        database = await TcpProxy.open(url);
        return database.urlOf(url);
      },
    });
    afterAll(() => database?.close());

    test('running takes end whole, also those that the new primary has never seen', async () => {
      const { postgres } = installation();
      const replication = await TcpProxy.open(postgres.url);
      const standby = await startStandby(findPostgres() ?? '', {
        port: replication.port,
        settings: postgresSettings,
      });
      try {
        const { client } = await installation().newUser();
        let serialNumber = 0;
        const started = async (): Promise<RecordingTake[]> => {
          const takes: RecordingTake[] = [];
          while (takes.length < takesPerKind) {
            serialNumber += 1;
            takes.push(
              new RecordingTake(client, { ...(await startTake(client)), mayLose: true }, serialNumber),
            );
          }
          return takes;
        };
        const stop = new AbortController();
        const stopEarly = new AbortController();
        const [finished, sealed, running] = [await started(), await started(), await started()];
        const earlyEnd = Promise.all([...finished, ...sealed].map((take) => take.record(stopEarly.signal)));
        const recording = [Promise.all(running.map((take) => take.record(stop.signal)))];
        const untilAcknowledged = (takes: readonly RecordingTake[]) =>
          expect.poll(() => takes.every(({ audio }) => audio.acknowledgedBytes > 0), patient).toBe(true);
        await untilAcknowledged([...finished, ...sealed, ...running]);
        stopEarly.abort();
        await earlyEnd;
        for (const take of finished) await take.seal();
        await expect.poll(() => isReplayed(postgres.url), patient).toBe(true);

        // What follows is lost.
        replication.cut();
        const atCut = running.map(({ audio }) => audio.acknowledgedBytes);
        const unseen = await started();
        recording.push(Promise.all(unseen.map((take) => take.record(stop.signal))));
        for (const { audio, peaks } of sealed) await Promise.all([audio.seal(), peaks.seal()]);
        await untilAcknowledged(unseen);
        await expect
          .poll(
            () => running.every(({ audio }, index) => audio.acknowledgedBytes > (atCut[index] ?? 0)),
            patient,
          )
          .toBe(true);

        await postgres.end();
        await standby.promote();
        for (const take of running)
          expect(await storedBytes(standby.url, take)).toBeLessThan(take.audio.acknowledgedBytes);
        for (const take of unseen) expect(await storedBytes(standby.url, take)).toBeNull();
        const lostBytes = running.map(({ audio }) => audio.acknowledgedBytes);
        database?.switchTo(standby.url);
        await installation().untilAllReady();

        await expect
          .poll(() => [...running, ...unseen].every(({ audio }) => audio.losses > 0), patient)
          .toBe(true);
        await expect
          .poll(
            () => running.every(({ audio }, index) => audio.acknowledgedBytes > (lostBytes[index] ?? 0)),
            patient,
          )
          .toBe(true);
        stop.abort();
        await Promise.all(recording);
        for (const take of [...running, ...unseen, ...sealed]) await take.sealAfterLoss();
        const all = [...finished, ...sealed, ...running, ...unseen];
        for (const take of all) {
          await expect.poll(() => take.details(), patient).toMatchObject({ state: 'ready', gaps: [] });
          expect(sha256Hex(await take.playedAudio())).toBe(sha256Hex(take.audio.bytes));
        }
        expect(await installation().nodes[0]?.command('verify')).toEqual({
          code: 0,
          output: expect.stringContaining(`${2 * all.length} streams verified, 0 damaged`) as string,
        });
        note(`${all.length} takes ended whole after the promotion`);
      } finally {
        await standby.stop();
        await replication.close();
      }
    });
  },
);
