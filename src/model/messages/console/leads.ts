/** The console's messages about leads: list, filters, timeline and actions. */
import { deliveryStates, leadStates } from '../vocabulary.ts';
import { dimensions } from './numbers.ts';

/** The keys of a lead filter, for the list, exports and bulk actions. They are query keys of the list's URL. */
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
/** The filter value for leads without a source, affiliate or state. */
export const NO_VALUE = '(none)';

/** The filter keys whose values the console suggests from stored leads. */
export const suggestedKeys = [
  ...dimensions,
  'reason',
  'hold',
  'destination',
] as const satisfies readonly LeadFilterKey[];
export type SuggestedKey = (typeof suggestedKeys)[number];
/** A filter key's values among the newest `of` leads, with the number of leads for each value. */
export type LeadValuesAnswer = {
  readonly values: readonly { readonly value: string; readonly leads: number }[];
  readonly of: number;
};

/** The values that a filter key accepts. Keys that are not listed accept any text. */
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

/** One row of the list. Contact details are masked: `M… R…`, `(2••) •••-••17`, `m…@g….com`. */
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
  /** The deliveries of the lead, without events. Deliveries to buyers come first. */
  readonly deliveries: readonly {
    readonly title: string;
    readonly isBuyer: boolean;
    readonly state: string;
  }[];
};

/**
 * A page of the list. `first` is the cursor of its first lead, `next` the cursor of the next page (null on the
 * last page). `asOf` is the time up to which leads were counted, in ISO 8601 (null before the first count).
 */
export type LeadListAnswer = {
  readonly rows: readonly LeadRowAnswer[];
  readonly first: string | null;
  readonly next: string | null;
  readonly asOf: string | null;
};
/** The number of leads. `isExact` is false if counting stopped at the limit. */
export type LeadCountAnswer = { readonly count: number; readonly isExact: boolean };

/** A label with its value. Personal values are dots until the operator opens the lead. */
export type TimelineDetail = {
  readonly label: string;
  readonly value: string;
  readonly isMasked?: true;
};

/** An applied rule, with its inputs. */
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
  /** The name of the rule. Empty if the visitor changed the field. */
  readonly by: string;
};

/** The consent as the visitor saw it. */
export type TimelineConsent = {
  /** The text. Null if it was erased, or if it is masked because we did not publish it. */
  readonly text: string | null;
  readonly textState: 'shown' | 'masked' | 'erased';
  readonly language: string;
  readonly version: string;
};

export type TimelineTone = 'plain' | 'good' | 'warning' | 'bad';

/** The kinds of entries in a timeline, in the order of a visit. */
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

/** An entry of a lead's timeline. */
export type TimelineEntry = {
  /** Stable id for links, such as `revision-1`. */
  readonly id: string;
  readonly at: string;
  readonly kind: TimelineKind;
  readonly title: string;
  /** One sentence. Empty if the title is enough. */
  readonly text: string;
  readonly tone: TimelineTone;
  readonly details: readonly TimelineDetail[];
  readonly rules?: readonly TimelineRule[];
  readonly changes?: readonly TimelineChange[];
  readonly consent?: TimelineConsent;
  /** The delivery, if the console can show the request and answer of the attempt. */
  readonly deliveryId?: string;
  readonly attempt?: number;
  /** The visitor's action at a step: `answered`, `back`, `refused`, … */
  readonly step?: string;
  /** The flow, step and answers, if the survey still has the step. */
  readonly asked?: {
    readonly flow: string;
    readonly step: string;
    readonly answers: readonly string[];
  };
  /** The delivery of an event, which the timeline collapses. */
  readonly isAside?: true;
};

/** A delivery attempt in the delivery's chart. */
export type AttemptMark = {
  readonly attempt: number;
  readonly startedAt: string;
  /** Null if the attempt is still running, or if its end is unknown. */
  readonly endedAt: string | null;
  readonly outcome: string;
  readonly tone: TimelineTone;
  readonly status: number | null;
};

export type LeadDelivery = {
  readonly id: string;
  /** The destination's display name. */
  readonly title: string;
  /** Name of the delivered event. Empty if the delivery sends the lead. */
  readonly event: string;
  readonly state: string;
  readonly attempts: number;
  readonly dueAt: string | null;
  readonly log: readonly AttemptMark[];
  /** A sentence why the lead is not delivered. Empty if it is. */
  readonly whyNot: string;
  readonly canResend: boolean;
  /** Resending needs `force`: the destination may have the lead already, or the lead is held. */
  readonly needsForce: boolean;
  /** The consequence of resending, or why it is impossible. Shown before the operator confirms. */
  readonly resendMeans: string;
};

export type LeadAnswer = {
  readonly lead: LeadRowAnswer;
  /** One or two sentences on the lead's outcome and why it was not delivered. */
  readonly outcome: readonly string[];
  /** Sentences about an unauthorized post, an opt-out signal or the suppression list. */
  readonly notes: readonly string[];
  /** Up to 20 other leads with the same phone number or e-mail address, the newest first. */
  readonly others: readonly {
    readonly id: string;
    readonly receivedAt: string;
    readonly state: LeadRowAnswer['state'];
    /** The buyers that received this lead, or may have. */
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
  /** The state of the evidence pack. `recipients`: the destinations that received the lead. */
  readonly evidence?: {
    readonly text: string;
    readonly isReady: boolean;
    readonly recipients: readonly string[];
  };
};

/** An action on a lead or its person. `means` describes the consequence. */
export type LeadAction = {
  readonly action: 'release' | 'dismiss' | 'suppress' | 'erase';
  readonly means: string;
  /** Why the action is impossible. Empty if it is possible. */
  readonly refusal: string;
};

/** The effects of an action, in sentences. */
export type LeadActionAnswer = { readonly done: readonly string[] };

/** Request and answer of one attempt, for operators who opened the lead. */
export type AttemptBytes = {
  /** The request's body, with dots in place of our keys. Null if the server cannot rebuild it. */
  readonly sent: string | null;
  /** The beginning of the answer. Null if there was no answer, or if retention removed it. */
  readonly answer: string | null;
  readonly status: number | null;
  /** A sentence: the stored hash proves that `sent` has the exact bytes, or why it does not. */
  readonly proof: string;
  readonly isProven: boolean;
  /** Stored hash of the sent bytes. */
  readonly sha256: string | null;
};
