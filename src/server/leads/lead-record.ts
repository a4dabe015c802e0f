/** A lead as the use case hands it to the store. */
import type { Buyer } from '../../domain/buyer-choice.ts';
import type { RuleResult } from '../../domain/qualification.ts';

/** A rule that the payload broke, or anything else that a person who looks at the lead should know. */
export type LeadProblem = {
  readonly problem:
    | 'bad_value'
    | 'unknown_field'
    | 'unreached_field'
    | 'incomplete'
    | 'unknown_survey'
    | 'unlikely_time'
    | 'missing_consent'
    | 'held';
  readonly field?: string;
  /** Why, in a fixed word: a field's error, the step that has no answer, the reason of the hold. */
  readonly reason?: string;
  readonly value?: unknown;
};

/** A derived value that browser and server computed differently; the server's counts. */
export type LeadDifference = {
  readonly field: string;
  readonly browser: string;
  readonly server: string;
};

/** An answer that a rule replaced; the visitor's own stays in `answers`. */
export type LeadOverride = {
  readonly field: string;
  readonly answered?: string;
  readonly becomes: string;
  readonly rule: string;
};

/** The consent as the visitor saw it. Times are ISO 8601. */
export type ConsentRecord = {
  readonly text: string;
  /** SHA-256 of the text in UTF-8, hexadecimal. */
  readonly textSha256: string;
  /** The date of the text's file; empty when the page did not say. */
  readonly version: string;
  readonly language: string;
  readonly page: string;
  readonly shownAt: string | null;
  readonly givenAt: string | null;
  /** Of the request that brought it. */
  readonly ip: string;
  readonly userAgent: string;
  /** The consent certificate, where a service made one. */
  readonly certificate: string | null;
  /** The statement sent in place of `text` (one-to-one consent); null: `text` itself is sent. */
  readonly sentText: string | null;
  /** The buyers that were shown with it (one-to-one consent), and which of them were chosen. */
  readonly buyers: readonly (Buyer & { readonly chosen: boolean })[];
};

/** One destination of a lead. Only those that wait get a job. */
export type DeliveryRecord = {
  readonly id: string;
  readonly destination: string;
  readonly state: 'waiting' | 'held' | 'no_destination';
};

/** The visit that led to the lead; written unless the progress call has done it before. */
export type LeadClick = {
  /** 32 hexadecimal digits, or the id that a click tracker gave. */
  readonly id: string;
  readonly landingPage: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly secGpc: boolean;
};

/** One revision of a lead, whole. */
export type AcceptedLead = {
  readonly id: string;
  readonly revision: number;
  readonly survey: string;
  readonly flow: string;
  readonly language: string;
  readonly state: 'accepted' | 'held';
  readonly isTest: boolean;
  readonly qualified: boolean;
  readonly dqReason: string;
  readonly leadIsQualified: boolean;
  readonly doNotSendToDq: 'yes' | 'no';
  /** What the visitor answered, as received. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The lead as buyers get it. */
  readonly fields: Readonly<Record<string, string>>;
  readonly decisions: readonly RuleResult[];
  readonly overrides: readonly LeadOverride[];
  readonly differences: readonly LeadDifference[];
  readonly problems: readonly LeadProblem[];
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  readonly ip: string;
  readonly userAgent: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly submittedAt: string | null;
  /** The body that brought this revision, whole, and what it changed. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly change: RevisionChange;
  readonly click: LeadClick;
  /** Null: no consent text came with this revision's own body. */
  readonly consent: ConsentRecord | null;
  readonly deliveries: readonly DeliveryRecord[];
};

/** What a revision changed, and what was answered to it: the same body again gets the same answer. */
export type RevisionChange = {
  readonly answer: { readonly qualified: 'yes' | 'no'; readonly dq_reason: string };
  /** Fields of the body that were new or different; empty for revision 1. */
  readonly fields: readonly string[];
};

/** A lead as it is in the store: what a later post of the same id is compared with. */
export type StoredLead = {
  readonly id: string;
  readonly revision: number;
  readonly state: 'accepted' | 'held';
  readonly problems: readonly LeadProblem[];
  readonly isTest: boolean;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Every body that was received, the oldest first. */
  readonly revisions: readonly {
    readonly revision: number;
    readonly body: Readonly<Record<string, unknown>>;
    readonly change: RevisionChange;
  }[];
};
