import { expect, test } from 'vitest';
import { expectNeighbourUnharmed, expectRestartHolds, launchServer, testOnEveryDatabase } from './attack.ts';

testOnEveryDatabase('an attack that does nothing harms no neighbour, and the server restarts', async (launch) => {
  const server = await launch();
  await expectNeighbourUnharmed(server, async () => undefined);
  await expectRestartHolds(server);
});

test('an attack that ends the process is noticed', async () => {
  const server = await launchServer();
  await expect(expectNeighbourUnharmed(server, async () => { await server.end('SIGKILL'); })).rejects.toThrow();
});
