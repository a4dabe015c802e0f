/** The rows of the tables of `migrations/`, as they are read; Kysely reads only. A `timestamptz` reads as `Date`. */
import type { IngestAccount } from '../../domain/ingest-account.ts';

type JsonObject = Record<string, unknown>;

export type LeadState = 'accepted' | 'held' | 'dismissed' | 'erased';

/** One visit: who owns the lead id, and what is known before the lead is posted. */
type VisitRow = {
  lead_id: string;
  /** Hash of the browser's secret; null: the visit has none. */
  secret_sha256: string | null;
  survey: string;
  /** The ingest account that the mapping service named. */
  account: IngestAccount | null;
  /** Buyer lists, by zip code. */
  offers: JsonObject;
  /** The `FormVisit` of a visit that posts forms. */
  form: JsonObject | null;
  created_at: Date;
  seen_at: Date;
  erased_at: Date | null;
};

/** One lead, with a summary of its newest revision. */
export type LeadRow = {
  /** UUIDv7 that the browser created when the survey started. */
  id: string;
  /** The survey's path, such as `/survey/v4nv`. */
  survey: string;
  flow: string;
  language: string;
  /** `held`: waits for an operator; the revision's problems say why. `dismissed`: closed unsent. */
  state: LeadState;
  /** The newest revision, from 1. */
  revision: number;
  is_test: boolean;
  /** The result of the qualification rule (docs/specification.md#qualification). */
  qualified: boolean;
  /** The first rule that rejects, as `field|value`; empty if none does. */
  dq_reason: string;
  lead_is_qualified: boolean;
  do_not_send_to_dq: 'yes' | 'no';
  click_id: string | null;
  ip: string | null;
  user_agent: string | null;
  /** Whether `Sec-GPC: 1` was sent: an opt-out of sale and sharing. */
  sec_gpc: boolean;
  /** `assignmentText` of the experiment variants that the browser had seen. */
  variants: string;
  /** The lead that this disputed post claims to belong to, without proof. */
  claims_id: string | null;
  /** The salt of its entries in the log of evidence; null: not in the log, or erased. */
  evidence_salt: string | null;
  created_at: Date;
  submitted_at: Date | null;
  updated_at: Date;
  erased_at: Date | null;
};

/** One post of a lead and its results (`wholeRevision`); written once, emptied only by erasure. */
export type LeadRevisionRow = {
  lead_id: string;
  revision: number;
  received_at: Date;
  body: JsonObject;
  /** `bodySha256` of the body; once the lead is erased a key of it (decision 17), or empty. */
  body_sha256: string;
  /** The body merged with earlier ones; null: same as the body. */
  merged: JsonObject | null;
  change: unknown;
  /** The outgoing fields, with the rules' values. */
  fields: Record<string, string>;
  /** `ServiceAnswers`: the services' answers that the rules used; null: none. */
  given: JsonObject | null;
  /** The result of each rule, with its inputs. */
  decisions: unknown[];
  /** Answers that a rule overwrote. */
  overrides: unknown;
  /** Values that browser and server derived differently. */
  differences: unknown;
  /** Reasons for a hold, rules that the post broke, unknown fields. */
  problems: unknown[];
  /** `personKey` of the outgoing e-mail address and phone number. */
  email_key: string | null;
  phone_key: string | null;
  /** An id in `rule_versions`. */
  rules_version: string;
  /** Hash of the flow's data. */
  flow_version: string;
};

/** Where a visitor came from: the first request with a transaction id. */
export type ClickRow = {
  lead_id: string;
  /** 32 hexadecimal digits, or the click tracker's id. */
  id: string;
  survey: string | null;
  landing_page: string | null;
  params: JsonObject;
  referer: string | null;
  ip: string | null;
  user_agent: string | null;
  sec_gpc: boolean;
  created_at: Date;
};

/** A consent record: the text as the visitor saw it. */
export type ConsentRow = {
  lead_id: string;
  revision: number;
  text: string;
  /** SHA-256 of `text` (UTF-8), hexadecimal. */
  text_sha256: string;
  /** The date of the text's file (`content/consent/`); empty if the page did not send it. */
  version: string;
  language: string;
  page: string;
  shown_at: Date | null;
  given_at: Date | null;
  ip: string | null;
  user_agent: string | null;
  buyers: unknown[];
  certificate: string | null;
  /** The statement that is sent instead of `text`; null: `text` is sent. */
  sent_text: string | null;
  /** Name, address and number of the person, once the lead itself has been deleted. */
  person: JsonObject | null;
  created_at: Date;
};

