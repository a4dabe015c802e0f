/**
 * What the use cases need from outside. `providers`, `storage` and `delivery` implement these ports;
 * `main.ts` alone wires them.
 */
import type { Click } from '../../contract/click.ts';
import type { AvailableBuyers, BuyerList } from '../../domain/buyers.ts';
import type { Language } from '../../domain/language.ts';
import type { AcceptedLead, FoundLead, StoredLead } from '../../intake/lead-record.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { FormVisit, SavedClick, SavedEntry } from '../../journey/form-visit.ts';
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

/** The person of a lead was erased, and the post was not to be kept apart. */
export class LeadErasedError extends Error {
  override readonly name = 'LeadErasedError';
}

/** More came than is kept of one thing; it may be sent again after a while (429 with Retry-After). */
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

/** An hour of an address, in which the persons of its leads are counted. */
export type AddressWindow = {
  /** 32 hexadecimal digits: a hash of the address and the hour. */
  readonly key: string;
  /** With more persons than these the address is over its limit. */
  readonly mostPersons: number;
};

/** Counts what addresses write, over all processes (docs/specification.md#address-limit). */
export type AddressBytes = {
  /**
   * Counts bytes that are about to be written for an address, and says whether they may be. Never throws.
   * @param options.reserve they may use the reserve too, which is as much again
   */
  take(
    addressKey: string,
    bytes: number,
    options?: { readonly reserve?: boolean },
  ): Promise<boolean>;
};

/** Where leads are kept. Each call writes in one transaction, and returns after its commit. */
export type LeadStore = {
  /**
   * Writes a lead that is not there yet: visit, lead, revision 1, click, consent and deliveries.
   * `exists`: there is a lead with this id, or a visit begun with another secret; nothing was written.
   * @param window where it is counted. When the address is over its limit with the lead's person (phone
   * number and e-mail address together), the lead is written as held for `over_address_limit`. Null: not
   * counted.
   * @throws StoreUnavailableError
   */
  insert(lead: AcceptedLead, window: AddressWindow | null): Promise<'inserted' | 'exists'>;
  /**
   * What is known of a lead id; undefined: nothing.
   * @param bodySha256 of the body whose like is looked for among the revisions
   * @throws StoreUnavailableError
   */
  find(leadId: string, bodySha256: string): Promise<FoundLead | undefined>;
  /**
   * Shows a stored lead, locked against others, to `decide`, and writes the later revision that it
   * returns, if any. `decide` may run more than once; what it throws is thrown, and nothing is written.
   * @throws StoreUnavailableError
   */
  revise(
    leadId: string,
    bodySha256: string,
    decide: (stored: StoredLead) => AcceptedLead | undefined,
  ): Promise<void>;
  /**
   * Writes a claim to a lead, as `insert` writes a lead, unless there are `most` of them already. One
   * that is there already is `exists`, however many there are.
   * @throws StoreUnavailableError
   */
  claim(lead: AcceptedLead, most: number): Promise<'inserted' | 'exists' | 'too_many'>;
};

/** Told what becomes of leads, for metrics: nothing personal, and no id. */
export type LeadObserver = {
  /**
   * After the commit.
   * @param lead.hold the first reason that it is held for; null: it is not
   */
  written(lead: { survey: string; revision: number; hold: string | null }): void;
  /** @param survey as it came */
  refused(survey: unknown, reason: string): void;
};

/** Where the steps of visitors are kept. */
export type ProgressStore = {
  /**
   * Writes the click and every entry that is not there yet, by lead and seq. Nothing is written for a
   * lead that was begun with another secret, or erased.
   * @returns the seqs of what was written
   * @throws StoreUnavailableError
   */
  save(
    click: ClickRecord,
    entries: readonly ProgressRecord[],
    secretSha256: string | null,
  ): Promise<readonly number[]>;
  /**
   * Whether the mirror may get this visit's progress: not with the opt-out signal, and not of a person on the
   * suppression list. Where it may, the store records that it does. Never throws: no, where nobody knows.
   */
  mayMirror(leadId: string): Promise<boolean>;
};

/** Progress that was written, in the shape in which a browser sends it, and without what is not kept. */
export type SavedProgress = {
  readonly session: Readonly<Record<string, unknown>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
};

/** A lead id with the proof whose it is: SHA-256 of the browser's secret, null without one. */
export type OwnedLead = { readonly leadId: string; readonly secretSha256: string | null };

