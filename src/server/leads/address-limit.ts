import { hash } from 'node:crypto';
import type { AddressWindow } from './ports.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Returns the address and hour under which a lead is counted (docs/specification.md#address-limit); null if
 * there is no limit.
 *
 * @param addressKey the `addressKey` of the `Visitor`
 * @param perHour the most persons per clock hour; 0: no limit
 */
export function addressWindow(
  addressKey: string,
  perHour: number,
  now: Date,
): AddressWindow | null {
  return perHour === 0 ? null : { key: addressWindowKey(addressKey, now), mostPersons: perHour };
}

/** Returns 32 hexadecimal digits that identify an address within a clock hour. */
export function addressWindowKey(addressKey: string, now: Date): string {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  // Half of the hash is enough to keep the addresses of an hour distinct.
  return hash('sha256', `${hour} ${addressKey}`, 'hex').slice(0, 32);
}

/** Returns the seconds until the next clock hour, when an address may write again. */
export function secondsToNextHour(now: Date): number {
  return Math.ceil((HOUR_MS - (now.getTime() % HOUR_MS)) / 1000);
}
