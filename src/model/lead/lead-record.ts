/** A lead as the use case passes it to the store. */
import type { BuyerList } from '../rules/buyers.ts';
import type { Override } from '../rules/derive-fields.ts';
import type { RuleResult } from '../rules/qualification.ts';
import type { ConsentRecord } from './consent.ts';
import type { ServiceAnswers } from './context.ts';

/** A rule that the post broke, or another remark for whoever looks at the lead. */
export type LeadProblem = {
  readonly problem:
    | 'bad_value'
    | 'unknown_field'
    | 'unreached_field'
    | 'incomplete'
    | 'unknown_survey'
    | 'unlikely_time'
    | 'missing_consent'
    /** The visit began with another version of the flow. */
    | 'other_flow'
    | 'held';
  readonly field?: string;
  /** A fixed word: the field's error, the unanswered step, or the reason of the hold. */
  readonly reason?: string;
  readonly value?: unknown;
};

/** A derived value that browser and server computed differently; the server's value counts. */
export type LeadDifference = {
  readonly field: string;
  readonly browser: string;
  readonly server: string;
};

/** A planned delivery of a lead, or of an event about it. Only `waiting` deliveries are sent. */
export type DeliveryRecord = {
  readonly id: string;
  readonly destination: string;
  readonly state: 'waiting' | 'held' | 'no_destination';
  /** The event to send and its idempotency key within the lead; absent: the lead itself is sent. */
  readonly event?: PlannedEvent;
  readonly eventKey?: string;
  /** The longest wait for the verification's answer or for a later choice of firms. Default: none. */
  readonly waitMs?: number;
};

/** A lead's revision as an event: the first is `lead.accepted`, later ones are `lead.revised`. */
export type PlannedEvent = {
  readonly type: 'lead.accepted' | 'lead.revised';
  readonly revision: number;
};

/** The click that led to the lead; stored unless a progress save already did. */
type LeadClick = {
  /** 32 hexadecimal digits, or the click tracker's transaction id. */
  readonly id: string;
  readonly landingPage: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
};

/** One complete revision of a lead. */
export type AcceptedLead = {
  readonly id: string;
  /** The lead that this disputed post claimed to belong to; null: not disputed. */
  readonly claimsId: string | null;
  /** SHA-256 of the post's secret; null: it has none. */
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
  /** The service answers that the rules used; null: our own checks decided everything. */
  readonly given: ServiceAnswers | null;
  readonly decisions: readonly RuleResult[];
  /** The answers that rules replaced; `body` has the visitor's own. */
  readonly overrides: readonly Override[];
  readonly differences: readonly LeadDifference[];
  readonly problems: readonly LeadProblem[];
  /** `personKey` of the outgoing e-mail address and phone number. */
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  /** Whether the request had the opt-out signal (`Sec-GPC: 1`). */
  readonly secGpc: boolean;
  /** The experiment variants that the browser saw (`assignmentText`); '' if none. */
  readonly variants: string;
  readonly ip: string;
  readonly userAgent: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly submittedAt: string | null;
  /** The unchanged body of this revision's post, and its hash. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly bodySha256: string;
  /** The body merged with earlier ones; null: the body itself. */
  readonly merged: Readonly<Record<string, unknown>> | null;
  readonly change: RevisionChange;
  /** Hashes of the rules (files and settings) and of the flow that decided. */
  readonly rulesVersion: string;
  readonly flowVersion: string;
  readonly click: LeadClick;
  /** Null: this revision's own body has no consent text. */
  readonly consent: ConsentRecord | null;
  readonly deliveries: readonly DeliveryRecord[];
};

/** The answer to a revision's post, and the fields that it changed. */
type RevisionChange = {
  /** Stored so that a repeated body gets the same answer. */
  readonly answer: { readonly qualified: 'yes' | 'no'; readonly dq_reason: string };
  /** The new or different fields of the body; empty for revision 1. */
  readonly fields: readonly string[];
};

/** What is stored under a lead id, without the lead's contents. */
export type FoundLead = {
  /** SHA-256 of the secret that the lead was begun with; null: it has none. */
  readonly secretSha256: string | null;
  readonly isErased: boolean;
  /** 0: nothing was posted yet. */
  readonly revision: number;
  /** The revision that an identical body created earlier, with its answer. */
  readonly same:
    | { readonly revision: number; readonly answer: RevisionChange['answer'] }
    | undefined;
};

/** A lead's newest revision, row-locked, for a later post to merge with. */
export type StoredLead = FoundLead & {
  readonly id: string;
  readonly state: AcceptedLead['state'] | 'erased';
  readonly problems: readonly LeadProblem[];
  readonly isTest: boolean;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly merged: Readonly<Record<string, unknown>>;
  readonly given: ServiceAnswers | null;
  /** When the newest consent arrived; null: none. */
  readonly consentReceivedAt: Date | null;
  /** The buyers shown to the visitor of a one-to-one survey, by zip code. */
  readonly buyerLists: Readonly<Record<string, BuyerList>>;
};
