import { expect, test } from 'vitest';
import { planDescriptors, readFileLimit } from './descriptors.ts';

test.for([64, 256, 1024, 4096, 65_536, 1_048_576, Infinity])('S11: of %d descriptors, connections and idle files never take more than three quarters', (fileLimit) => {
  const { connections, idleFiles } = planDescriptors(fileLimit);
  expect(connections).toBeGreaterThan(0);
  expect(connections + idleFiles).toBeLessThanOrEqual(Math.max(24, fileLimit * 0.75));
});

test('S11: a limit of 1,024, as many systems have it, is called low', () => {
  expect([planDescriptors(1024).isLow, planDescriptors(65_536).isLow, planDescriptors(Infinity).isLow]).toEqual([true, false, false]);
});

test('S11: the limit of this process can be read', () => {
  expect(readFileLimit()).toBeGreaterThan(32);
});
