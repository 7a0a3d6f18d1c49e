import { describe, expect, it } from 'vitest';
import { clientNetwork, ipPrefix } from './client-network.ts';

describe('an address', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24', '192.0.2.77/32'],
    ['::ffff:192.0.2.77', '192.0.2.0/24', '192.0.2.77/32'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::/48', '2001:db8:85a3:8d3::/64'],
    ['2001:DB8::1', '2001:db8:0::/48', '2001:db8:0:0::/64'],
    ['::1', '0:0:0::/48', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0::/48', 'fe80:0:0:0::/64'],
    ['not an address', 'unknown', 'unknown'],
  ])('%s is stored as %s and throttled as %s', (ip, prefix, throttled) => {
    expect(ipPrefix(ip)).toBe(prefix);
    expect(clientNetwork(ip)).toBe(throttled);
  });
});