/** One report of the browser about a step, without the keys by which SQL finds its person (contact-keys.ts). */
export type ProgressRow = {
  lead_id: string;
  /** The browser's counter within the lead; a repeated report has the same one. */
  seq: number;
  survey: string;
  step: string;
  /** `viewed`, `answered`, `back`, `submitted`, `refused`. */
  kind: string;
  answers: JsonObject;
  /** `assignmentText` of the experiment variants that the browser had seen. */
  variants: string;
  /** The refused fields, with commas between them; null unless the kind is `refused`. */
  refused: string | null;
  /** Seconds on the step; the driver reads `numeric` as text. */
  seconds: string | null;
  /** The browser's clock. */
  at: Date | null;
  received_at: Date;
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

/** Why a delivery ended unsent. */
export type EndReason =
  /** The destination's answer is final. */
  | 'final'
  /** Every attempt of the round failed. */
  | 'given_up'
  /** The person is on the suppression list. An undo resumes the delivery. */
  | 'listed'
  /** The lead was erased, or its retention period is over. */
  | 'erased'
  /** The lead came with the opt-out signal (Sec-GPC). */
  | 'opted_out'
  /** The lead has no consent text. */
  | 'no_consent'
  /** The visitor agreed to no buyer. */
  | 'no_buyer';

/**
 * One delivery: of a lead to a destination, or of an event to a listener. The table is the delivery queue and
 * the record of what was sent.
 */
export type DeliveryRow = {
  id: string;
  lead_id: string;
  destination: string;
  /** Identifies the event within the lead; empty: the lead itself is sent. */
  event_key: string;
  /** A `DestinationEvent`, without personal data; null: the lead itself is sent. */
  event: JsonObject | null;
  state: DeliveryState;
  attempts: number;
  /** Attempts before the current round; a resend starts a new one. */
  attempts_before_round: number;
  /** When to act next: send, retry, or take over after the lease has run out. */
  due_at: Date | null;
  /** When the round's first attempt was due; null: none was made. */
  first_due_at: Date | null;
  lease_owner: string | null;
  /** Pinned at the first lease of a round; an event has it from the start. */
  revision: number | null;
  account: string | null;
  payload_version: number | null;
  /** Whether an attempt arrived or may have. */
  may_have_arrived: boolean;
  /** The id that the destination gave. */
  external_id: string | null;
  /** The destination's words about the lead. Retention removes them. */
  last_message: string | null;
  /** Why it is dead or suppressed; null in every other state. */
  end_reason: EndReason | null;
  /** The code of the destination's last answer, if it refused. */
  answer_code: string | null;
  created_at: Date;
  finished_at: Date | null;
};

/** One attempt to send; inserted before the send and completed after it. */
export type DeliveryAttemptRow = {
  delivery_id: string;
  /** 1, 2, 3, … */
  attempt: number;
  started_at: Date;
  ended_at: Date | null;
  /** A `SendOutcome`; null while it runs. */
  outcome: string | null;
  http_status: number | null;
  /** The destination's answer, shortened. */
  response: string | null;
  error: string | null;
  duration_ms: number | null;
  /**
   * Hash of the exact bytes, hexadecimal; null: nothing to send, or the lead is
   * erased or expired.
   */
  sent_sha256: string | null;
  revision: number | null;
  account: string | null;
  payload_version: number | null;
};

/** What operators and retention rules did to a lead. */
export type LeadEventRow = {
  id: string;
  lead_id: string;
  delivery_id: string | null;
  at: Date;
  kind: 'resent' | 'released' | 'dismissed' | 'suppressed' | 'erased' | 'expired';
  actor: string;
  detail: JsonObject;
};

/** The suppression list: nothing is sent about these persons. */
type SuppressionRow = {
  /** `personKey`. */
  key: string;
  kind: 'email' | 'phone';
  actor: string;
  created_at: Date;
};

/** The health of a destination for all processes; no row: no problems (`delivery/destination-health.ts`). */
export type DestinationHealthRow = {
  destination: string;
  paused_at: Date | null;
  /** `answer`: it refused our account; otherwise the operator's name. */
  paused_by: string | null;
  pause_reason: string | null;
  /** When one delivery may test the paused destination; null: never. */
  probe_at: Date | null;
  /** Failed sends in a row. */
  failures: number;
  last_failure: string | null;
  recovered_at: Date | null;
  failing_told_at: Date | null;
  waiting_told_at: Date | null;
  expiring_told_at: Date | null;
  /** Since when its settings are missing. */
  off_at: Date | null;
};

/** One check of a lead by a third party, made or refused. */
export type LeadCheckRow = {
  id: string;
  lead_id: string;
  /** The revision it was about; null: it was made before the lead was posted. */
  revision: number | null;
  /** A `CheckedService`. */
  service: string;
  /** `askedKey`, and for a number or address the person's key. */
  asked_sha256: string;
  at: Date;
  duration_ms: number;
  /** An `AskOutcome`; `remembered`: a cached answer was used; `over_limit`: it was not made. */
  outcome: 'answered' | 'failed' | 'timed_out' | 'skipped' | 'remembered' | 'over_limit';
  /** The answer, without personal data. */
  said: JsonObject | null;
  /** Why there is no answer, without personal data. */
  reason: string | null;
};

/** One send or one try of a phone verification code. */
export type PhoneCodeRow = {
  id: string;
  lead_id: string;
  kind: 'send' | 'check';
  /** The HMAC of the number. */
  number_key: string;
  at: Date;
  ended_at: Date | null;
  /** A `CodeSendOutcome` or `CheckOutcome`; null: running, or unknown. */
  outcome: string | null;
};

export type Schema = {
  visits: VisitRow;
  leads: LeadRow;
  /** `fields`: null for a value that is as posted. */
  lead_revisions: Omit<LeadRevisionRow, 'fields'> & { fields: Record<string, string | null> };
  clicks: ClickRow;
  /** `text`: null for the text of its hash in `consent_texts`. Null of `ip` and `user_agent`: the lead's. */
  consents: Omit<ConsentRow, 'text'> & { text: string | null };
  progress: ProgressRow;
  deliveries: DeliveryRow;
  delivery_attempts: DeliveryAttemptRow;
  lead_events: LeadEventRow;
  lead_checks: LeadCheckRow;
  destination_health: DestinationHealthRow;
  suppressions: SuppressionRow;
  phone_codes: PhoneCodeRow;
};
