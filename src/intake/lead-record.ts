/** A lead as the use case hands it to the store. */
import type { Buyer } from '../domain/buyer-choice.ts';
import type { BuyerList } from '../domain/buyers.ts';
import type { RuleResult } from '../domain/qualification.ts';
import type { ServiceAnswers } from './service-answers.ts';

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
    // The visit began with another version of the flow.
    | 'other_flow'
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

/** One destination of a lead, or one event that a destination is told of. Only those that wait are sent. */
export type DeliveryRecord = {
  readonly id: string;
  readonly destination: string;
  readonly state: 'waiting' | 'held' | 'no_destination';
  /** What it is told of, and what tells that from other events of the lead; missing: it is sent the lead. */
  readonly event?: PlannedEvent;
  readonly eventKey?: string;
  /** How long it waits at most for what is sent along with it, or for a choice; absent: not at all. */
  readonly waitMs?: number;
};

/** A revision of a lead as an event: the first is `lead.accepted`, a later one `lead.revised`. */
export type PlannedEvent = {
  readonly type: 'lead.accepted' | 'lead.revised';
  readonly revision: number;
};

/** The visit that led to the lead; written unless the progress call has done it before. */
export type LeadClick = {
  /** 32 hexadecimal digits, or the id that a click tracker gave. */
  readonly id: string;
  readonly landingPage: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
};

/** One revision of a lead, whole. */
export type AcceptedLead = {
  readonly id: string;
  /** The lead that it claims to be, posted without the secret of the browser that began that one. */
  readonly claimsId: string | null;
  /** SHA-256 of the secret that came with the post; null: none came. */
  readonly secretSha256: string | null;
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
  /** What services had answered and the rules were given; null: our own checks decided all. */
  readonly given: ServiceAnswers | null;
  readonly decisions: readonly RuleResult[];
  readonly overrides: readonly LeadOverride[];
  readonly differences: readonly LeadDifference[];
  readonly problems: readonly LeadProblem[];
  /** `personKey` of the outward e-mail address and phone number. */
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  /** The opt-out signal of the request (Sec-GPC: 1). */
  readonly secGpc: boolean;
  /** The variants of experiments that its browser had seen (`assignmentText`); '' without any. */
  readonly variants: string;
  readonly ip: string;
  readonly userAgent: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly submittedAt: string | null;
  /** The body that brought this revision, whole, its `bodySha256`, and what it changed. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly bodySha256: string;
  /** The body merged with those before; null: the body itself. */
  readonly merged: Readonly<Record<string, unknown>> | null;
  readonly change: RevisionChange;
  /** What decided: a hash of the rules' files and settings, and one of the flow. */
  readonly rulesVersion: string;
  readonly flowVersion: string;
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

/** What is known of a lead id, without the lead's contents: whose it is, and how much there is of it. */
export type FoundLead = {
  /** SHA-256 of the secret that it was begun with; null: without one. */
  readonly secretSha256: string | null;
  readonly isErased: boolean;
  /** 0: nothing was posted yet. */
  readonly revision: number;
  /** The revision that the same body brought before, with what was answered. */
  readonly same:
    | { readonly revision: number; readonly answer: RevisionChange['answer'] }
    | undefined;
};

/** The newest revision of a lead, locked against others: what a later post is merged with. */
export type StoredLead = FoundLead & {
  readonly id: string;
  readonly state: 'accepted' | 'held' | 'erased';
  readonly problems: readonly LeadProblem[];
  readonly isTest: boolean;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly merged: Readonly<Record<string, unknown>>;
  readonly given: ServiceAnswers | null;
  /** When its newest consent came; null: none did. */
  readonly consentReceivedAt: Date | null;
  /** The buyers that its visitor was shown in a one-to-one survey, by zip code. */
  readonly buyerLists: Readonly<Record<string, BuyerList>>;
};
