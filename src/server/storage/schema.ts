/**
 * The tables of `migrations/`, as Kysely sees them.
 *
 * Conventions: a timestamp reads as a `Date` and is written as a `Date` or an ISO string; a `Json<T>`
 * reads as `T` and is written as JSON text (`JSON.stringify(value)`), because the driver would send a
 * JavaScript array as a PostgreSQL array.
 */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { IngestAccount } from '../../domain/ingest-account.ts';

/** `timestamptz` with `default now()`. */
export type DefaultTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;
/** `timestamptz` that may be missing. */
export type OptionalTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>;
/** `jsonb`, required: written as JSON text. */
export type Json<T> = ColumnType<T, string, string>;
/** `jsonb` with a default: written as JSON text. */
export type DefaultJson<T> = ColumnType<T, string | undefined, string>;
/** A column that may be null and may be left out when inserting. */
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

export type JsonObject = Record<string, unknown>;

export type LeadState = 'accepted' | 'held' | 'erased';

/** Whose a lead id is, and what is known before its lead is posted. */
export type VisitTable = {
  lead_id: string;
  /** Of the browser's secret; null: begun without one. */
  secret_sha256: Optional<string>;
  survey: Generated<string>;
  /** The ingest account that the mapping service named. */
  account: ColumnType<IngestAccount | null, string | null | undefined, string | null>;
  /** Buyer lists, by zip code. */
  offers: DefaultJson<JsonObject>;
  /** Where its forms are posted: `FormVisit`. */
  form: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  created_at: DefaultTimestamp;
  seen_at: DefaultTimestamp;
  erased_at: OptionalTimestamp;
};

/** One lead: what its newest revision says, in short. */
export type LeadTable = {
  /** UUIDv7 that the browser made when the survey started. */
  id: string;
  /** The survey's path, for example `/survey/v4nv`. */
  survey: string;
  flow: string;
  language: string;
  /** `held`: kept back until a person has looked at it; the revision's problems say why. */
  state: Generated<LeadState>;
  /** The newest: 1, then one more for every later post that was merged. */
  revision: Generated<number>;
  is_test: Generated<boolean>;
  /** Result of the qualification rule (docs/specification.md#qualification). */
  qualified: boolean;
  /** First rule that rejects, as `field|value`; empty when none does. */
  dq_reason: Generated<string>;
  lead_is_qualified: boolean;
  do_not_send_to_dq: 'yes' | 'no';
  /** `personKey` of the outward e-mail address and phone number. */
  email_key: Optional<string>;
  phone_key: Optional<string>;
  click_id: Optional<string>;
  ip: Optional<string>;
  user_agent: Optional<string>;
  /** `Sec-GPC: 1` came with it: an opt-out of sale and sharing. */
  sec_gpc: Generated<boolean>;
  /** `assignmentText` of what its browser had seen. */
  variants: Generated<string>;
  /** The lead that this one claims to be, without the proof. */
  claims_id: Optional<string>;
  created_at: DefaultTimestamp;
  submitted_at: OptionalTimestamp;
  updated_at: DefaultTimestamp;
  erased_at: OptionalTimestamp;
};

/** One post of a lead and everything that was made of it: written once, emptied only by erasure. */
export type LeadRevisionTable = {
  lead_id: string;
  revision: number;
  received_at: DefaultTimestamp;
  body: Json<JsonObject>;
  /** `bodySha256` of the body. */
  body_sha256: string;
  /** The body merged with those before; null: the body itself. */
  merged: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  change: DefaultJson<unknown>;
  /** What the visitor answered, as received. */
  answers: DefaultJson<JsonObject>;
  /** The lead as it goes out: with the rules' values. */
  fields: DefaultJson<JsonObject>;
  /** `ServiceAnswers`: what services had answered and the rules were given; null: nothing. */
  given: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  /** Every rule's result with its inputs. */
  decisions: DefaultJson<unknown[]>;
  /** Answers that a rule overwrote. */
  overrides: DefaultJson<unknown>;
  /** Derived values where browser and server differed. */
  differences: DefaultJson<unknown>;
  /** Reasons of a hold, rules that the post broke, unknown fields. */
  problems: DefaultJson<unknown[]>;
  email_key: Optional<string>;
  phone_key: Optional<string>;
  /** In `rule_versions`. */
  rules_version: Generated<string>;
  /** A hash of the flow's data. */
  flow_version: Generated<string>;
};

