/** Protects operators' servers against DNS rebinding: a foreign page points its own host name at our address. */
import { isIP } from 'node:net';

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** Returns whether a host is only reachable from this machine: localhost, or a loopback address. */
export function isLoopback(host = ''): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && LOOPBACK.test(host));
}

/** Returns whether the name of a `Host` header is localhost or an IP address, which no foreign site can own. */
export function isUnownedName(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
}
