import { hash } from 'node:crypto';
import type { AddressWindow } from './ports.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * In which hour of which address a lead is counted (docs/specification.md#address-limit).
 *
 * @param addressKey of the sender, as `Visitor` has it
 * @param perHour more persons than these in an hour of the clock are over the limit; 0: no limit
 * @returns null where there is none
 */
export function addressWindow(
  addressKey: string,
  perHour: number,
  now: Date,
): AddressWindow | null {
  return perHour === 0 ? null : { key: addressWindowKey(addressKey, now), mostPersons: perHour };
}

/** Returns 32 hexadecimal digits that stand for an address in an hour of the clock. */
export function addressWindowKey(addressKey: string, now: Date): string {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  // Half of the hash tells the addresses of an hour apart as well as all of it.
  return hash('sha256', `${hour} ${addressKey}`, 'hex').slice(0, 32);
}

/** Returns the seconds until the next hour of the clock, when an address may write again. */
export function secondsToNextHour(now: Date): number {
  return Math.ceil((HOUR_MS - (now.getTime() % HOUR_MS)) / 1000);
}