/** A visit's first request with one transaction id: where the visitor came from. */
export type ClickTable = {
  lead_id: string;
  /** 32 hexadecimal digits, or the click tracker's own id. */
  id: string;
  survey: Optional<string>;
  landing_page: Optional<string>;
  params: DefaultJson<JsonObject>;
  referer: Optional<string>;
  ip: Optional<string>;
  user_agent: Optional<string>;
  sec_gpc: Generated<boolean>;
  created_at: DefaultTimestamp;
};

/** What the visitor saw as consent, as seen. */
export type ConsentTable = {
  lead_id: string;
  revision: number;
  text: string;
  /** SHA-256 of `text` (UTF-8), hexadecimal. */
  text_sha256: string;
  /** The date of the text's file (`content/consent/`); empty when the page did not say. */
  version: Generated<string>;
  language: string;
  page: string;
  shown_at: OptionalTimestamp;
  given_at: OptionalTimestamp;
  ip: Optional<string>;
  user_agent: Optional<string>;
  buyers: DefaultJson<unknown[]>;
  certificate: Optional<string>;
  /** The statement sent in place of `text`; null where `text` itself is sent. */
  sent_text: Optional<string>;
  /** Name, address and number of who gave it, where the lead itself is no longer kept. */
  person: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  created_at: DefaultTimestamp;
};

/** One report of the browser about one step. */
export type ProgressTable = {
  lead_id: string;
  /** The browser's own counter within the lead: a repeated report has the same one. */
  seq: number;
  survey: string;
  step: string;
  /** `viewed`, `answered`, `back`, … */
  kind: string;
  answers: DefaultJson<JsonObject>;
  /** `assignmentText` of what its browser had seen. */
  variants: Generated<string>;
  /** Seconds on the step; the driver reads `numeric` as text. */
  seconds: ColumnType<string | null, number | string | null | undefined, number | string | null>;
  /** The browser's clock. */
  at: OptionalTimestamp;
  received_at: DefaultTimestamp;
};

export type DeliveryState =
  | 'waiting'
  | 'sending'
  | 'retrying'
  | 'delivered'
  | 'rejected'
  | 'dead'
  | 'uncertain'
  | 'no_destination'
  | 'held'
  | 'suppressed';

/**
 * One row for a lead and a destination, or for an event of a lead that a destination is told of: the delivery
 * queue, and the truth about what was sent.
 */
export type DeliveryTable = {
  id: string;
  lead_id: string;
  destination: string;
  /** Tells the events of a lead apart; empty: the lead itself is sent. */
  event_key: Generated<string>;
  /** A `DestinationEvent`, without personal data; null: the lead itself is sent. */
  event: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  state: DeliveryState;
  attempts: Generated<number>;
  /** The attempts before the present round; a resend begins a new one. */
  attempts_before_round: Generated<number>;
  /** When it has to be looked at next: sent, tried again, or taken over at the end of a lease. */
  due_at: OptionalTimestamp;
  lease_owner: Optional<string>;
  /** Pinned at the first claim of a round; of an event, from the first. */
  revision: Optional<number>;
  account: Optional<string>;
  payload_version: Optional<number>;
  /** An attempt was taken, or perhaps was. */
  may_have_arrived: Generated<boolean>;
  /** The id that the other side gave. */
  external_id: Optional<string>;
  last_message: Optional<string>;
  created_at: DefaultTimestamp;
  finished_at: OptionalTimestamp;
};

/** One attempt to send, written before it starts and completed after it ended. */
export type DeliveryAttemptTable = {
  delivery_id: string;
  /** 1, 2, 3, … */
  attempt: number;
  started_at: DefaultTimestamp;
  ended_at: OptionalTimestamp;
  /** A `SendOutcome`; null while it runs. */
  outcome: Optional<string>;
  http_status: Optional<number>;
  /** The other side's answer, shortened. */
  response: Optional<string>;
  error: Optional<string>;
  duration_ms: Optional<number>;
  /** Of the exact bytes, hexadecimal; null: nothing could be made to send, or from before it was kept. */
  sent_sha256: Optional<string>;
  revision: Optional<number>;
  account: Optional<string>;
  payload_version: Optional<number>;
};

