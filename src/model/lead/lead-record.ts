/** Types of a lead between building and storing it. */
import type { BuyerList } from '../rules/buyers.ts';
import type { Override } from '../rules/derive-fields.ts';
import type { RuleResult } from '../rules/qualification.ts';
import type { ConsentRecord } from './consent.ts';
import type { ServiceAnswers } from './context.ts';

/** A problem with a post, for operators. */
export type LeadProblem = {
  readonly problem:
    | 'bad_value'
    | 'unknown_field'
    | 'unreached_field'
    | 'incomplete'
    | 'unknown_survey'
    | 'unlikely_time'
    | 'missing_consent'
    /** The survey's flow changed during the visit. */
    | 'other_flow'
    | 'held';
  readonly field?: string;
  /** The field's error, the unanswered step, or the reason for the hold. */
  readonly reason?: string;
  readonly value?: unknown;
};

/** A derived value that differs between browser and server. The server's value applies. */
export type LeadDifference = {
  readonly field: string;
  readonly browser: string;
  readonly server: string;
};

/** A planned delivery of a lead or an event about a lead. Only `waiting` deliveries are sent. */
export type DeliveryRecord = {
  readonly id: string;
  readonly destination: string;
  readonly state: 'waiting' | 'held' | 'no_destination';
  /** The event to send. Absent: the delivery sends the lead. */
  readonly event?: PlannedEvent;
  readonly eventKey?: string;
  /** Maximum wait for the lead's verification or a later choice of law firms. Default: 0. */
  readonly waitMs?: number;
};

export type PlannedEvent = {
  readonly type: 'lead.accepted' | 'lead.revised';
  readonly revision: number;
};

type LeadClick = {
  /** 32 hex digits, or the transaction id of the click tracker. */
  readonly id: string;
  readonly landingPage: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
};

/** A revision of a lead, ready to store. */
export type AcceptedLead = {
  readonly id: string;
  /** Id of the lead that an unauthorized post named. Null for other posts. */
  readonly claimsId: string | null;
  /** SHA-256 of the secret in the post. Null without a secret. */
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
  /** The fields that buyers receive. */
  readonly fields: Readonly<Record<string, string>>;
  /** The answers of services that the rules used. Null if only our own checks were used. */
  readonly given: ServiceAnswers | null;
  readonly decisions: readonly RuleResult[];
  readonly overrides: readonly Override[];
  readonly differences: readonly LeadDifference[];
  readonly problems: readonly LeadProblem[];
  /** Keyed hashes of the contact details (`PersonKey`). */
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  /** True if the browser sent the opt-out signal `Sec-GPC: 1`. */
  readonly secGpc: boolean;
  /** The visitor's experiment variants, encoded by `assignmentText`. */
  readonly variants: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Time of the post (ISO 8601). */
  readonly receivedAt: string;
  readonly submittedAt: string | null;
  /** The body of this post, unchanged. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly bodySha256: string;
  /** The merged body of this and earlier posts. Null if equal to `body`. */
  readonly merged: Readonly<Record<string, unknown>> | null;
  readonly change: RevisionChange;
  /** Hash of the files and settings of the rules that decided. */
  readonly rulesVersion: string;
  readonly flowVersion: string;
  readonly click: LeadClick;
  /** The consent in this post. Null without a consent text. */
  readonly consent: ConsentRecord | null;
  readonly deliveries: readonly DeliveryRecord[];
};

type RevisionChange = {
  /** The server's answer, which it repeats if the browser posts the same body again. */
  readonly answer: { readonly qualified: 'yes' | 'no'; readonly dq_reason: string };
  /** Names of changed fields. Empty for revision 1. */
  readonly fields: readonly string[];
};

/** The stored state of a lead, without its contents. */
export type LeadStatus = {
  readonly secretSha256: string | null;
  readonly isErased: boolean;
  /** Number of the newest revision. 0 before the first post. */
  readonly revision: number;
  /** The earlier revision with the same body, if any. */
  readonly same:
    | { readonly revision: number; readonly answer: RevisionChange['answer'] }
    | undefined;
};

/** The newest revision of a lead, locked until the transaction ends. */
export type StoredLead = LeadStatus & {
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
  /** The buyers that a one-to-one survey displayed, by zip code. */
  readonly buyerLists: Readonly<Record<string, BuyerList>>;
};
