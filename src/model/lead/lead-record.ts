/** Types of a lead as the use case passes it to the store. */
import type { BuyerList } from '../rules/buyers.ts';
import type { Override } from '../rules/derive-fields.ts';
import type { RuleResult } from '../rules/qualification.ts';
import type { ConsentRecord } from './consent.ts';
import type { ServiceAnswers } from './context.ts';

/** A rule that the post broke, or another remark for operators. */
export type LeadProblem = {
  readonly problem:
    | 'bad_value'
    | 'unknown_field'
    | 'unreached_field'
    | 'incomplete'
    | 'unknown_survey'
    | 'unlikely_time'
    | 'missing_consent'
    /** The flow changed during the visit. */
    | 'other_flow'
    | 'held';
  readonly field?: string;
  /** The field's error, the unanswered step, or the reason of the hold. */
  readonly reason?: string;
  readonly value?: unknown;
};

/** A derived value that browser and server computed differently. The server's value counts. */
export type LeadDifference = {
  readonly field: string;
  readonly browser: string;
  readonly server: string;
};

/** A planned delivery of a lead or of an event about a lead. Only `waiting` deliveries are sent. */
export type DeliveryRecord = {
  readonly id: string;
  readonly destination: string;
  readonly state: 'waiting' | 'held' | 'no_destination';
  /** The event to send, with its idempotency key within the lead. Absent: the delivery sends the lead. */
  readonly event?: PlannedEvent;
  readonly eventKey?: string;
  /** Longest wait for the verification or for a later choice of law firms. Default: no wait. */
  readonly waitMs?: number;
};

/** The event about a revision: `lead.accepted` for the first, `lead.revised` for later ones. */
export type PlannedEvent = {
  readonly type: 'lead.accepted' | 'lead.revised';
  readonly revision: number;
};

/** The click of the lead's visit. A progress save may have stored it already. */
type LeadClick = {
  /** 32 hexadecimal digits, or the click tracker's transaction id. */
  readonly id: string;
  readonly landingPage: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
};

/** A complete revision of a lead. */
export type AcceptedLead = {
  readonly id: string;
  /** Id of the lead that an unauthorized post named. Null for other posts. */
  readonly claimsId: string | null;
  /** SHA-256 of the post's secret. Null without a secret. */
  readonly secretSha256: string | null;
  readonly revision: number;
  readonly survey: string;
  readonly flow: string;
  readonly language: string;
  readonly state: 'accepted' | 'held' | 'dismissed';
  readonly isTest: boolean;
  readonly qualified: boolean;
  readonly dqReason: string;
  readonly leadIsQualified: boolean;
  readonly doNotSendToDq: 'yes' | 'no';
  /** The outgoing fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** The service answers that the rules used. Null if only our own checks decided. */
  readonly given: ServiceAnswers | null;
  readonly decisions: readonly RuleResult[];
  /** The answers that rules replaced. `body` has the visitor's own answers. */
  readonly overrides: readonly Override[];
  readonly differences: readonly LeadDifference[];
  readonly problems: readonly LeadProblem[];
  /** `personKey` of the outgoing e-mail address and phone number. */
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  /** The request had the opt-out signal `Sec-GPC: 1`. */
  readonly secGpc: boolean;
  /** The visitor's experiment variants, as `assignmentText` encodes them. */
  readonly variants: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Time of the post (ISO 8601). */
  readonly receivedAt: string;
  readonly submittedAt: string | null;
  /** The body of this revision's post, unchanged. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly bodySha256: string;
  /** The body merged with earlier ones. Null if it equals `body`. */
  readonly merged: Readonly<Record<string, unknown>> | null;
  readonly change: RevisionChange;
  /** Hash of the rules that decided: their files and settings. */
  readonly rulesVersion: string;
  readonly flowVersion: string;
  readonly click: LeadClick;
  /** The consent in the body of this revision's post. Null without a consent text. */
  readonly consent: ConsentRecord | null;
  readonly deliveries: readonly DeliveryRecord[];
};

/** The answer to a revision's post, and the fields that it changed. */
type RevisionChange = {
  /** The answer, stored for repeated posts of the same body. */
  readonly answer: { readonly qualified: 'yes' | 'no'; readonly dq_reason: string };
  /** Names of the fields that are new or different. Empty for revision 1. */
  readonly fields: readonly string[];
};

/** The stored state of a lead id, without the lead's contents. */
export type FoundLead = {
  /** SHA-256 of the lead's secret. Null if the lead has no secret. */
  readonly secretSha256: string | null;
  readonly isErased: boolean;
  /** Number of the newest revision. 0 before the first post. */
  readonly revision: number;
  /** The earlier revision with an identical body, and its answer. */
  readonly same:
    | { readonly revision: number; readonly answer: RevisionChange['answer'] }
    | undefined;
};

/** A lead's newest revision, row-locked. A later post is merged with it. */
export type StoredLead = FoundLead & {
  readonly id: string;
  readonly state: AcceptedLead['state'] | 'erased';
  readonly problems: readonly LeadProblem[];
  readonly isTest: boolean;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly merged: Readonly<Record<string, unknown>>;
  readonly given: ServiceAnswers | null;
  /** Time of the newest consent. Null without a consent. */
  readonly consentReceivedAt: Date | null;
  /** The buyers shown to the visitor of a one-to-one survey, by zip code. */
  readonly buyerLists: Readonly<Record<string, BuyerList>>;
};
