import { isIPv4, isIPv6 } from 'node:net';

/** Returns the groups of an IPv6 address, RFC 4291 §2.2, without its zone. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
}

/**
 * Truncates an address to a prefix: whole bytes for IPv4, whole groups for IPv6. IPv4 mapped to IPv6 counts as
 * IPv4.
 */
function prefixOf(ip: string, bits: { v4: number; v6: number }): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;
  if (isIPv4(mapped))
    return `${mapped
      .split('.')
      .map((byte, index) => (index < bits.v4 / 8 ? byte : '0'))
      .join('.')}/${bits.v4}`;
  if (isIPv6(mapped))
    return `${groupsOf(mapped)
      .slice(0, bits.v6 / 16)
      .join(':')}::/${bits.v6}`;
  return 'unknown';
}

/** The stored part of an address: enough to recognise a network, too little to identify a household. */
export const ipPrefix = (ip: string): string => prefixOf(ip, { v4: 24, v6: 48 });

/** The network that counts as one client: an IPv4 address, or the /64 that an IPv6 connection is assigned. */
export const clientNetwork = (ip: string): string => prefixOf(ip, { v4: 32, v6: 64 });

/** Whether an address belongs to a single client's network. It does not if it is a proxy that hides its clients. */
export type IsClientNetwork = (ip: string) => boolean;

/** The network that counts as one client; null if a proxy hides which client it is, so that none can be counted. */
export const countedNetwork = (ip: string, isClientNetwork: IsClientNetwork): string | null =>
  isClientNetwork(ip) ? clientNetwork(ip) : null;
