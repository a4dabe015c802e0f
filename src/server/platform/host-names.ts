/** Protects servers for operators against DNS rebinding: a web page points its own name here and reads answers. */
import { isIP } from 'node:net';

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** Returns whether only this machine can reach a host: localhost, or a loopback address. */
export function isLoopback(host = ''): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && LOOPBACK.test(host));
}

/** Returns whether no other site can own the name of a `Host` header: it is localhost or an IP address. */
export function isUnownedName(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
}
