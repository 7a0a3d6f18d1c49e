import { describe, expect, it } from 'vitest';
import { clientNetwork, deviceLabel, ipPrefix } from './client-traits.ts';

describe('a device’s label', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36 Edg/146.0.0.0', 'Edge · Windows'],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Mobile Safari/537.36', 'Chrome · Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1', 'Safari · iPhone'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15', 'Safari · macOS'],
    ['curl/8.9', ''], ['', ''], [undefined, ''],
  ])('of %j is %j', (userAgent, label) => { expect(deviceLabel(userAgent)).toBe(label); });
});

describe('an address', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24', '192.0.2.77/32'], ['::ffff:192.0.2.77', '192.0.2.0/24', '192.0.2.77/32'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::/48', '2001:db8:85a3:8d3::/64'], ['2001:DB8::1', '2001:db8:0::/48', '2001:db8:0:0::/64'],
    ['::1', '0:0:0::/48', '0:0:0:0::/64'], ['fe80::1%eth0', 'fe80:0:0::/48', 'fe80:0:0:0::/64'], ['not an address', 'unknown', 'unknown'],
  ])('%s is kept as %s and throttled as %s', (ip, kept, throttled) => {
    expect(ipPrefix(ip)).toBe(kept);
    expect(clientNetwork(ip)).toBe(throttled);
  });
});
