/**
 * Which addresses outgoing requests may connect to: only the public internet. Loopback, private networks,
 * link-local (where cloud machines offer credentials), carrier-grade NAT, documentation, benchmarks, multicast
 * and IPv6 forms that wrap IPv4 are not. Source: IANA's special-purpose address registries.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const notPublic = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['2001::', 23], // protocol assignments, including Teredo
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4: wraps an IPv4 address
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, bits, 'ipv6');
}
// In IPv6 only 2000::/3 is public: loopback, ULA, link-local, NAT64 and multicast lie outside it.
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Returns whether an address is on the public internet; false for invalid ones. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  const mapped = MAPPED.exec(bare)?.[1];
  if (mapped !== undefined) return isPublicAddress(mapped);
  if (isIPv4(bare)) return !notPublic.check(bare, 'ipv4');
  if (isIPv6(bare)) return globalUnicast.check(bare, 'ipv6') && !notPublic.check(bare, 'ipv6');
  return false;
}
