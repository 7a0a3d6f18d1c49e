import { BlockList, isIP } from 'node:net';

const internalNetworks = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  internalNetworks.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  internalNetworks.addSubnet(network, prefix, 'ipv6');

/** Returns whether an address belongs to this machine or to a private network, where proxies are. */
export const isInternal = (address: string): boolean => {
  const plain = address.replace(/^::ffff:/i, '').replace(/%.*$/, '');
  const version = isIP(plain);
  // A connection that has ended in the meantime has no address any more.
  return version !== 0 && internalNetworks.check(plain, version === 6 ? 'ipv6' : 'ipv4');
};
