import { expect, test } from 'vitest';
import { defaultPerAddress, isOneClient, planDescriptors, readFileLimit } from './descriptors.ts';

test.for([64, 256, 1024, 4096, 65_536, 1_048_576, Infinity])(
  'S11: of %d descriptors, connections and idle files never use more than three quarters',
  (fileLimit) => {
    const { connections, idleFiles } = planDescriptors(fileLimit);
    expect(connections).toBeGreaterThan(0);
    expect(connections + idleFiles).toBeLessThanOrEqual(Math.max(24, fileLimit * 0.75));
  },
);

test('S11: reports a limit of 1,024, common on many systems, as low', () => {
  expect([
    planDescriptors(1024).isLow,
    planDescriptors(65_536).isLow,
    planDescriptors(Infinity).isLow,
  ]).toEqual([true, false, false]);
});

test('S11: reads the limit of this process', () => {
  expect(readFileLimit()).toBeGreaterThan(32);
});

test.for([
  [32, 16],
  [448, 224],
  [700, 256],
  [9936, 2484],
  [20_000, 5000],
] as const)(
  'S11: of %d connections one address may hold %d, and others can still connect',
  ([connections, maxPerAddress]) => {
    expect(defaultPerAddress(connections)).toBe(maxPerAddress);
  },
);

test.for([
  ['203.0.113.7', 'https://ear.example', 0, true],
  ['2001:db8::7', 'https://ear.example', 0, true],
  // An internal peer of a public URL is a proxy or a container's gateway.
  ['172.17.0.1', 'https://ear.example', 0, false],
  ['::ffff:127.0.0.1', 'https://ear.example', 0, false],
  ['127.0.0.1', 'http://localhost:3000', 0, true],
  ['203.0.113.7', 'https://ear.example', 1, false],
  ['127.0.0.1', 'http://localhost:3000', 1, false],
] as const)(
  'S11: treats a connection from %s to %s with %d trusted proxies as one client: %s',
  ([peer, publicUrl, trustedProxyHops, isOne]) => {
    expect(isOneClient(peer, { publicUrl, trustedProxyHops })).toBe(isOne);
  },
);
