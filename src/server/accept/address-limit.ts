import { hash } from 'node:crypto';

/** An address's clock hour, within which the persons of its leads are counted. */
export type AddressWindow = {
  /** 32 hexadecimal digits: a hash of the address and the hour. */
  readonly key: string;
  readonly mostPersons: number;
};

/** Counts the bytes that addresses write, across all processes (docs/specification.md#address-limit). */
export type AddressBytes = {
  /**
   * Counts bytes that are about to be written for an address, and returns whether they are permitted. Never throws.
   * @param options.reserve whether they may use the reserve, which is as large as the limit itself
   */
  take(
    addressKey: string,
    bytes: number,
    options?: { readonly reserve?: boolean },
  ): Promise<boolean>;
};

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
