/** Protects against DNS rebinding, in which a foreign host name resolves to our IP address. */
import { isIP } from 'node:net';

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** Returns whether a host is localhost or a loopback IP address. */
export function isLoopback(host = ''): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && LOOPBACK.test(host));
}

/** Returns whether a `Host` header is localhost or an IP address, which no foreign site can own. */
export function isUnownedName(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
}
