/**
 * The tables of `migrations/` for Kysely.
 *
 * A timestamp reads as `Date` and is written as `Date` or ISO string. A `Json<T>` reads as `T` and is written as
 * JSON text, because the driver would send an array as a PostgreSQL array.
 */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { IngestAccount } from '../../domain/ingest-account.ts';

/** `timestamptz` with `default now()`. */
export type DefaultTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;
/** `timestamptz`, nullable. */
export type OptionalTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>;
/** `jsonb not null`. */
export type Json<T> = ColumnType<T, string, string>;
/** `jsonb` with a default. */
export type DefaultJson<T> = ColumnType<T, string | undefined, string>;
/** A nullable column that an insert may omit. */
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

export type JsonObject = Record<string, unknown>;

export type LeadState = 'accepted' | 'held' | 'erased';

/** One visit: who owns the lead id, and what is known before the lead is posted. */
export type VisitTable = {
  lead_id: string;
  /** Hash of the browser's secret; null: the visit has none. */
  secret_sha256: Optional<string>;
  survey: Generated<string>;
  /** The ingest account that the mapping service named. */
  account: ColumnType<IngestAccount | null, string | null | undefined, string | null>;
  /** Buyer lists, by zip code. */
  offers: DefaultJson<JsonObject>;
  /** The `FormVisit` of a visit that posts forms. */
  form: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  created_at: DefaultTimestamp;
  seen_at: DefaultTimestamp;
  erased_at: OptionalTimestamp;
};

/** One lead, with a summary of its newest revision. */
export type LeadTable = {
  /** UUIDv7 that the browser created when the survey started. */
  id: string;
  /** The survey's path, such as `/survey/v4nv`. */
  survey: string;
  flow: string;
  language: string;
  /** `held`: kept back until an operator has looked at it; the revision's problems say why. */
  state: Generated<LeadState>;
  /** The newest revision, from 1. */
  revision: Generated<number>;
  is_test: Generated<boolean>;
  /** The result of the qualification rule (docs/specification.md#qualification). */
  qualified: boolean;
  /** The first rule that rejects, as `field|value`; empty if none does. */
  dq_reason: Generated<string>;
  lead_is_qualified: boolean;
  do_not_send_to_dq: 'yes' | 'no';
  /** `personKey` of the outgoing e-mail address and phone number. */
  email_key: Optional<string>;
  phone_key: Optional<string>;
  click_id: Optional<string>;
  ip: Optional<string>;
  user_agent: Optional<string>;
  /** Whether `Sec-GPC: 1` was sent: an opt-out of sale and sharing. */
  sec_gpc: Generated<boolean>;
  /** `assignmentText` of the experiment variants that the browser had seen. */
  variants: Generated<string>;
  /** The lead that this disputed post claims to belong to, without proof. */
  claims_id: Optional<string>;
  created_at: DefaultTimestamp;
  submitted_at: OptionalTimestamp;
  updated_at: DefaultTimestamp;
  erased_at: OptionalTimestamp;
};

/** One post of a lead and its results; written once, emptied only by erasure. */
export type LeadRevisionTable = {
  lead_id: string;
  revision: number;
  received_at: DefaultTimestamp;
  body: Json<JsonObject>;
  /** `bodySha256` of the body. */
  body_sha256: string;
  /** The body merged with earlier ones; null: same as the body. */
  merged: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  change: DefaultJson<unknown>;
  /** The visitor's answers, as received. */
  answers: DefaultJson<JsonObject>;
  /** The outgoing fields, with the rules' values. */
  fields: DefaultJson<JsonObject>;
  /** `ServiceAnswers`: the services' answers that the rules used; null: none. */
  given: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  /** The result of each rule, with its inputs. */
  decisions: DefaultJson<unknown[]>;
  /** Answers that a rule overwrote. */
  overrides: DefaultJson<unknown>;
  /** Values that browser and server derived differently. */
  differences: DefaultJson<unknown>;
  /** Reasons for a hold, rules that the post broke, unknown fields. */
  problems: DefaultJson<unknown[]>;
  email_key: Optional<string>;
  phone_key: Optional<string>;
  /** An id in `rule_versions`. */
  rules_version: Generated<string>;
  /** Hash of the flow's data. */
  flow_version: Generated<string>;
};

