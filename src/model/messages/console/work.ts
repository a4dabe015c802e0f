/** The console's messages about destinations, bulk actions, surveys and the system. */
import type { Survey } from '../../flows/surveys.ts';

/** A destination and its deliveries in a period. */
export type DestinationAnswer = {
  readonly name: string;
  readonly title: string;
  /** The destination receives leads, or events about leads. */
  readonly receives: 'leads' | 'events';
  readonly state: 'on' | 'off' | 'paused' | 'failing';
  /** The operator who paused it, or `answer` if the destination refused our account. */
  readonly pausedBy: string | null;
  readonly pauseReason: string | null;
  readonly pausedAt: string | null;
  /** Deliveries that are waiting now. Counting stops at 10,000. */
  readonly waiting: number;
  readonly retrying: number;
  /** Time since which the oldest delivery has been waiting. Null if no delivery waits. */
  readonly waitsSince: string | null;
  /** Description of the last failure. Null if a delivery has succeeded since. */
  readonly lastFailure: string | null;
  /** Attempts in the period, without test leads. The next fields count them by outcome. */
  readonly attempts: number;
  readonly delivered: number;
  /** Attempts that the destination answered with a refusal or as a duplicate. */
  readonly rejected: number;
  readonly failed: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Dead deliveries of the period, which a plan can resend. Counting stops at 10,000. */
  readonly dead: number;
  /** The reasons of the newest few hundred failures. */
  readonly reasons: readonly {
    readonly text: string;
    readonly deliveries: number;
    /** Ids of up to three leads. */
    readonly examples: readonly string[];
  }[];
};
export type DeliveriesAnswer = { readonly destinations: readonly DestinationAnswer[] };

export const planActions = ['release', 'resend', 'suppress'] as const;
export type PlanAction = (typeof planActions)[number];

/** A bulk action on a fixed list of leads. The server runs it, so the operator may close the tab. */
export type Plan = {
  readonly id: string;
  readonly action: PlanAction;
  /** The selection in words. */
  readonly selection: string;
  /** The operator's reason, which viewers cannot read. */
  readonly reason: string;
  /** The operator who created the plan. */
  readonly actor: string;
  readonly startedBy: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** `ready`: not started. `failed`: the action failed for every item. */
  readonly state: 'ready' | 'running' | 'done' | 'cancelled' | 'failed';
  /** Numbers of items. */
  readonly counts: {
    readonly all: number;
    /** Items without a result so far. In a cancelled plan they stay due. */
    readonly due: number;
    /** Skipped items. `refusals` has the reasons. */
    readonly passedOver: number;
    readonly done: number;
    readonly failed: number;
  };
  /** Number of deliveries to each destination, for items that are due or done. */
  readonly buyers: readonly { readonly destination: string; readonly deliveries: number }[];
  /** States of the deliveries that the plan queued. Only in the answer about a single plan. */
  readonly outcomes?: readonly { readonly state: string; readonly deliveries: number }[];
  /** Why items are skipped, with the number of items. */
  readonly refusals: readonly { readonly text: string; readonly items: number }[];
};

/** The newest plans. */
export type PlansAnswer = { readonly plans: readonly Plan[] };

export const planItemStates = ['due', 'passed_over', 'done', 'failed'] as const;
export type PlanItem = {
  readonly number: number;
  readonly leadId: string;
  /** The destinations of the item, separated by commas. Empty if the item sends nothing. */
  readonly destination: string;
  readonly state: (typeof planItemStates)[number];
  /** Description of the planned or past action. */
  readonly text: string;
};
export type PlanItemsAnswer = { readonly items: readonly PlanItem[]; readonly next: string | null };

/** A destination and the leads that it receives from one survey. */
export type SurveyDestination = {
  readonly destination: string;
  readonly title: string;
  /** `later`: the destination is not configured, so its leads wait. */
  readonly takes: 'all' | 'some' | 'later' | 'none';
  /** A sentence on the leads that it receives, or why it receives none. */
  readonly text: string;
  readonly takesTests: boolean;
};

/** A survey's configuration, including overrides by settings. */
export type SurveyAnswer = Survey & {
  /** URL of the page for sending a test lead. */
  readonly testAddress: string;
  /** Other devices can open the URL, because PUBLIC_URL is set. */
  readonly isPublic: boolean;
  /** `/api/surveys/screen` can show the survey's screens, because this server serves pages. */
  readonly hasScreens: boolean;
  readonly goesTo: readonly SurveyDestination[];
};

/** The state of the system, for all roles. */
export type SystemAnswer = {
  readonly parties: readonly SystemParty[];
  readonly database: {
    readonly kind: 'embedded' | 'DATABASE_URL';
    readonly version: string;
    readonly bytes: number;
    /** Free space of the embedded database's disk. */
    readonly freeBytes: number | null;
  };
};

/** A third party. Circuit breakers of check services are those of the process that serves the console. */
export type SystemParty = {
  readonly name: string;
  readonly title: string;
  readonly state: 'real' | 'sandbox' | 'embedded' | 'off';
  /** Our own substitute for the third party, in words. Null without a substitute. */
  readonly instead: string | null;
  /** State of the circuit breaker. Null before the first request. */
  readonly circuit: 'closed' | 'half_open' | 'open' | null;
  /** The operator who paused the third party. Null if no operator did. */
  readonly pausedBy: string | null;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
  /** The settings that are missing. Empty if the third party is configured. */
  readonly needs: readonly string[];
  readonly canTest: boolean;
};

/** A setting, for admins. For a secret, `value` has only the length. */
export type SettingLine = {
  readonly name: string;
  readonly value: string;
  readonly isDefault: boolean;
  readonly isSecret: boolean;
};
export type PartyTest = { readonly ok: boolean; readonly text: string; readonly ms: number };
