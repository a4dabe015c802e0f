/** The console's messages about leads: list, filters, timeline and actions. */
import { deliveryStates, leadStates } from '../vocabulary.ts';
import { dimensions } from './numbers.ts';

/** The keys of a lead filter, which are also query keys of the list's URL. */
export const leadFilterKeys = [
  'from', // first day, YYYY-MM-DD in the operators' time zone; or a time in ISO 8601
  'to', // last day, inclusive; or a time, exclusive
  'by', // the date to filter: start of the `visit`, `end` of the delivery; default: arrival
  'survey', // a path, such as /survey/v4nv
  'lead', // accepted | held | dismissed | erased
  'delivery', // the state of a delivery of the lead
  'destination', // together with `delivery`, the state of the delivery to this destination
  'outcome', // delivered | rejected | unsold, over all buyers
  'qualified', // yes | no
  'reason', // reason of the disqualification, as field|value
  'hold', // reason of the hold
  'source', // `NO_VALUE`: leads without a source
  'campaign', // utm_campaign
  'sub', // as sub1=abc
  'affiliate',
  'state', // two-letter code of the accident's or visitor's state
  'language',
  'device',
  'code', // code of the buyer's rejection
  'variant', // experiment variant, such as buttons.rounded
  'tests', // `only` test leads, or `with` test leads; default: without
  'q', // e-mail address, phone number, an id, or the beginning of a last name
] as const;
/** The filter value that selects leads without a value, such as leads without a source. */
export const NO_VALUE = '(none)';

export const suggestedKeys = [
  ...dimensions,
  'reason',
  'hold',
  'destination',
] as const satisfies readonly LeadFilterKey[];
export type SuggestedKey = (typeof suggestedKeys)[number];
/** A filter key's values in the newest leads. `of` is the number of these leads. */
export type LeadValuesAnswer = {
  readonly values: readonly { readonly value: string; readonly leads: number }[];
  readonly of: number;
};

/** The allowed values of filter keys. Other filter keys accept any value. */
export const filterChoices: Readonly<Partial<Record<string, readonly string[]>>> = {
  lead: leadStates,
  delivery: deliveryStates,
  outcome: ['delivered', 'rejected', 'unsold'],
  qualified: ['yes', 'no'],
  by: ['visit', 'end'],
  tests: ['only', 'with'],
};

export type LeadFilterKey = (typeof leadFilterKeys)[number];
export type LeadFilter = Readonly<Partial<Record<LeadFilterKey, string>>>;

/** A row of the list of leads. Contact details are masked, as in `m…@g….com`. */
export type LeadRowAnswer = {
  readonly id: string;
  readonly receivedAt: string;
  readonly survey: string;
  readonly language: string;
  readonly state: (typeof leadStates)[number];
  readonly qualified: boolean;
  readonly reason: string;
  readonly holds: readonly string[];
  readonly isTest: boolean;
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly usState: string;
  readonly source: string;
  readonly affiliate: string;
  readonly variants: string;
  readonly revision: number;
  /** The deliveries of the lead, buyers first. Excludes deliveries of events. */
  readonly deliveries: readonly {
    readonly title: string;
    readonly isBuyer: boolean;
    readonly state: string;
  }[];
};

/** A page of leads. `next`: cursor of the next page. `asOf`: time of the last count, or null. */
export type LeadListAnswer = {
  readonly rows: readonly LeadRowAnswer[];
  readonly first: string | null;
  readonly next: string | null;
  readonly asOf: string | null;
};
/** A number of leads. `isExact` is false if counting stopped at the limit. */
export type LeadCountAnswer = { readonly count: number; readonly isExact: boolean };

/** A label with its value. Dots mask a personal value until the operator opens the lead. */
export type TimelineDetail = {
  readonly label: string;
  readonly value: string;
  readonly isMasked?: true;
};

export type TimelineRule = {
  readonly name: string;
  readonly result: string;
  readonly tone: TimelineTone;
  readonly inputs: readonly TimelineDetail[];
};

/** A field that a rule or a later revision changed. */
export type TimelineChange = {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly isMasked?: true;
  /** Name of the rule. Empty if the visitor changed the field. */
  readonly by: string;
};

