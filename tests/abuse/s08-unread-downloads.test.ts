import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { oggOfSilence } from '#tests/support/api-under-test.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { expectNeighbourUnharmed, launchServer, newUser, sendTake, settledRecording } from './attack.ts';

const downloads = 22;
const tenMinutesS = 600;

const pathOf = (recordingId: string): string => `/api/recordings/${recordingId}/download?format=wav`;

/** Starts downloads and never reads them. Returns the statuses received so far. */
function downloadUnread(server: EarshotServer, { cookie }: ApiClient, recordingId: string): number[] {
  const statuses: number[] = [];
  for (let count = 0; count < downloads; count += 1) {
    const outgoing = request(
      `${server.url}${pathOf(recordingId)}`,
      { headers: { cookie }, agent: false },
      (incoming) => {
        statuses.push(incoming.statusCode ?? 0);
        incoming.on('error', () => undefined);
        incoming.pause();
      },
    );
    outgoing.on('error', () => undefined);
    onTestFinished(() => {
      outgoing.destroy();
    });
    outgoing.end();
  }
  return statuses;
}

test('S8: unread downloads do not block other users’ conversions, and are ended automatically', async () => {
  const server = await launchServer();
  const [attacker, neighbour] = [await newUser(server), await newUser(server)];
  const [long, short] = [
    await sendTake(attacker, {
      bytes: oggOfSilence(tenMinutesS),
      container: 'ogg',
      durationMs: tenMinutesS * 1000,
    }),
    await sendTake(neighbour, { bytes: oggOfSilence(5), container: 'ogg', durationMs: 5000 }),
  ];
  await settledRecording(attacker, long);
  await settledRecording(neighbour, short);
  const statuses = downloadUnread(server, attacker, long);
  await expect.poll(() => statuses.length).toBeGreaterThan(10);
  await expectNeighbourUnharmed(server, async () => {
    const { status } = await neighbour.send({
      method: 'GET',
      path: pathOf(short),
      headers: { cookie: neighbour.cookie },
    });
    // 409: ffmpeg is not installed.
    expect([200, 409]).toContain(status);
  });
  // The attacker's first download must end before the second one starts. 409: ffmpeg is not installed.
  await expect
    .poll(() => statuses.filter((status) => status === 200 || status === 409).length, {
      timeout: 120_000,
      interval: 500,
    })
    .toBeGreaterThan(1);
});
