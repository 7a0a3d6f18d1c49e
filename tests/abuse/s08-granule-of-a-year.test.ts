import { second } from '#base/duration.ts';
import { expect, test } from 'vitest';
import { oggEndingAt } from '#tests/support/strange-sound.ts';
import {
  expectNeighbourUnharmed,
  launchServer,
  newUser,
  onEveryDatabase,
  sendTake,
  settledRecording,
} from './attack.ts';

const yearInSamples = 365n * 86_400n * 48_000n;

onEveryDatabase((launch) => {
  test('S8: a take whose last page claims a year is as long as its packets', async () => {
    const server = await launch();
    const attacker = await newUser(server);
    const recordingId = await sendTake(attacker, { bytes: oggEndingAt(yearInSamples), container: 'ogg' });
    expect(await settledRecording(attacker, recordingId)).toMatchObject({ state: 'ready', durationMs: 214 });
  });
});

test('S8: its conversion is as short, and delays no user', async () => {
  const server = await launchServer();
  const attacker = await newUser(server);
  const recordingId = await sendTake(attacker, { bytes: oggEndingAt(yearInSamples), container: 'ogg' });
  await settledRecording(attacker, recordingId);
  await expectNeighbourUnharmed(server, async () => {
    const wav = await attacker.send({
      method: 'GET',
      path: `/api/recordings/${recordingId}/download?format=wav`,
      headers: { cookie: attacker.cookie },
    });
    // 409: ffmpeg is not installed.
    expect([200, 409]).toContain(wav.status);
    expect(wav.body.length).toBeLessThan(second * 48 * 2);
  });
});