/** An account at the ingest service. `key` is secret and never reaches a page. */
export type IngestAccount = {
  readonly campaignId: string;
  readonly supplierId: string;
  readonly key: string;
};

/** Where one-to-one surveys keep what they found for a lead that may yet come. */
export type OneToOneStore = {
  /**
   * A lead has one account: the first stays. False: the lead was begun with another secret.
   * @throws StoreUnavailableError
   */
  saveAccount(lead: OwnedLead, account: IngestAccount): Promise<boolean>;
  /**
   * Keeps the buyer list of a zip code. `refused`: the lead was begun with another secret;
   * `full`: there are `most` lists of it already.
   * @throws StoreUnavailableError
   */
  saveBuyerList(
    lead: OwnedLead,
    zip: string,
    buyerList: BuyerList,
    most: number,
  ): Promise<'saved' | 'refused' | 'full'>;
  /**
   * The buyer list that was shown to whoever has this secret; nobody else's post is made of it.
   * @throws StoreUnavailableError
   */
  findBuyerList(lead: OwnedLead, zip: string): Promise<BuyerList | undefined>;
};

/** A visit as the store has it: what its forms left, and what the page's script saved since. */
export type StoredFormVisit = {
  readonly survey: string;
  /** Null: no form of it was posted yet, or that is too long ago. */
  readonly form: FormVisit | null;
  /** Its lead was posted, by a form or by the script. */
  readonly hasLead: boolean;
  /** ISO 8601 */
  readonly startedAt: string;
  readonly click: SavedClick | null;
  /** The browser that saved the first click; null: no click was saved. */
  readonly begunBy: Pick<Visitor, 'address' | 'userAgent'> | null;
  /** The last entry of its progress; 0: there is none. */
  readonly lastSeq: number;
  /** The entries that `form` does not know of, in their order. */
  readonly entries: readonly SavedEntry[];
};

/** Keeps visits that go by posts of their forms. */
export type FormVisitStore = {
  /**
   * Returns undefined if no visit with this id and secret was written to within `maxAgeMs`.
   * @throws StoreUnavailableError
   */
  load(lead: OwnedLead, maxAgeMs: number): Promise<StoredFormVisit | undefined>;
  /** Begins the visit where it is not there yet. @throws StoreUnavailableError */
  keep(lead: OwnedLead, form: FormVisit): Promise<void>;
};

/**
 * Digests a text for a purpose: 64 hexadecimal digits that only servers of this database can make.
 * @throws StoreUnavailableError
 */
export type KeyedDigest = (purpose: string, text: string) => Promise<string>;

/**
 * Runs the work on one key in turn, across all processes: a button that is pressed twice answers once.
 * @throws StoreUnavailableError when the turn does not come
 */
export type FormTurns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * What became of asking a third party.
 *
 * - `answered`: it said something that we understand, whatever that was.
 * - `failed`: it refused, was not there, or said what nobody understands.
 * - `timed_out`: it took longer than it may.
 * - `skipped`: it fails again and again and is left alone, so it was not asked.
 */
export type AskOutcome = 'answered' | 'failed' | 'timed_out' | 'skipped';

/** `said` is there where the outcome is `answered`, and only there. */
export type Asked<Said> = {
  readonly outcome: AskOutcome;
  readonly said?: Said | undefined;
  /** Why it did not answer: status and message, without personal data. */
  readonly reason?: string | undefined;
  readonly durationMs: number;
};

/** Asks a third party about one value. Never throws, and ends within the third party's time-out. */
export type Ask<Value, Said> = (value: Value) => Promise<Asked<Said>>;

/** The ingest account of an affiliate and an offer id. */
export type MappingLookup = Ask<{ readonly affid: number; readonly oid: number }, IngestAccount>;

/** The buyers of a lead with these fields. */
export type BuyersLookup = Ask<Readonly<Record<string, string>>, AvailableBuyers>;

/** The services that are asked about a lead, by their names in `lead_checks`. */
export type CheckedService =
  | 'phone'
  | 'email'
  | 'gibberish'
  | 'zip'
  | 'mapping'
  | 'buyers'
  | 'verification';

