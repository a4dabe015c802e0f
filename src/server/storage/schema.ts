/**
 * The tables of `migrations/`, as Kysely sees them.
 *
 * Conventions: a `Timestamp` reads as a `Date` and is written as a `Date` or an ISO string; a `Json<T>`
 * reads as `T` and is written as JSON text (`JSON.stringify(value)`), because the driver would send a
 * JavaScript array as a PostgreSQL array.
 */
import type { ColumnType, Generated, Insertable, Selectable, Updateable } from 'kysely';

/** `timestamptz`. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
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

export type LeadState = 'accepted' | 'held';

/** One lead, written once and remembered for good. */
export type LeadTable = {
  /** UUIDv7 that the browser made when the survey started. */
  id: string;
  /** The survey's path, for example `/survey/v4nv`. */
  survey: string;
  flow: string;
  language: string;
  /** `held`: accepted, but kept back for review (a flood, an opt-out). */
  state: Generated<LeadState>;
  /** 1, then one more for every later state of the same lead that was merged. */
  revision: Generated<number>;
  is_test: Generated<boolean>;
  /** Result of the qualification rule (document 1, section 4). */
  qualified: boolean;
  /** First rule that rejects, as `field|value`; empty when none does. */
  dq_reason: Generated<string>;
  lead_is_qualified: boolean;
  do_not_send_to_dq: 'yes' | 'no';
  /** What the visitor answered, as received. */
  answers: Json<JsonObject>;
  /** The lead as it is posted: with the rules' values. */
  fields: Json<JsonObject>;
  /** Every rule's result with its inputs. */
  decisions: DefaultJson<unknown[]>;
  /** Answers that a rule overwrote. */
  overrides: DefaultJson<unknown>;
  /** Derived values where browser and server differed. */
  differences: DefaultJson<unknown>;
  /** Rules that the payload broke, unknown fields. */
  problems: DefaultJson<unknown[]>;
  /** Normalised e-mail, for the search of duplicates. */
  email_key: Optional<string>;
  /** Normalised phone, for the search of duplicates. */
  phone_key: Optional<string>;
  click_id: Optional<string>;
  ip: Optional<string>;
  user_agent: Optional<string>;
  created_at: DefaultTimestamp;
  submitted_at: OptionalTimestamp;
  updated_at: DefaultTimestamp;
};

/** Every body that was received for a lead, whole, with the change that it made. */
export type LeadRevisionTable = {
  lead_id: string;
  revision: number;
  received_at: DefaultTimestamp;
  body: Json<JsonObject>;
  change: DefaultJson<unknown>;
};

/** A visit's first request: where the visitor came from. */
export type ClickTable = {
  /** 32 hexadecimal digits. */
  id: string;
  lead_id: Optional<string>;
  survey: Optional<string>;
  landing_page: Optional<string>;
  params: DefaultJson<JsonObject>;
  referer: Optional<string>;
  ip: Optional<string>;
  user_agent: Optional<string>;
  /** `Sec-GPC: 1` was sent: an opt-out of sale and sharing. */
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
  | 'held';

/** The ledger: one row for a lead and a destination. The truth about what was sent, whatever the queue says. */
export type DeliveryTable = {
  id: string;
  lead_id: string;
  destination: string;
  state: DeliveryState;
  attempts: Generated<number>;
  next_attempt_at: OptionalTimestamp;
  lease_until: OptionalTimestamp;
  lease_owner: Optional<string>;
  payload_version: Generated<number>;
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
  /** `delivered`, `duplicate`, `rejected`, `retry`, `unknown`, …; null while it runs. */
  outcome: Optional<string>;
  http_status: Optional<number>;
  /** The other side's answer, shortened. */
  response: Optional<string>;
  error: Optional<string>;
  duration_ms: Optional<number>;
};

export type Schema = {
  leads: LeadTable;
  lead_revisions: LeadRevisionTable;
  clicks: ClickTable;
  consents: ConsentTable;
  progress: ProgressTable;
  deliveries: DeliveryTable;
  delivery_attempts: DeliveryAttemptTable;
};

export type LeadRow = Selectable<LeadTable>;
export type NewLead = Insertable<LeadTable>;
export type LeadUpdate = Updateable<LeadTable>;
export type LeadRevisionRow = Selectable<LeadRevisionTable>;
export type NewLeadRevision = Insertable<LeadRevisionTable>;
export type ClickRow = Selectable<ClickTable>;
export type NewClick = Insertable<ClickTable>;
export type ConsentRow = Selectable<ConsentTable>;
export type NewConsent = Insertable<ConsentTable>;
export type ProgressRow = Selectable<ProgressTable>;
export type NewProgress = Insertable<ProgressTable>;
export type DeliveryRow = Selectable<DeliveryTable>;
export type NewDelivery = Insertable<DeliveryTable>;
export type DeliveryUpdate = Updateable<DeliveryTable>;
export type DeliveryAttemptRow = Selectable<DeliveryAttemptTable>;
export type NewDeliveryAttempt = Insertable<DeliveryAttemptTable>;
export type DeliveryAttemptUpdate = Updateable<DeliveryAttemptTable>;
