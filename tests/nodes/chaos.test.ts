import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { serverLimits } from '#contract/server-limits.ts';
import { sha256Hex, startTake } from '#tests/support/api-client.ts';
import { onPostgres } from '#tests/support/on-postgres.ts';
import { hasPrograms, installationUnderTest, patient, type Installation } from './installation.ts';
import { note } from './note.ts';
import { RecordingTake, type Wait } from './recording-take.ts';

const takeCount = 200;
const killCount = 12;
/** How long all nodes work between two kills. */
const calmMs = 2500;
const outageMs = 20_000;
/** A take that waits longer than this has been forgotten. It is far above what a busy machine takes. */
const maxWaitMs = 60_000;

async function openTakes(installation: Installation): Promise<RecordingTake[]> {
  const perUser = serverLimits.takesInProgress;
  const users = await Promise.all(
    Array.from({ length: takeCount / perUser }, async (_, user) => {
      const { client } = await installation.newUser();
      const takes: RecordingTake[] = [];
      for (let index = 0; index < perUser; index += 1)
        takes.push(new RecordingTake(client, await startTake(client), user * perUser + index + 1));
      return takes;
    }),
  );
  return users.flat();
}

/** Kills the next node and starts it again. */
async function killNode(installation: Installation, kill: number): Promise<void> {
  const { nodes } = installation;
  const node = nodes[kill % nodes.length];
  await node?.end('SIGKILL');
  await node?.start();
  await installation.untilAllReady();
}

/** Kills nodes in turn, stops the object store in the middle, and then restarts PostgreSQL once. */
async function runChaos(installation: Installation, stop: AbortSignal): Promise<{ restart: Wait }> {
  const { s3, postgres } = installation;
  let outage: Promise<void> = Promise.resolve();
  let restart = { fromMs: 0, toMs: 0 };
  for (let kill = 0; kill < killCount && !stop.aborted; kill += 1) {
    await delay(calmMs);
    if (kill === 2) {
      await s3.stop();
      outage = delay(outageMs).then(() => s3.start());
    }
    await killNode(installation, kill);
    if (kill !== 9) continue;
    const fromMs = Date.now();
    await postgres.restart();
    await installation.untilAllReady();
    restart = { fromMs, toMs: Date.now() };
  }
  await outage;
  await delay(calmMs);
  return { restart };
}

/** How many streams are not yet one object each. */
async function uncomposedCount({ postgres }: Installation): Promise<number> {
  return onPostgres(postgres.url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from blobs
       where key ~ '^recordings/.*/(audio|peaks)-0000$' and (
         exists (select from blob_pieces where blob_id = blobs.id)
         or (select count(*) from blob_objects where blob_id = blobs.id) <> 1)`,
    );
    return rows[0]?.count ?? Number.NaN;
  });
}

/** The longest of the waits that overlap a period, and of the others. */
function longest(waits: readonly Wait[], period: Wait): { within: number; outside: number } {
  const isWithin = ({ fromMs, toMs }: Wait): boolean => fromMs <= period.toMs && toMs >= period.fromMs;
  const maxWaitMs = (some: readonly Wait[]): number =>
    some.reduce((max, { fromMs, toMs }) => Math.max(max, toMs - fromMs), 0);
  return {
    within: maxWaitMs(waits.filter(isWithin)),
    outside: maxWaitMs(waits.filter((wait) => !isWithin(wait))),
  };
}

function statusesOf(takes: readonly RecordingTake[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const { audio, peaks } of takes)
    for (const [status, count] of [...audio.statuses, ...peaks.statuses])
      total[status] = (total[status] ?? 0) + count;
  return total;
}

describe.skipIf(!hasPrograms)('recording while nodes, PostgreSQL and the object store fail', () => {
  const installation = installationUnderTest({ movesOften: true });

  test(`${takeCount} takes lose no acknowledged byte, and are whole when they are played`, async () => {
    const takes = await openTakes(installation());
    const stop = new AbortController();
    const startedMs = performance.now();
    const stopAll = (): void => {
      stop.abort();
    };
    const recording = Promise.all(takes.map((take) => take.record(stop.signal)));
    const chaos = runChaos(installation(), stop.signal).finally(stopAll);
    // A take that fails ends the chaos, and the test waits for both.
    await Promise.allSettled([chaos, recording.catch(stopAll)]);
    await recording;
    const { restart } = await chaos;
    const recordedSeconds = Math.round((performance.now() - startedMs) / 1000);

    for (const take of takes) await take.seal();
    const readBack = async (): Promise<void> => {
      for (const take of takes) {
        const played = await take.playedAudio();
        expect([played.length, sha256Hex(played)]).toEqual([
          take.audio.lengthBytes,
          sha256Hex(take.audio.bytes),
        ]);
      }
    };
    for (const take of takes)
      await expect.poll(() => take.details(), patient).toMatchObject({ state: 'ready', gaps: [] });
    await readBack();
    await expect.poll(() => uncomposedCount(installation()), patient).toBe(0);
    await readBack();
    const verified = await installation().nodes[0]?.command('verify');
    expect(verified).toEqual({
      code: 0,
      output: expect.stringContaining(`${2 * takeCount} streams verified, 0 damaged`) as string,
    });

    const audio = takes.flatMap((take) => take.audio.waits);
    const { within, outside } = longest(audio, restart);
    note(
      `${takeCount} takes for ${recordedSeconds} s, ${killCount} kills; appends by answer: ${JSON.stringify(statusesOf(takes))}`,
    );
    note(
      `longest time without an acknowledgement: ${outside} ms; around the restart of PostgreSQL (${restart.toMs - restart.fromMs} ms until all nodes were ready): ${within} ms`,
    );
    note(`the bucket has ${(await installation().objectNames()).length} objects`);
    expect(Math.max(within, outside)).toBeLessThan(maxWaitMs);
  });
});