/** What is recorded of asking a third party about a lead; nothing in it says who the lead is. */
export type LeadCheck = {
  readonly leadId: string;
  readonly service: CheckedService;
  /** Stands for what was asked: `askedKey`, and of a number or an address the person's key. */
  readonly asked: string;
  readonly at: Date;
  readonly durationMs: number;
  /**
   * `remembered`: it had been asked before, and what it said then is used again. `over_limit`: it was not
   * asked, because the limit of paid checks is reached.
   */
  readonly outcome: AskOutcome | 'remembered' | 'over_limit';
  readonly said?: Readonly<Record<string, unknown>> | undefined;
  /** Why it did not answer, or was not asked; without personal data. */
  readonly reason?: string | undefined;
};

/** What third parties said, by service and hash of what was asked. */
export type AnswerStore = {
  /** Undefined: nothing that is young enough, or the store is away. Never throws, and is quick. */
  recall(service: CheckedService, asked: string): Promise<unknown>;
  /** The same of several at once; what is not known is not in it. */
  recallAll(
    wanted: readonly { readonly service: CheckedService; readonly asked: string }[],
  ): Promise<ReadonlyMap<string, unknown>>;
  /** Known at once in this process, and soon in the others. */
  keep(service: CheckedService, asked: string, answer: unknown): void;
};

/** Where checks about leads are recorded: in the background, for nobody waits for it. */
export type CheckRecord = {
  /** Nothing is written for a lead that was begun with another secret, or erased. */
  record(check: LeadCheck, secretSha256: string | null): void;
};

/** The compensation level, 1 to 7, of a case with these answers; undefined for every failure. Never throws. */
export type EstimateLookup = (
  answers: Readonly<Record<string, string>>,
) => Promise<number | undefined>;

/** What a phone validation service says (docs/specification.md#phone-check). */
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

/** Looks a number of ten digits up; undefined, or thrown: the service failed, and the number passes. */
export type PhoneCheck = (
  digits: string,
  lead?: OwnedLead | undefined,
  networkKey?: string | undefined,
) => Promise<PhoneReport | undefined>;

/** What an e-mail validation service says (docs/specification.md#e-mail-check). */
export type EmailReport = {
  readonly valid: boolean;
  readonly disposable: boolean;
  /** 0 (clean) to 100, where the service has one. */
  readonly fraud_score?: number | undefined;
  /** Whether the address's domain takes mail; not said: unknown. Recorded, and decides nothing. */
  readonly dns_valid?: boolean | undefined;
  /** The service itself could not find out whether it is valid: the address counts as such. */
  readonly timed_out?: boolean | undefined;
};

/** Looks an address up; undefined, or thrown: the service failed, which blocks nothing. */
export type EmailCheck = (
  email: string,
  lead?: OwnedLead | undefined,
  networkKey?: string | undefined,
) => Promise<EmailReport | undefined>;

/** Whether this affiliate's visitors get their contact fields prefilled. Never throws. */
export type PrefillCheck = (affid: string) => Promise<boolean>;

/** Makes a click at the click tracker: its transaction id of 32 hex digits, or ''. Never throws. */
export type ClickTracker = (click: Click) => Promise<string>;

/** Tells the operators. `text` has no personal data in it. */
export type Alerts = (text: string, facts?: Readonly<Record<string, string | number>>) => void;

/** A do-not-sell request as it was made. */
export type OptOutRequest = {
  readonly name: string;
  /** Normalised; one of the two may be empty. */
  readonly email: string;
  readonly phone: string;
  /** Two capital letters, or empty. */
  readonly state: string;
  readonly language: Language;
  /** `personKey` of address and number. */
  readonly keys: readonly { readonly kind: 'email' | 'phone'; readonly key: string }[];
  readonly visitor: Pick<Visitor, 'secGpc' | 'address' | 'networkKey' | 'userAgent' | 'page'>;
};

/** What became of a do-not-sell request. */
export type RecordedOptOut = {
  /** What the person can name it by. */
  readonly reference: string;
  readonly at: Date;
  /** `waiting`: its address has sent too many, so that a person looks at it before it counts. */
  readonly outcome: 'honoured' | 'waiting';
};

/** From when on requests are kept for a person, and operators are told. */
export type OptOutLimits = {
  /** Requests of one address in an hour that are honoured at once; 0: any number. */
  readonly perAddressPerHour: number;
  /** Requests in an hour, of all addresses, that operators are told of; 0: never. */
  readonly alertPerHour: number;
};

/** Where do-not-sell requests are recorded, and honoured in the same transaction. */
export type OptOutStore = {
  /** @throws StoreUnavailableError */
  record(request: OptOutRequest): Promise<RecordedOptOut>;
};
