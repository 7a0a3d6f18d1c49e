import { expect, test } from 'vitest';
import {
  expectNeighbourUnharmed,
  expectRestartHolds,
  launchServer,
  newUser,
  onEveryDatabase,
  stateOf,
} from './attack.ts';
import { startTake } from '#tests/support/api-client.ts';

onEveryDatabase((launch) => {
  test('a recording user harms no neighbour, and the server restarts', async () => {
    const server = await launch();
    const user = await newUser(server);
    await expectNeighbourUnharmed(server, async () => {
      const { recordingId } = await startTake(user);
      expect(await stateOf(user, recordingId)).toBe('receiving');
    });
    await expectRestartHolds(server);
  });
});

test('an attack that ends the process is detected', async () => {
  const server = await launchServer();
  await expect(
    expectNeighbourUnharmed(server, async () => {
      await server.end('SIGKILL');
    }),
  ).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);
});
