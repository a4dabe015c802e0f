/** The ports of the use cases. `providers`, `storage` and `delivery` implement them; `compose.ts` wires them. */
import type { Click } from '../../contract/click.ts';
import type { AvailableBuyers, BuyerList } from '../../domain/buyers.ts';
import type { Language } from '../../domain/language.ts';
import type { AcceptedLead, FoundLead, StoredLead } from '../../intake/lead-record.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { FormVisit, SavedClick, SavedEntry } from '../../journey/form-visit.ts';
import type { ClickRecord, ProgressRecord } from './progress-record.ts';

/** Returns the current time; replaced in tests. */
export type Clock = () => Date;

/** The store is temporarily unreachable or cannot write. The browser keeps its request and retries. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** The lead was erased, and the caller asked to refuse such posts. */
export class LeadErasedError extends Error {
  override readonly name = 'LeadErasedError';
}

/** A limit is reached; the request may be repeated later (429 with Retry-After). */
export class OverLimitError extends Error {
  override readonly name = 'OverLimitError';
  readonly reason:
    | 'too_many_posts'
    | 'too_many_fields'
    | 'too_many_offers'
    | 'too_many_bytes'
    | 'too_many_steps';
  readonly retryAfterSeconds: number;

  constructor(reason: OverLimitError['reason'], retryAfterSeconds: number) {
    super(reason);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

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

/** Stores leads. Each call writes in one transaction and returns after the commit. */
export type LeadStore = {
  /**
   * Writes a new lead: visit, lead, revision 1, click, consent and deliveries. Returns `exists` and writes
   * nothing if there is a lead with this id or a visit with another secret.
   * @param window the address and hour under which the lead's person (phone and e-mail together) is counted. Over
   * the limit the lead is held for `over_address_limit`. Null: not counted
   * @throws StoreUnavailableError
   */
  insert(lead: AcceptedLead, window: AddressWindow | null): Promise<'inserted' | 'exists'>;
  /**
   * Returns what is stored under a lead id; undefined: nothing.
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
   * Writes a disputed post as a lead of its own. Returns `exists` if the same one is stored already, `too_many` if
   * the lead has `most` others.
   * @throws StoreUnavailableError
   */
  claim(lead: AcceptedLead, most: number): Promise<'inserted' | 'exists' | 'too_many'>;
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

/** Stores the progress of visits. */
export type ProgressStore = {
  /**
   * Writes the click and every new entry, identified by lead and seq. Writes nothing if the lead has another
   * secret or was erased.
   * @returns the seqs of the written entries
   * @throws StoreUnavailableError
   */
  save(
    click: ClickRecord,
    entries: readonly ProgressRecord[],
    secretSha256: string | null,
  ): Promise<readonly number[]>;
  /**
   * Returns whether the mirror may get this visit's progress, and records it if so. It may not with the opt-out
   * signal, for a person on the suppression list, or if the store fails. Never throws.
   */
  mayMirror(leadId: string): Promise<boolean>;
};

/** Written progress in the browser's wire format, without the fields that are not stored. */
export type SavedProgress = {
  readonly session: Readonly<Record<string, unknown>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
};

/** A lead id with its proof of ownership: SHA-256 of the browser's secret, null without one. */
export type OwnedLead = { readonly leadId: string; readonly secretSha256: string | null };

/** An account at the ingest service. `key` is secret and never reaches a page. */
export type IngestAccount = {
  readonly campaignId: string;
  readonly supplierId: string;
  readonly key: string;
};

/** Stores the look-ups of one-to-one surveys until the lead is posted. */
export type OneToOneStore = {
  /**
   * Stores a lead's account; the first one stays. Returns false if the lead has another secret.
   * @throws StoreUnavailableError
   */
  saveAccount(lead: OwnedLead, account: IngestAccount): Promise<boolean>;
  /**
   * Stores the buyer list of a zip code. Returns `refused` if the lead has another secret, `full` if it has
   * `most` lists already.
   * @throws StoreUnavailableError
   */
  saveBuyerList(
    lead: OwnedLead,
    zip: string,
    buyerList: BuyerList,
    most: number,
  ): Promise<'saved' | 'refused' | 'full'>;
  /**
   * Returns the buyer list of a zip code, only to the lead's owner.
   * @throws StoreUnavailableError
   */
  findBuyerList(lead: OwnedLead, zip: string): Promise<BuyerList | undefined>;
};

/** A stored visit: the state that its forms saved, and the entries that the page's script saved since. */
export type StoredFormVisit = {
  readonly survey: string;
  /** Null: no form was posted yet, or too long ago. */
  readonly form: FormVisit | null;
  /** Whether its lead was posted, by a form or by the script. */
  readonly hasLead: boolean;
  /** ISO 8601 */
  readonly startedAt: string;
  readonly click: SavedClick | null;
  /** The browser that saved the first click; null: no click was saved. */
  readonly begunBy: Pick<Visitor, 'address' | 'userAgent'> | null;
  /** The seq of the last progress entry; 0: none. */
  readonly lastSeq: number;
  /** The entries that `form` does not include, in order. */
  readonly entries: readonly SavedEntry[];
};

/** Stores visits that use forms. */
export type FormVisitStore = {
  /**
   * Returns undefined if no visit with this id and secret was written to within `maxAgeMs`.
   * @throws StoreUnavailableError
   */
  load(lead: OwnedLead, maxAgeMs: number): Promise<StoredFormVisit | undefined>;
  /** Stores the visit, creating it if necessary. @throws StoreUnavailableError */
  keep(lead: OwnedLead, form: FormVisit): Promise<void>;
};

/**
 * Returns an HMAC of a text as 64 hexadecimal digits. The secret is in the database, so outsiders cannot
 * compute it.
 * @throws StoreUnavailableError
 */
export type KeyedDigest = (purpose: string, text: string) => Promise<string>;

/**
 * Serialises the work on a key across all processes, so that a double press answers once.
 * @throws StoreUnavailableError if the turn does not come in time
 */
export type FormTurns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * The outcome of asking a third party.
 *
 * - `answered`: with a valid answer of any content.
 * - `failed`: refused, unreachable, or with an invalid answer.
 * - `timed_out`: no answer in time.
 * - `skipped`: not asked, because its circuit is open.
 */
export type AskOutcome = 'answered' | 'failed' | 'timed_out' | 'skipped';

/** The result of asking a third party; `said` is present only if the outcome is `answered`. */
export type Asked<Said> = {
  readonly outcome: AskOutcome;
  readonly said?: Said | undefined;
  /** Why there is no answer: status and message, without personal data. */
  readonly reason?: string | undefined;
  readonly durationMs: number;
};

/** Asks a third party about one value. Never throws, and ends within its time-out. */
export type Ask<Value, Said> = (value: Value) => Promise<Asked<Said>>;

/** Looks up the ingest account of an affiliate and an offer id. */
export type MappingLookup = Ask<{ readonly affid: number; readonly oid: number }, IngestAccount>;

/** Looks up the buyers for a lead with these fields. */
export type BuyersLookup = Ask<Readonly<Record<string, string>>, AvailableBuyers>;

/** The services that are asked about leads, as named in `lead_checks`. */
export type CheckedService =
  | 'phone'
  | 'email'
  | 'gibberish'
  | 'zip'
  | 'mapping'
  | 'buyers'
  | 'verification';

/** The record of one question to a third party about a lead, without personal data. */
export type LeadCheck = {
  readonly leadId: string;
  readonly service: CheckedService;
  /** The hash of the value: `askedKey`, or for a number or address the person key. */
  readonly asked: string;
  readonly at: Date;
  readonly durationMs: number;
  /**
   * `remembered`: an earlier answer was used again. `over_limit`: not asked, because the limit of paid checks is
   * reached.
   */
  readonly outcome: AskOutcome | 'remembered' | 'over_limit';
  readonly said?: Readonly<Record<string, unknown>> | undefined;
  /** Why there is no answer, without personal data. */
  readonly reason?: string | undefined;
};

/** Caches the answers of third parties by service and hashed value. */
export type AnswerStore = {
  /** Returns undefined if there is no recent answer or the store fails. Quick; never throws. */
  recall(service: CheckedService, asked: string): Promise<unknown>;
  /** Recalls several answers at once; unknown ones are missing in the map. */
  recallAll(
    wanted: readonly { readonly service: CheckedService; readonly asked: string }[],
  ): Promise<ReadonlyMap<string, unknown>>;
  /** Stores an answer: at once for this process, soon for the others. */
  keep(service: CheckedService, asked: string, answer: unknown): void;
};

/** Records checks about leads in the background. */
export type CheckRecord = {
  /** Writes nothing if the lead has another secret or was erased. */
  record(check: LeadCheck, secretSha256: string | null): void;
};

/** Looks up the compensation level (1 to 7) of a case; undefined on failure. Never throws. */
export type EstimateLookup = (
  answers: Readonly<Record<string, string>>,
) => Promise<number | undefined>;

/** The answer of a phone validation service (docs/specification.md#phone-check). */
export type PhoneReport = {
  /** False: the service failed, unless `message` is the one for invalid numbers. */
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

/** Looks up a number of ten digits. If it throws or returns undefined, the number passes. */
export type PhoneCheck = (
  digits: string,
  lead?: OwnedLead | undefined,
  networkKey?: string | undefined,
) => Promise<PhoneReport | undefined>;

/** The answer of an e-mail validation service (docs/specification.md#e-mail-check). */
export type EmailReport = {
  readonly valid: boolean;
  readonly disposable: boolean;
  /** 0 (clean) to 100, if the service has a score. */
  readonly fraud_score?: number | undefined;
  /** Whether the domain accepts mail; absent: unknown. Recorded only. */
  readonly dns_valid?: boolean | undefined;
  /** The mail server did not answer the service, so the address counts as valid. */
  readonly timed_out?: boolean | undefined;
};

/** Looks up an e-mail address. If it throws or returns undefined, the address passes. */
export type EmailCheck = (
  email: string,
  lead?: OwnedLead | undefined,
  networkKey?: string | undefined,
) => Promise<EmailReport | undefined>;

/** Returns whether to prefill the contact fields of an affiliate's visitors. Never throws. */
export type PrefillCheck = (affid: string) => Promise<boolean>;

/** Registers a click with the click tracker and returns its transaction id (32 hex digits) or ''. Never throws. */
export type ClickTracker = (click: Click) => Promise<string>;

/** Alerts the operators. Neither text nor facts may have personal data. */
export type Alerts = (text: string, facts?: Readonly<Record<string, string | number>>) => void;

/** A do-not-sell request. */
export type OptOutRequest = {
  readonly name: string;
  /** Normalised; one of the two may be empty. */
  readonly email: string;
  readonly phone: string;
  /** Two capital letters, or empty. */
  readonly state: string;
  readonly language: Language;
  /** The `personKey` of e-mail address and phone number. */
  readonly keys: readonly { readonly kind: 'email' | 'phone'; readonly key: string }[];
  readonly visitor: Pick<Visitor, 'secGpc' | 'address' | 'networkKey' | 'userAgent' | 'page'>;
};

/** A recorded do-not-sell request. */
export type RecordedOptOut = {
  /** The reference that the person gets. */
  readonly reference: string;
  readonly at: Date;
  /** `waiting`: the address has sent too many requests, so an operator must confirm this one. */
  readonly outcome: 'honoured' | 'waiting';
};

/** The limits of do-not-sell requests. */
export type OptOutLimits = {
  /** Requests per address and hour that are honoured at once; 0: any number. */
  readonly perAddressPerHour: number;
  /** Requests per hour, from all addresses, beyond which the operators are alerted; 0: never. */
  readonly alertPerHour: number;
};

/** Records do-not-sell requests and honours them in the same transaction. */
export type OptOutStore = {
  /** @throws StoreUnavailableError */
  record(request: OptOutRequest): Promise<RecordedOptOut>;
};
