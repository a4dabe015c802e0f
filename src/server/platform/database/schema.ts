/** Types of the tables' rows. `migrations/001_schema.sql` explains the columns. */
import type { DeliveryState, EndReason, LeadState } from '../../../model/messages/vocabulary.ts';

type JsonObject = Record<string, unknown>;

/** One lead, with a summary of its newest revision. */
export type LeadRow = {
  id: string;
  survey: string;
  flow: string;
  language: string;
  state: LeadState;
  revision: number;
  is_test: boolean;
  qualified: boolean;
  dq_reason: string;
  lead_is_qualified: boolean;
  do_not_send_to_dq: 'yes' | 'no';
  sec_gpc: boolean;
  /** The experiment variants that the browser had seen, in the format of `assignmentText`. */
  variants: string;
  claims_id: string | null;
  evidence_salt: string | null;
  created_at: Date;
  submitted_at: Date | null;
  erased_at: Date | null;
};

/** One post of a lead, with the results of the rules. Only an erasure changes the row. */
export type LeadRevisionRow = {
  revision: number;
  received_at: Date;
  body: JsonObject;
  /** The SHA-256 of the body; after an erasure, a replacement. */
  body_sha256: string;
  merged: JsonObject | null;
  change: unknown;
  fields: Record<string, string>;
  /** The results of checks that were passed to the rules. Null: none. */
  given: JsonObject | null;
  decisions: unknown[];
  overrides: unknown;
  differences: unknown;
  problems: unknown[];
  /** The person key of the outgoing e-mail address. */
  email_key: string | null;
  phone_key: string | null;
  rules_version: string;
  flow_version: string;
};

/** The first request that contained a transaction id. */
export type ClickRow = {
  id: string;
  landing_page: string | null;
  params: JsonObject;
  referer: string | null;
  ip: string | null;
  user_agent: string | null;
  sec_gpc: boolean;
  created_at: Date;
};

/** A consent record: the text that the visitor saw. */
export type ConsentRow = {
  revision: number;
  text: string;
  text_sha256: string;
  version: string;
  language: string;
  page: string;
  shown_at: Date | null;
  given_at: Date | null;
  ip: string | null;
  user_agent: string | null;
  buyers: unknown[];
  certificate: string | null;
  sent_text: string | null;
  created_at: Date;
};

/** One step that a browser reported. */
export type ProgressRow = {
  seq: number;
  step: string;
  kind: string;
  answers: JsonObject;
  /** The experiment variants that the browser had seen, in the format of `assignmentText`. */
  variants: string;
  refused: string | null;
  /** Time on the step. The driver returns `numeric` as text. */
  seconds: string | null;
  at: Date | null;
  received_at: Date;
};

/** One delivery of a lead to a destination, or of an event to a listener. */
export type DeliveryRow = {
  id: string;
  lead_id: string;
  destination: string;
  event_key: string;
  /** A `DestinationEvent`, which has no personal data. Null: the delivery sends the lead. */
  event: JsonObject | null;
  state: DeliveryState;
  attempts: number;
  attempts_before_round: number;
  due_at: Date | null;
  revision: number | null;
  account: string | null;
  may_have_arrived: boolean;
  external_id: string | null;
  /** The destination's last message about the lead. Retention deletes the message. */
  last_message: string | null;
  end_reason: EndReason | null;
  /** True while the delivery waits for the choice of a buyer. */
  is_unrouted: boolean;
  /** When the buyer was chosen. Null: it was not, or the buyer refused the lead. */
  chosen_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
};

/** One attempt of a delivery. The row is inserted before sending and completed afterwards. */
export type DeliveryAttemptRow = {
  delivery_id: string;
  attempt: number;
  started_at: Date;
  ended_at: Date | null;
  /** A `SendOutcome`. Null while the attempt is running. */
  outcome: string | null;
  http_status: number | null;
  response: string | null;
  error: string | null;
  duration_ms: number | null;
  sent_sha256: string | null;
  revision: number | null;
  account: string | null;
  payload_version: number | null;
};

/** One action on a lead by an operator or by retention. */
export type LeadEventRow = {
  id: string;
  lead_id: string;
  at: Date;
  kind: 'resent' | 'released' | 'dismissed' | 'suppressed' | 'erased' | 'expired';
  actor: string;
  detail: JsonObject;
};

/** One check of a lead's value by a third party, or a check that we refused to make. */
export type LeadCheckRow = {
  id: string;
  revision: number | null;
  service: string;
  /** A hash that identifies the checked value. */
  asked_sha256: string;
  at: Date;
  duration_ms: number;
  outcome: 'answered' | 'failed' | 'timed_out' | 'skipped' | 'remembered' | 'over_limit';
  said: JsonObject | null;
  reason: string | null;
};

/** One phone verification code that was sent, or one guess by the visitor. */
export type PhoneCodeRow = {
  id: string;
  kind: 'send' | 'check';
  at: Date;
  ended_at: Date | null;
  /** Null while the call runs, or if the result is unknown. */
  outcome: string | null;
};
