import { expect, test } from 'vitest';
import { defaultPerAddress, isOneClient, planDescriptors, readFileLimit } from './descriptors.ts';

test.for([64, 256, 1024, 4096, 65_536, 1_048_576, Infinity])(
  'S11: of %d descriptors, connections and idle files never take more than three quarters',
  (fileLimit) => {
    const { connections, idleFiles } = planDescriptors(fileLimit);
    expect(connections).toBeGreaterThan(0);
    expect(connections + idleFiles).toBeLessThanOrEqual(Math.max(24, fileLimit * 0.75));
  },
);

test('S11: a limit of 1,024, as many systems have it, is called low', () => {
  expect([
    planDescriptors(1024).isLow,
    planDescriptors(65_536).isLow,
    planDescriptors(Infinity).isLow,
  ]).toEqual([true, false, false]);
});

test('S11: the limit of this process can be read', () => {
  expect(readFileLimit()).toBeGreaterThan(32);
});

test.for([
  [32, 16],
  [448, 224],
  [700, 256],
  [9936, 2484],
  [20_000, 5000],
] as const)(
  'S11: of %d connections one address may hold %d, and others always get in',
  ([connections, mostPerAddress]) => {
    expect(defaultPerAddress(connections)).toBe(mostPerAddress);
  },
);

test.for([
  ['203.0.113.7', 'https://ear.example', 0, true],
  ['2001:db8::7', 'https://ear.example', 0, true],
  // What connects from inside to a public address is a proxy, or the gateway of a container.
  ['172.17.0.1', 'https://ear.example', 0, false],
  ['::ffff:127.0.0.1', 'https://ear.example', 0, false],
  ['127.0.0.1', 'http://localhost:3000', 0, true],
  ['203.0.113.7', 'https://ear.example', 1, false],
  ['127.0.0.1', 'http://localhost:3000', 1, false],
] as const)(
  'S11: what connects from %s to %s with %d trusted proxies is one client: %s',
  ([peer, publicUrl, trustedProxyHops, isOne]) => {
    expect(isOneClient(peer, { publicUrl, trustedProxyHops })).toBe(isOne);
  },
);
