/** Protects the operators' servers against DNS rebinding, in which a foreign host name leads to our IP address. */
import { isIP } from 'node:net';

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** Returns whether only this machine can reach a host: localhost or a loopback address. */
export function isLoopback(host = ''): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && LOOPBACK.test(host));
}

/** Returns whether the name in a `Host` header is localhost or an IP address. No foreign site can own such a name. */
export function isUnownedName(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
}
