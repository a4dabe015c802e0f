/**
 * What the use cases need from outside. `providers`, `storage` and `delivery` implement these ports;
 * `main.ts` alone wires them.
 */
import type { ZipAnswer } from '../../contract/checks.ts';
import type { AvailableBuyers, BuyerOffer } from '../../domain/buyers.ts';
import type { AcceptedLead, StoredLead } from './lead-record.ts';
import type { ClickRecord, ProgressRecord } from './progress-record.ts';

/** Now. Tests give another one. */
export type Clock = () => Date;

/**
 * The store cannot be reached or cannot write at the moment; nothing is known to be wrong with what
 * was sent. The visitor's browser keeps it and tries again.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** What the store did with an accepted lead. */
export type AcceptOutcome = 'inserted' | 'exists';

/** Where leads are kept. Everything is written in one transaction, and answers after its commit. */
export type LeadStore = {
  /**
   * Writes a lead that is not there yet: lead, revision 1, click, consent, deliveries and the jobs of
   * those that wait. `exists`: there is a lead with this id, nothing was written.
   * @throws StoreUnavailableError
   */
  insert(lead: AcceptedLead): Promise<AcceptOutcome>;
  /**
   * Shows a stored lead, locked against others, to `decide`, and writes the later state that it
   * answers, if any. `decide` may run more than once.
   * @throws StoreUnavailableError
   */
  revise(
    leadId: string,
    decide: (stored: StoredLead) => AcceptedLead | undefined,
  ): Promise<StoredLead | undefined>;
};

/** Where the steps of visitors are kept. */
export type ProgressStore = {
  /**
   * Writes the click, unless it is known, and every entry that is not there yet, by lead and seq.
   * @throws StoreUnavailableError
   */
  save(click: ClickRecord, entries: readonly ProgressRecord[]): Promise<void>;
};

/** An account at the ingest service. `key` is secret and never reaches a page. */
export type IngestAccount = {
  readonly campaignId: string;
  readonly supplierId: string;
  readonly key: string;
};

/** Where one-to-one surveys keep what they found for a lead that may yet come. */
export type OneToOneStore = {
  /** A lead has one account: the first stays. @throws StoreUnavailableError */
  saveAccount(leadId: string, account: IngestAccount): Promise<void>;
  /** Keeps the offer that was made for a zip code. @throws StoreUnavailableError */
  saveOffer(leadId: string, zip: string, offer: BuyerOffer): Promise<void>;
  /** @throws StoreUnavailableError */
  findOffer(leadId: string, zip: string): Promise<BuyerOffer | undefined>;
};

/** The ingest account of an affiliate and an offer; undefined for every failure. Never throws. */
export type MappingLookup = (affid: number, oid: number) => Promise<IngestAccount | undefined>;

/** The buyers of a lead with these fields; undefined for every failure. Never throws. */
export type BuyersLookup = (
  fields: Readonly<Record<string, string>>,
) => Promise<AvailableBuyers | undefined>;

/** The compensation level, 1 to 7, of a case with these answers; undefined for every failure. Never throws. */
export type EstimateLookup = (
  answers: Readonly<Record<string, string>>,
) => Promise<number | undefined>;

/** What a phone validation service says (document 1, section 7). */
export type PhoneReport = {
  /** False: the service failed; `message` may still be the one that means an invalid number. */
  readonly success: boolean;
  readonly message: string;
  readonly valid: boolean;
  /** Null: unknown. */
  readonly active: boolean | null;
  /** 0 (clean) to 100. */
  readonly fraud_score: number;
  /** Unknown, Toll Free, Wireless, Landline, Satellite, VOIP, Premium Rate or Pager. */
  readonly line_type: string;
};

/** Looks a number of ten digits up. May throw: a service that fails lets the number pass. */
export type PhoneCheck = (digits: string) => Promise<PhoneReport>;

/** What an e-mail validation service says (document 1, section 7). */
export type EmailReport = {
  readonly valid: boolean;
  readonly disposable: boolean;
};

/** Looks an address up. May throw: a service that fails blocks nothing. */
export type EmailCheck = (email: string) => Promise<EmailReport>;

/** Whether a text is gibberish. Undefined: the service failed ("errors return nothing"). */
export type GibberishCheck = (text: string) => 'yes' | 'no' | undefined;

/** The blocked terms in a text, each with its category. */
export type BlockedTermCheck = (
  text: string,
) => readonly { readonly term: string; readonly category: string }[];

/** Whether a name is bad (document 1, section 5, "Name check"). */
export type NameCheck = (name: string, leadSource: string) => { bad: boolean; reason?: string };

/** City, states and county of a zip code; empty strings when it is unknown. */
export type ZipLookup = (zip: string) => ZipAnswer;

/** Whether this affiliate's visitors get their contact fields prefilled. Never throws. */
export type PrefillCheck = (affid: string) => Promise<boolean>;

/** Tells the operators. `text` has no personal data in it. */
export type Alerts = (text: string, facts?: Readonly<Record<string, string | number>>) => void;