/** What was done to a lead by people and by rules of retention. */
export type LeadEventTable = {
  id: string;
  lead_id: string;
  delivery_id: Optional<string>;
  at: DefaultTimestamp;
  kind: 'resent' | 'released' | 'suppressed' | 'erased' | 'expired';
  actor: string;
  detail: DefaultJson<JsonObject>;
};

/** Nothing is sent of anyone who is in here. */
export type SuppressionTable = {
  /** `personKey`. */
  key: string;
  kind: 'email' | 'phone';
  actor: string;
  created_at: DefaultTimestamp;
};

/** How a destination does, for all processes; no row: all is well (`delivery/destination-health.ts`). */
export type DestinationHealthTable = {
  destination: string;
  paused_at: OptionalTimestamp;
  /** `answer`: it refused our account; else the name of an operator. */
  paused_by: Optional<string>;
  pause_reason: Optional<string>;
  /** When one delivery is tried in spite of the pause; null: never. */
  probe_at: OptionalTimestamp;
  /** Sends that failed one after another. */
  failures: Generated<number>;
  last_failure: Optional<string>;
  recovered_at: OptionalTimestamp;
  failing_told_at: OptionalTimestamp;
  waiting_told_at: OptionalTimestamp;
  /** Since when its settings are not given. */
  off_at: OptionalTimestamp;
};

/** One time that a third party was asked about a lead, or would have been. */
export type LeadCheckTable = {
  id: string;
  lead_id: string;
  /** What was asked after a post, about that revision; null: while the survey was answered. */
  revision: Optional<number>;
  /** A `CheckedService`. */
  service: string;
  /** `askedKey`, and of a number or an address the person's key; empty: of an earlier version. */
  asked_sha256: string;
  at: ColumnType<Date, Date | string, Date | string>;
  duration_ms: number;
  /** An `AskOutcome`, `remembered`: it had been asked before, or `over_limit`: it was not asked. */
  outcome: 'answered' | 'failed' | 'timed_out' | 'skipped' | 'remembered' | 'over_limit';
  /** What it said, without who the lead is. */
  said: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  /** Why it did not answer, or was not asked; without personal data. */
  reason: ColumnType<string | null, string | null | undefined, string | null>;
};

/** A code that was asked for, or a try of one. */
export type PhoneCodeTable = {
  id: string;
  lead_id: string;
  kind: 'send' | 'check';
  /** HMAC of the number. */
  number_key: string;
  at: DefaultTimestamp;
  ended_at: OptionalTimestamp;
  /** A `SendOutcome` or `CheckOutcome`; null: under way, or nobody knows. */
  outcome: Optional<string>;
};

export type Schema = {
  visits: VisitTable;
  leads: LeadTable;
  lead_revisions: LeadRevisionTable;
  clicks: ClickTable;
  consents: ConsentTable;
  progress: ProgressTable;
  deliveries: DeliveryTable;
  delivery_attempts: DeliveryAttemptTable;
  lead_events: LeadEventTable;
  lead_checks: LeadCheckTable;
  destination_health: DestinationHealthTable;
  suppressions: SuppressionTable;
  phone_codes: PhoneCodeTable;
};

export type LeadRow = Selectable<LeadTable>;
export type LeadRevisionRow = Selectable<LeadRevisionTable>;
export type ClickRow = Selectable<ClickTable>;
export type ConsentRow = Selectable<ConsentTable>;
export type ProgressRow = Selectable<ProgressTable>;
export type DeliveryRow = Selectable<DeliveryTable>;
export type DeliveryAttemptRow = Selectable<DeliveryAttemptTable>;
export type DestinationHealthRow = Selectable<DestinationHealthTable>;
export type LeadCheckRow = Selectable<LeadCheckTable>;
export type PhoneCodeRow = Selectable<PhoneCodeTable>;
export type LeadEventRow = Selectable<LeadEventTable>;
