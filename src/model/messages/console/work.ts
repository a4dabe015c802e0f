/** Work on many leads, destinations, the suppression list, surveys and the system. */
import type { Survey } from '../../flows/surveys.ts';

/** The work of one destination in a period. Durations are milliseconds. */
export type DestinationAnswer = {
  readonly name: string;
  readonly title: string;
  /** What it receives. */
  readonly receives: 'leads' | 'events';
  readonly state: 'on' | 'off' | 'paused' | 'failing';
  /** `answer`: it refused our account; otherwise an operator. */
  readonly pausedBy: string | null;
  readonly pauseReason: string | null;
  readonly pausedAt: string | null;
  /** When the first certificate is lost that waits or comes now, as `Nov 30, 14:02`; null: it keeps none. */
  readonly expiresAt: string | null;
  /** Which waiting certificates have expired, in a sentence; empty if none has. */
  readonly lost: string;
  /** The queue now. Counting stops at 10,000. */
  readonly waiting: number;
  readonly retrying: number;
  /** Since when the oldest delivery waits, planned pauses included; null: none waits. */
  readonly waitsSince: string | null;
  /** The last failed send in our own words, if it failed since the last success. */
  readonly lastFailure: string | null;
  /** Attempts of the period by their outcome, without test leads. */
  readonly attempts: number;
  readonly delivered: number;
  /** The destination refused the lead, or has it already. */
  readonly rejected: number;
  readonly failed: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Deliveries that ended dead in the period: a plan can recover them. Counting stops at 10,000. */
  readonly dead: number;
  /** Why deliveries are not taken: of the newest few hundred failures. */
  readonly reasons: readonly {
    readonly text: string;
    readonly deliveries: number;
    /** Up to three leads. */
    readonly examples: readonly string[];
  }[];
};
export type DeliveriesAnswer = {
  readonly summary: readonly string[];
  readonly destinations: readonly DestinationAnswer[];
};

export const planActions = ['release', 'resend', 'suppress'] as const;
export type PlanAction = (typeof planActions)[number];

/** A bulk action on a frozen list: `ready` until it is started. It goes on when the tab is closed. */
export type Plan = {
  readonly id: string;
  readonly action: PlanAction;
  /** What was selected, in words. */
  readonly selection: string;
  /** Viewers read only that there is one. */
  readonly reason: string;
  /** Who made it, and who started it. */
  readonly actor: string;
  readonly startedBy: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** `failed`: no item could be done. */
  readonly state: 'ready' | 'running' | 'done' | 'cancelled' | 'failed';
  /** Items by what will happen to them, or has. */
  readonly counts: {
    readonly all: number;
    /** Will be acted on, or would have been before a cancel. */
    readonly due: number;
    /** Passed over, with the reasons below. */
    readonly passedOver: number;
    readonly done: number;
    readonly failed: number;
  };
  /** How many deliveries are sent to each destination: of the items that are due or done. */
  readonly buyers: readonly { readonly destination: string; readonly deliveries: number }[];
  /** How the deliveries stand that the plan has queued, by state. Only in the answer of one plan. */
  readonly outcomes?: readonly { readonly state: string; readonly deliveries: number }[];
  /** Why items are passed over. */
  readonly refusals: readonly { readonly text: string; readonly items: number }[];
};

/** The newest plans. */
export type PlansAnswer = { readonly plans: readonly Plan[] };

export const planItemStates = ['due', 'passed_over', 'done', 'failed'] as const;
export type PlanItem = {
  readonly number: number;
  readonly leadId: string;
  /** Where something is sent, with commas between; empty: nowhere. */
  readonly destination: string;
  readonly state: (typeof planItemStates)[number];
  /** What will happen or happened, in words. */
  readonly text: string;
};
export type PlanItemsAnswer = { readonly items: readonly PlanItem[]; readonly next: string | null };

/** What a destination gets of a survey's leads. */
export type SurveyDestination = {
  readonly destination: string;
  readonly title: string;
  /** `later`: it is not set up, and its leads are kept. */
  readonly takes: 'all' | 'some' | 'later' | 'none';
  /** Which leads it gets, or why it gets none. */
  readonly text: string;
  /** Test leads: it gets none, it gets them marked as tests, or they look real to it. Null: it gets no leads. */
  readonly tests: 'none' | 'marked' | 'unmarked' | null;
};

/** A survey: its row of the table, with overrides, and what follows from it. */
export type SurveyAnswer = Survey & {
  /** The page's address with the mark of a test lead. */
  readonly testAddress: string;
  /** Whether other devices can open the address: PUBLIC_URL is set. */
  readonly isPublic: boolean;
  /** Whether `/api/surveys/screen` shows its screens: the server serves pages. */
  readonly hasScreens: boolean;
  readonly goesTo: readonly SurveyDestination[];
};

/** The system as everybody may see it. */
export type SystemAnswer = {
  readonly parties: readonly SystemParty[];
  readonly rules: readonly RulesVersionUse[];
  readonly consents: readonly ConsentTextUse[];
  /** Rules and consents are counted among the newest leads, at most this many. */
  readonly leadsLookedAt: number;
  readonly database: {
    readonly kind: 'embedded' | 'DATABASE_URL';
    readonly version: string;
    readonly bytes: number;
    /** Free space of the embedded database's disk. */
    readonly freeBytes: number | null;
  };
};

/** A third party. Circuits of look-up services are those of the process that serves the console. */
export type SystemParty = {
  readonly name: string;
  readonly title: string;
  readonly state: 'real' | 'sandbox' | 'embedded' | 'off';
  /** What our own code does instead; null: nothing. */
  readonly instead: string | null;
  /** Null: nothing was sent or asked yet. */
  readonly circuit: 'closed' | 'half_open' | 'open' | null;
  /** The operator who paused it; null: it is not paused by an operator. */
  readonly pausedBy: string | null;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
  /** The settings that make it real; empty if it is set up. */
  readonly needs: readonly string[];
  readonly canTest: boolean;
};

/** A version of the rules, and the newest leads that it decided about. */
export type RulesVersionUse = {
  readonly version: string;
  readonly firstUsedAt: string;
  readonly leads: number;
  readonly isCurrent: boolean;
};

/** A consent text, and where the newest leads agreed to it. */
export type ConsentTextUse = {
  readonly version: string;
  readonly language: string;
  readonly surveys: readonly string[];
  readonly leads: number;
  readonly lastGivenAt: string;
};

/** A setting, for admins. A secret has no value: only whether it is given. */
export type SettingLine = {
  readonly name: string;
  readonly value: string;
  readonly isDefault: boolean;
  readonly isSecret: boolean;
};
export type PartyTest = { readonly ok: boolean; readonly text: string; readonly ms: number };
