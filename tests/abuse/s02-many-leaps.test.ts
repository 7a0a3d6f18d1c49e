import { minute } from '#base/duration.ts';
import { expect, test } from 'vitest';
import { webmAt } from '#tests/support/strange-sound.ts';
import {
  expectNeighbourUnharmed,
  expectRestartHolds,
  launchServer,
  newUser,
  onEveryDatabase,
  sendTake,
  settledRecording,
} from './attack.ts';

/** A packet every 18 minutes, 5,000 of them in 96 kB: 1,500 hours, of which all but ten minutes are silence. */
const manyLeaps = webmAt(Array.from({ length: 5000 }, (_, index) => index * 18 * minute));

onEveryDatabase((launch) => {
  test('S2: three takes of 96 kB that claim 1,500 hours each end soon, without delaying other users', async () => {
    const server = await launch();
    const attacker = await newUser(server);
    const takes: string[] = [];
    await expectNeighbourUnharmed(server, async () => {
      for (let take = 0; take < 3; take += 1)
        takes.push(await sendTake(attacker, { bytes: manyLeaps, container: 'webm' }));
    });
    for (const take of takes) {
      const recording = await settledRecording(attacker, take);
      expect(recording.damagedAt).not.toBeNull();
      // At most the silence that its bytes could hold, plus its ten minutes of audio.
      expect(recording.durationMs).toBeLessThan(180 * minute);
    }
    await expectRestartHolds(server);
  });
});

test('S2: one user’s files do not delay another’s', async () => {
  const server = await launchServer();
  const [attacker, user] = [await newUser(server), await newUser(server)];
  for (let take = 0; take < 4; take += 1) await sendTake(attacker, { bytes: manyLeaps, container: 'webm' });
  await expectNeighbourUnharmed(server, async () => {
    const recordingId = await sendTake(user, {
      bytes: webmAt(Array.from({ length: 40 }, (_, index) => index * 120)),
      container: 'webm',
    });
    expect(await settledRecording(user, recordingId)).toMatchObject({ state: 'ready', damagedAt: null });
  });
});
