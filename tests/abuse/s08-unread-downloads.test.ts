import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { oggOfSilence } from '../support/api-under-test.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { EarshotServer } from '../support/earshot-server.ts';
import { expectNeighbourUnharmed, launchServer, newUser, sendTake, settledRecording } from './attack.ts';

const downloads = 22;
const tenMinutesS = 600;

const pathOf = (recordingId: string): string => `/api/recordings/${recordingId}/download?format=wav`;

/** Starts a download and never reads it. */
function downloadUnread(server: EarshotServer, user: ApiClient, recordingId: string): ClientRequest {
  const outgoing = request(`${server.url}${pathOf(recordingId)}`, { headers: { cookie: user.cookie }, agent: false }, (incoming) => { incoming.pause(); incoming.on('error', () => undefined); });
  outgoing.on('error', () => undefined);
  onTestFinished(() => { outgoing.destroy(); });
  outgoing.end();
  return outgoing;
}

test('S8: downloads that nobody reads stop no other user’s conversion, and end by themselves', async () => {
  const server = await launchServer();
  const [attacker, neighbour] = [await newUser(server), await newUser(server)];
  const [long, short] = [
    await sendTake(attacker, { bytes: oggOfSilence(tenMinutesS), container: 'ogg', durationMs: tenMinutesS * 1000 }),
    await sendTake(neighbour, { bytes: oggOfSilence(5), container: 'ogg', durationMs: 5000 }),
  ];
  await settledRecording(attacker, long);
  await settledRecording(neighbour, short);
  const unread = Array.from({ length: downloads }, () => downloadUnread(server, attacker, long));
  const [first] = await Promise.race(unread.map((outgoing) => once(outgoing, 'response') as Promise<[IncomingMessage]>));
  await expectNeighbourUnharmed(server, async () => {
    const { status } = await neighbour.send({ method: 'GET', path: pathOf(short), headers: { cookie: neighbour.cookie } });
    // 409: no ffmpeg here.
    expect([200, 409]).toContain(status);
  });
  // One of the attacker's own runs until it ends; a few wait, and the rest are refused.
  const running = unread.find((outgoing) => outgoing.socket?.destroyed === false);
  if (running) await once(running, 'close');
  expect([200, 409, 429]).toContain(first.statusCode);
});
