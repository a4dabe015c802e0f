/** Leads in the console: list, filters, one lead's story, and actions. */
import { deliveryStates, leadStates } from '../vocabulary.ts';

/** The filter of the list, export and bulk actions. All keys are query keys of the list's address. */
export const leadFilterKeys = [
  'from', // YYYY-MM-DD in the operators' time zone, by arrival; or a moment in ISO 8601
  'to', // a day, inclusive; or the moment before which it came
  'by', // what the days are of: `visit` (its begin), `end` (of the delivery); default: the arrival
  'survey', // a path, such as /survey/v4nv
  'lead', // accepted | held | dismissed | erased
  'delivery', // a state of one of its deliveries
  'destination', // with `delivery`: of that destination's delivery
  'outcome', // delivered | rejected | unsold: what became of the lead at its buyers
  'qualified', // yes | no
  'reason', // dq reason, as field|value
  'hold', // a reason for the hold
  'source', // `NO_VALUE`: leads without one; also for affiliate and state
  'campaign', // utm_campaign
  'sub', // as sub1=abc
  'affiliate',
  'state', // of the accident or visitor, two letters
  'language',
  'device',
  'code', // of the buyer's rejection
  'variant', // such as buttons.rounded
  'tests', // `only` or `with`; default: without
  'q', // search: e-mail address, phone number, lead id, click id, a buyer's id, or the beginning of a last name
] as const;
/** Filters for leads that have no source, affiliate or state. */
export const NO_VALUE = '(none)';

/** The keys whose values depend on the leads there are. */
export const suggestedKeys = [
  'survey',
  'source',
  'campaign',
  'sub',
  'affiliate',
  'state',
  'language',
  'device',
  'code',
  'reason',
  'hold',
  'variant',
  'destination',
] as const satisfies readonly LeadFilterKey[];
export type SuggestedKey = (typeof suggestedKeys)[number];
/** The values of a key among the newest leads (`of` at most), with the number of these leads. */
export type LeadValuesAnswer = {
  readonly values: readonly { readonly value: string; readonly leads: number }[];
  readonly of: number;
};

/** The values that a key accepts. The other keys accept any text. */
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
  /** The lead's own deliveries, those to buyers first. */
  readonly deliveries: readonly {
    readonly title: string;
    readonly isBuyer: boolean;
    readonly state: string;
  }[];
};

/**
 * `first` and `next` are places in the list: of the page's first lead, and the `after` of the next page (null: this
 * was the last). `asOf`: leads that arrived before are in the list, ISO 8601; null: nothing was counted yet.
 */
export type LeadListAnswer = {
  readonly rows: readonly LeadRowAnswer[];
  readonly first: string | null;
  readonly next: string | null;
  readonly asOf: string | null;
};
/** `isExact` is false when counting stopped at the limit. */
export type LeadCountAnswer = { readonly count: number; readonly isExact: boolean };

/** A label with its value. Masked values are dots until the lead is opened. */
export type StoryDetail = {
  readonly label: string;
  readonly value: string;
  readonly isMasked?: true;
};

/** A rule as it was applied, with its inputs. */
export type StoryRule = {
  readonly name: string;
  readonly result: string;
  readonly tone: StoryTone;
  readonly inputs: readonly StoryDetail[];
};

/** A field that changed, by a rule or with a later revision. */
export type StoryChange = {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly isMasked?: true;
  /** Why, such as the name of the rule; empty: the visitor changed it. */
  readonly by: string;
};

/** The consent as the visitor saw it. */
export type StoryConsent = {
  /** Null: erased, or not a published text and so masked. */
  readonly text: string | null;
  readonly textState: 'shown' | 'masked' | 'erased';
  readonly language: string;
  readonly version: string;
};

export type StoryTone = 'plain' | 'good' | 'warning' | 'bad';

/** The kinds of entries, in the order of a visit. */
export const storyKinds = [
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
export type StoryKind = (typeof storyKinds)[number];

/** An entry of a lead's time line. */
export type StoryEntry = {
  /** The same at each reading, such as `revision-1`: a link can name it. */
  readonly id: string;
  readonly at: string;
  readonly kind: StoryKind;
  readonly title: string;
  /** One sentence; empty if the title says it. */
  readonly text: string;
  readonly tone: StoryTone;
  readonly details: readonly StoryDetail[];
  readonly rules?: readonly StoryRule[];
  readonly changes?: readonly StoryChange[];
  readonly consent?: StoryConsent;
  /** The delivery and attempt, for those whose request and answer can be seen. */
  readonly deliveryId?: string;
  readonly attempt?: number;
  /** What the visitor did at a step: `answered`, `back`, `refused`, … */
  readonly step?: string;
  /** The flow and step that asked, with the answers, if the survey still has the step. */
  readonly asked?: {
    readonly flow: string;
    readonly step: string;
    readonly answers: readonly string[];
  };
  /** An event told to a listener, which the time line folds. */
  readonly isAside?: true;
};

/** An attempt as a mark on a delivery's line. */
export type AttemptMark = {
  readonly attempt: number;
  readonly startedAt: string;
  /** Null: it runs, or its end is unknown. */
  readonly endedAt: string | null;
  readonly outcome: string;
  readonly tone: StoryTone;
  readonly status: number | null;
};

export type LeadDelivery = {
  readonly id: string;
  /** The destination's name for people. */
  readonly title: string;
  /** Empty: the lead itself. */
  readonly event: string;
  readonly state: string;
  readonly attempts: number;
  readonly dueAt: string | null;
  readonly log: readonly AttemptMark[];
  /** Why it is not delivered, in a sentence; empty if it is. */
  readonly whyNot: string;
  readonly canResend: boolean;
  /** Whether the destination has or may have the lead, or it is held: sending needs `force`. */
  readonly needsForce: boolean;
  /** What resending means, or why it is not possible; said before. */
  readonly resendMeans: string;
};

export type LeadAnswer = {
  readonly lead: LeadRowAnswer;
  /** The outcome in one or two sentences: "why not delivered?" answered. */
  readonly outcome: readonly string[];
  /** What else an operator must know, in sentences: a disputed post, an opt-out signal, the suppression list. */
  readonly notes: readonly string[];
  /** Other leads of the same phone number or e-mail address, the newest first, at most 20. */
  readonly others: readonly {
    readonly id: string;
    readonly receivedAt: string;
    readonly state: LeadRowAnswer['state'];
    /** Who has it, or may have it. */
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
  readonly story: readonly StoryEntry[];
  readonly actions: readonly LeadAction[];
  /** Whether an evidence pack would verify now, and who may get one: where the lead arrived. */
  readonly evidence?: {
    readonly text: string;
    readonly isReady: boolean;
    readonly recipients: readonly string[];
  };
};

/** An action on the whole lead or person, with its consequence said before. A resend is of one delivery. */
export type LeadAction = {
  readonly action: 'release' | 'dismiss' | 'suppress' | 'erase';
  readonly means: string;
  /** Why it is not possible; empty: it is. */
  readonly refusal: string;
};

/** What an action did, in sentences. */
export type LeadActionAnswer = { readonly done: readonly string[] };

/** The bytes of one attempt, for operators who opened the lead. */
export type AttemptBytes = {
  /** The request's body, with dots in place of our keys; null: it cannot be built again. */
  readonly sent: string | null;
  /** The beginning of the answer; null: there was none, or it was removed. */
  readonly answer: string | null;
  readonly status: number | null;
  /** Whether `sent` was proven to be the exact bytes, by their hash; otherwise why not. */
  readonly proof: string;
  readonly isProven: boolean;
  /** The stored hash of the bytes. */
  readonly sha256: string | null;
};