/** Where a visitor came from: the first request with a transaction id. */
export type ClickTable = {
  lead_id: string;
  /** 32 hexadecimal digits, or the click tracker's id. */
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

/** A consent record: the text as the visitor saw it. */
export type ConsentTable = {
  lead_id: string;
  revision: number;
  text: string;
  /** SHA-256 of `text` (UTF-8), hexadecimal. */
  text_sha256: string;
  /** The date of the text's file (`content/consent/`); empty if the page did not send it. */
  version: Generated<string>;
  language: string;
  page: string;
  shown_at: OptionalTimestamp;
  given_at: OptionalTimestamp;
  ip: Optional<string>;
  user_agent: Optional<string>;
  buyers: DefaultJson<unknown[]>;
  certificate: Optional<string>;
  /** The statement that is sent instead of `text`; null: `text` is sent. */
  sent_text: Optional<string>;
  /** Name, address and number of the person, once the lead itself has been deleted. */
  person: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  created_at: DefaultTimestamp;
};

/** One report of the browser about a step. */
export type ProgressTable = {
  lead_id: string;
  /** The browser's counter within the lead; a repeated report has the same one. */
  seq: number;
  survey: string;
  step: string;
  /** `viewed`, `answered`, `back`, … */
  kind: string;
  answers: DefaultJson<JsonObject>;
  /** `assignmentText` of the experiment variants that the browser had seen. */
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
 * One delivery: of a lead to a destination, or of an event to a listener. The table is the delivery queue and
 * the record of what was sent.
 */
export type DeliveryTable = {
  id: string;
  lead_id: string;
  destination: string;
  /** Identifies the event within the lead; empty: the lead itself is sent. */
  event_key: Generated<string>;
  /** A `DestinationEvent`, without personal data; null: the lead itself is sent. */
  event: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  state: DeliveryState;
  attempts: Generated<number>;
  /** Attempts before the current round; a resend starts a new one. */
  attempts_before_round: Generated<number>;
  /** When to act next: send, retry, or take over after the lease has run out. */
  due_at: OptionalTimestamp;
  lease_owner: Optional<string>;
  /** Pinned at the first claim of a round; an event has it from the start. */
  revision: Optional<number>;
  account: Optional<string>;
  payload_version: Optional<number>;
  /** Whether an attempt arrived or may have. */
  may_have_arrived: Generated<boolean>;
  /** The id that the destination gave. */
  external_id: Optional<string>;
  last_message: Optional<string>;
  created_at: DefaultTimestamp;
  finished_at: OptionalTimestamp;
};

/** One attempt to send; inserted before the send and completed after it. */
export type DeliveryAttemptTable = {
  delivery_id: string;
  /** 1, 2, 3, … */
  attempt: number;
  started_at: DefaultTimestamp;
  ended_at: OptionalTimestamp;
  /** A `SendOutcome`; null while it runs. */
  outcome: Optional<string>;
  http_status: Optional<number>;
  /** The destination's answer, shortened. */
  response: Optional<string>;
  error: Optional<string>;
  duration_ms: Optional<number>;
  /** Hash of the exact bytes, hexadecimal; null: nothing to send, or an attempt from before hashes were kept. */
  sent_sha256: Optional<string>;
  revision: Optional<number>;
  account: Optional<string>;
  payload_version: Optional<number>;
};

/** What operators and retention rules did to a lead. */
export type LeadEventTable = {
  id: string;
  lead_id: string;
  delivery_id: Optional<string>;
  at: DefaultTimestamp;
  kind: 'resent' | 'released' | 'suppressed' | 'erased' | 'expired';
  actor: string;
  detail: DefaultJson<JsonObject>;
};

/** The suppression list: nothing is sent about these persons. */
export type SuppressionTable = {
  /** `personKey`. */
  key: string;
  kind: 'email' | 'phone';
  actor: string;
  created_at: DefaultTimestamp;
};

/** The health of a destination for all processes; no row: no problems (`delivery/destination-health.ts`). */
export type DestinationHealthTable = {
  destination: string;
  paused_at: OptionalTimestamp;
  /** `answer`: it refused our account; otherwise the operator's name. */
  paused_by: Optional<string>;
  pause_reason: Optional<string>;
  /** When one delivery may test the paused destination; null: never. */
  probe_at: OptionalTimestamp;
  /** Failed sends in a row. */
  failures: Generated<number>;
  last_failure: Optional<string>;
  recovered_at: OptionalTimestamp;
  failing_told_at: OptionalTimestamp;
  waiting_told_at: OptionalTimestamp;
  /** Since when its settings are missing. */
  off_at: OptionalTimestamp;
};

/** One check of a lead by a third party, made or refused. */
export type LeadCheckTable = {
  id: string;
  lead_id: string;
  /** The revision it was about; null: it was made before the lead was posted. */
  revision: Optional<number>;
  /** A `CheckedService`. */
  service: string;
  /** `askedKey`, and for a number or address the person's key; empty: from an earlier version. */
  asked_sha256: string;
  at: ColumnType<Date, Date | string, Date | string>;
  duration_ms: number;
  /** An `AskOutcome`; `remembered`: a cached answer was used; `over_limit`: it was not made. */
  outcome: 'answered' | 'failed' | 'timed_out' | 'skipped' | 'remembered' | 'over_limit';
  /** The answer, without personal data. */
  said: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  /** Why there is no answer, without personal data. */
  reason: ColumnType<string | null, string | null | undefined, string | null>;
};

/** One send or one try of a phone verification code. */
export type PhoneCodeTable = {
  id: string;
  lead_id: string;
  kind: 'send' | 'check';
  /** HMAC of the number. */
  number_key: string;
  at: DefaultTimestamp;
  ended_at: OptionalTimestamp;
  /** A `CodeSendOutcome` or `CheckOutcome`; null: running, or unknown. */
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
