import type { BuyerList } from '../rules/buyers.ts';
import type { Override } from '../rules/derive-fields.ts';
import type { RuleResult } from '../rules/qualification.ts';
import type { ConsentRecord } from './consent.ts';
import type { ServiceAnswers } from './context.ts';

/** A problem of a posted lead, which the console shows to operators. */
export type LeadProblem = {
  readonly problem:
    | 'bad_value'
    | 'unknown_field'
    | 'unreached_field'
    | 'incomplete'
    | 'unknown_survey'
    | 'unlikely_time'
    | 'missing_consent'
    | 'other_flow'
    | 'held';
  readonly field?: string;
  /** The field's error, the unanswered step, or the reason for holding the lead. */
  readonly reason?: string;
  readonly value?: unknown;
};

/** A value that the browser and the server derived differently. */
export type LeadDifference = {
  readonly field: string;
  readonly browser: string;
  readonly server: string;
};

/** A planned delivery of a lead or of an event about a lead. */
export type DeliveryRecord = {
  readonly id: string;
  readonly destination: string;
  readonly state: 'waiting' | 'held' | 'no_destination';
  /** The event that the delivery sends instead of the lead. */
  readonly event?: PlannedEvent;
  readonly eventKey?: string;
  /** Maximum wait for the verification of the lead, in milliseconds. */
  readonly waitMs?: number;
};

export type PlannedEvent = {
  readonly type: 'lead.accepted' | 'lead.revised';
  readonly revision: number;
};

type LeadClick = {
  /** The id of the ad click: 32 hex digits, or the transaction id of the click tracker. */
  readonly id: string;
  readonly landingPage: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
};

/** A revision of a lead that can be stored. */
export type AcceptedLead = {
  readonly id: string;
  /** The lead id in a post without the right lead secret. Null for all other posts. */
  readonly claimsId: string | null;
  /** The SHA-256 of the lead secret that the browser posted. */
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
  readonly fields: Readonly<Record<string, string>>;
  /** The answers of services that the rules used. */
  readonly given: ServiceAnswers | null;
  readonly decisions: readonly RuleResult[];
  readonly overrides: readonly Override[];
  readonly differences: readonly LeadDifference[];
  readonly problems: readonly LeadProblem[];
  /** The keyed hash of the e-mail address. */
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  readonly secGpc: boolean;
  /** The visitor's experiment variants, as `assignmentText` encodes them. */
  readonly variants: string;
  readonly ip: string;
  readonly userAgent: string;
  /** The time of the post (ISO 8601). */
  readonly receivedAt: string;
  readonly submittedAt: string | null;
  /** The unchanged body of this post. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly bodySha256: string;
  /** The body, merged with earlier posts. Null if equal to `body`. */
  readonly merged: Readonly<Record<string, unknown>> | null;
  readonly change: RevisionChange;
  /** A hash of the rules that decided about the lead. */
  readonly rulesVersion: string;
  readonly flowVersion: string;
  readonly click: LeadClick;
  readonly consent: ConsentRecord | null;
  readonly deliveries: readonly DeliveryRecord[];
};

type RevisionChange = {
  /** The server's answer to the post. A retry with the same body gets the same answer. */
  readonly answer: { readonly qualified: 'yes' | 'no'; readonly dq_reason: string };
  /** The names of the changed fields. */
  readonly fields: readonly string[];
};

/** The status of a stored lead. */
export type LeadStatus = {
  readonly secretSha256: string | null;
  readonly isErased: boolean;
  /** The number of the newest revision, or 0 before the first post. */
  readonly revision: number;
  /** The earlier revision that had the same body as the new post. */
  readonly same:
    | { readonly revision: number; readonly answer: RevisionChange['answer'] }
    | undefined;
};

/** The newest revision of a lead, locked until the transaction ends. */
export type StoredLead = LeadStatus &
  Pick<AcceptedLead, 'id' | 'problems' | 'isTest' | 'given'> & {
    readonly state: AcceptedLead['state'] | 'erased';
    readonly ip: string | null;
    readonly userAgent: string | null;
    readonly merged: Readonly<Record<string, unknown>>;
    /** The time at which the server received the newest consent. */
    readonly consentReceivedAt: Date | null;
    /** The displayed buyers, by zip code. */
    readonly buyerLists: Readonly<Record<string, BuyerList>>;
  };
