/** Protects servers for operators against DNS rebinding: a web page points its own name here and reads answers. */
import { isIP } from 'node:net';

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** Returns whether an IP address is a loopback address. */
export function isLoopback(address: string | undefined): boolean {
  return LOOPBACK.test(address ?? '');
}

/** Returns whether no other site can own the name of a `Host` header: it is localhost or an IP address. */
export function isUnownedName(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
}
