import { choiceReasons } from '../../rules/choose-buyers.ts';
import type { EntryKind } from '../money.ts';
import { deliveryStates, leadStates } from '../vocabulary.ts';
import { leadDimensions } from './numbers.ts';

/** The keys of a lead filter. */
export const leadFilterKeys = [
  'from', // first day, YYYY-MM-DD in the operators' time zone; or a time in ISO 8601
  'to', // last day, inclusive; or a time, exclusive
  'by', // the date to filter: start of the `visit`, `end` of the delivery; default: arrival
  'survey', // a path, such as /survey/v4nv
  'lead', // accepted | held | dismissed | erased
  'delivery', // the state of a delivery of the lead
  'destination', // together with `delivery`, the state of the delivery to this destination
  'leftOut', // why a buyer, or the one of `destination`, did not get it; with `delivery` waiting: does not get it yet
  'outcome', // delivered | rejected | unsold | passed_over, over all buyers
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
/** As a filter value, selects the leads that have no value. */
export const NO_VALUE = '(none)';

export const suggestedKeys = [
  ...leadDimensions,
  'reason',
  'hold',
  'destination',
] as const satisfies readonly LeadFilterKey[];
export type SuggestedKey = (typeof suggestedKeys)[number];
/** The values that a filter key has in the newest leads. */
export type LeadValuesAnswer = {
  readonly values: readonly { readonly value: string; readonly leads: number }[];
  readonly of: number;
};

/** The allowed values of a filter key. Other keys allow any value. */
export const filterChoices: Readonly<Partial<Record<string, readonly string[]>>> = {
  lead: leadStates,
  delivery: deliveryStates,
  leftOut: choiceReasons,
  outcome: ['delivered', 'rejected', 'unsold', 'passed_over'],
  qualified: ['yes', 'no'],
  by: ['visit', 'end'],
  tests: ['only', 'with'],
};

export type LeadFilterKey = (typeof leadFilterKeys)[number];
export type LeadFilter = Readonly<Partial<Record<LeadFilterKey, string>>>;

/** A row of the list of leads, with masked contact details. */
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
  readonly deliveries: readonly {
    readonly title: string;
    readonly isBuyer: boolean;
    readonly state: string;
  }[];
};

/** A page of the list of leads. `next` is the cursor of the next page. */
export type LeadListAnswer = {
  readonly rows: readonly LeadRowAnswer[];
  readonly first: string | null;
  readonly next: string | null;
  readonly asOf: string | null;
};
/** A number of leads. `isExact` is false if the server stopped counting. */
export type LeadCountAnswer = { readonly count: number; readonly isExact: boolean };

/** A label and a value. The value may be masked. */
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

/** A changed field of a lead. */
export type TimelineChange = {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly isMasked?: true;
  /** The name of the rule that changed the field, or ''. */
  readonly by: string;
};

export type TimelineConsent = {
  /** The consent text. Null for a masked or erased text. */
  readonly text: string | null;
  readonly textState: 'shown' | 'masked' | 'erased';
  readonly language: string;
  readonly version: string;
};

export type TimelineTone = 'plain' | 'good' | 'warning' | 'bad';

/** The kinds of timeline entries. */
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
  /** The URL fragment of the entry, such as `revision-1`. */
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
  /** The delivery whose request and answer the console can show. */
  readonly deliveryId?: string;
  readonly attempt?: number;
  /** The visitor's action at a step, such as `answered`. */
  readonly step?: string;
  /** The step that the visitor answered, with the answers. */
  readonly asked?: {
    readonly flow: string;
    readonly step: string;
    readonly answers: readonly string[];
  };
  /** True if the timeline may hide this entry in a folded row. */
  readonly isAside?: true;
};

export type LeadDelivery = {
  readonly id: string;
  readonly destination: string;
  readonly title: string;
  /** True if the destination is a buyer with terms. */
  readonly hasTerms: boolean;
  /** The name of the event, or '' if the delivery sends the lead. */
  readonly event: string;
  readonly state: string;
  readonly attempts: number;
  readonly dueAt: string | null;
  /** The reason why the lead is not delivered, as a sentence. */
  readonly whyNot: string;
  readonly canResend: boolean;
  /** True if resending the lead is risky. */
  readonly needsForce: boolean;
  readonly resendMeans: string;
};

/** An entry of the money ledger about the lead. */
export type LeadMoneyEntry = {
  readonly id: string;
  readonly kind: EntryKind;
  /** US dollars. Negative: it costs us. */
  readonly amount: number;
  readonly at: string;
  /** The buyer's name, or ''. */
  readonly buyer: string;
  readonly source: string;
  readonly reason: string;
};

export type LeadMoney = {
  readonly entries: readonly LeadMoneyEntry[];
  /** US dollars, net of returns. */
  readonly revenue: number;
  readonly cost: number;
  readonly margin: number;
};

export type LeadAnswer = {
  readonly lead: LeadRowAnswer;
  readonly outcome: readonly string[];
  /** Sentences about unusual events. */
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
  /** Names of the buyers to which the lead was never offered. */
  readonly notOffered: readonly string[];
  /** Null if the ledger has no entry about the lead. */
  readonly money: LeadMoney | null;
  readonly story: readonly TimelineEntry[];
  readonly actions: readonly LeadAction[];
  readonly evidence?: {
    readonly text: string;
    readonly isReady: boolean;
    readonly recipients: readonly string[];
  };
};

/** An action on a lead. `means` describes the effect. */
export type LeadAction = {
  readonly action: 'release' | 'dismiss' | 'suppress' | 'erase';
  readonly means: string;
  /** The reason why the action is impossible, or ''. */
  readonly refusal: string;
};

export type LeadActionAnswer = { readonly done: readonly string[] };

/** The request and the answer of a delivery attempt. */
export type AttemptBytes = {
  /** The body of the request, with masked keys. */
  readonly sent: string | null;
  /** The beginning of the answer. */
  readonly answer: string | null;
  readonly status: number | null;
  /** A sentence that says whether `sent` contains exactly the sent bytes. */
  readonly proof: string;
  readonly isProven: boolean;
  /** True if nothing was sent yet. */
  readonly isPreview?: boolean;
  /** The SHA-256 that the server computed when it sent the request. */
  readonly sha256: string | null;
};