export type TimelineConsent = {
  /** Null if erased. Null while masked, because an unpublished text may contain personal data. */
  readonly text: string | null;
  readonly textState: 'shown' | 'masked' | 'erased';
  readonly language: string;
  readonly version: string;
};

export type TimelineTone = 'plain' | 'good' | 'warning' | 'bad';

/** The kinds of timeline entries, in the usual order. */
export const timelineKinds = [
  'click',
  'step',
  'code',
  'consent',
  'revision',
  'decision',
  'check',
  'attempt',
  'delivery',
  'event',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export type TimelineEntry = {
  /** Fragment for links to this entry, such as `revision-1`. */
  readonly id: string;
  readonly at: string;
  readonly kind: TimelineKind;
  readonly title: string;
  readonly text: string;
  readonly tone: TimelineTone;
  readonly details: readonly TimelineDetail[];
  readonly rules?: readonly TimelineRule[];
  readonly changes?: readonly TimelineChange[];
  readonly consent?: TimelineConsent;
  /** The attempt's delivery, if the console can show request and answer. */
  readonly deliveryId?: string;
  readonly attempt?: number;
  /** The visitor's action at a step, such as `answered` or `back`. */
  readonly step?: string;
  /** The step with the visitor's answers. Absent if the survey no longer has the step. */
  readonly asked?: {
    readonly flow: string;
    readonly step: string;
    readonly answers: readonly string[];
  };
  /** True if the timeline collapses this entry, because it is about an event. */
  readonly isAside?: true;
};

export type LeadDelivery = {
  readonly id: string;
  readonly title: string;
  /** Name of the event. Empty if the delivery sends the lead itself. */
  readonly event: string;
  readonly state: string;
  readonly attempts: number;
  readonly dueAt: string | null;
  /** A sentence that explains why the lead is not delivered. Empty if it is delivered. */
  readonly whyNot: string;
  readonly canResend: boolean;
  /** True if resending is risky: the lead is held, or the destination may have it already. */
  readonly needsForce: boolean;
  readonly resendMeans: string;
};

export type LeadAnswer = {
  readonly lead: LeadRowAnswer;
  readonly outcome: readonly string[];
  /** Sentences about unusual events, such as an unauthorized post or an opt-out signal. */
  readonly notes: readonly string[];
  /** Up to 20 other leads of the same person, the newest first. */
  readonly others: readonly {
    readonly id: string;
    readonly receivedAt: string;
    readonly state: LeadRowAnswer['state'];
    readonly sold: readonly string[];
  }[];
  readonly isSuppressed: boolean;
  readonly isOpened: boolean;
  readonly fields: readonly {
    readonly name: string;
    readonly value: string;
    readonly isPersonal: boolean;
  }[];
  readonly deliveries: readonly LeadDelivery[];
  readonly story: readonly TimelineEntry[];
  readonly actions: readonly LeadAction[];
  /** The lead's evidence pack. `recipients` lists the destinations that received the lead. */
  readonly evidence?: {
    readonly text: string;
    readonly isReady: boolean;
    readonly recipients: readonly string[];
  };
};

/** An action that an operator may take on a lead. `means` describes the effect. */
export type LeadAction = {
  readonly action: 'release' | 'dismiss' | 'suppress' | 'erase';
  readonly means: string;
  /** Why the action is impossible. Empty if it is possible. */
  readonly refusal: string;
};

export type LeadActionAnswer = { readonly done: readonly string[] };

/** The request and the answer of a delivery attempt. */
export type AttemptBytes = {
  /** The request's body, with our keys masked. Null if the server cannot rebuild the body. */
  readonly sent: string | null;
  /** The beginning of the answer. Null without an answer, and after retention deleted it. */
  readonly answer: string | null;
  readonly status: number | null;
  /** A sentence that explains whether `sent` has the exact bytes that were sent. */
  readonly proof: string;
  readonly isProven: boolean;
  /** SHA-256 of the sent bytes, which the server computed when it sent them. */
  readonly sha256: string | null;
};
