/** The limit of an address: how many persons its leads may have in a clock hour of the database. */
export type AddressLimit = {
  /** The `addressKey` of the `Visitor`. */
  readonly addressKey: string;
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

/** Returns the milliseconds until the next clock hour, when an address may write again. */
export function msToNextHour(now: Date): number {
  return HOUR_MS - (now.getTime() % HOUR_MS);
}
