import type { AcceptedLead, FoundLead, StoredLead } from '../../intake/lead-record.ts';

/** Stores leads. Each call writes in one transaction and returns after the commit. */
export type LeadStore = {
  /**
   * Writes a new lead: visit, lead, revision 1, click, consent and deliveries. Returns `exists` and writes
   * nothing if there is a lead with this id or a visit with another secret.
   * @param limit the address under which the lead's person (phone and e-mail together) is counted for an hour. Over
   * the limit the lead is held for `over_address_limit`. Null: not counted
   * @throws StoreUnavailableError
   */
  insert(lead: AcceptedLead, limit: AddressLimit | null): Promise<'inserted' | 'exists'>;
  /**
   * Returns the stored lead or visit with this id, or undefined.
   *
   * @param bodySha256 the hash of the body to look for among the revisions
   * @throws StoreUnavailableError
   */
  find(leadId: string, bodySha256: string): Promise<FoundLead | undefined>;
  /**
   * Passes the row-locked lead to `decide` and writes the revision that it returns, if any. `decide` may run more
   * than once. If it throws, nothing is written and the error is rethrown.
   * @throws StoreUnavailableError
   */
  revise(
    leadId: string,
    bodySha256: string,
    decide: (stored: StoredLead) => AcceptedLead | undefined,
  ): Promise<void>;
  /**
   * Writes a disputed post as a separate lead. Returns `exists` if the same post is stored already,
   * `too_many` if the lead has `most` other disputed posts.
   *
   * @throws StoreUnavailableError
   */
  insertDisputed(lead: AcceptedLead, most: number): Promise<'inserted' | 'exists' | 'too_many'>;
};

/** Receives the outcome of posts for metrics, without ids or personal data. */
export type LeadObserver = {
  /**
   * Called after the commit.
   * @param lead.hold the first reason to hold the lead; null: not held
   */
  written(lead: { survey: string; revision: number; hold: string | null }): void;
  /** @param survey the posted value, of any type */
  refused(survey: unknown, reason: string): void;
};

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
