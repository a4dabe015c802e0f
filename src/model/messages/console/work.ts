import type { Survey } from '../../flows/surveys.ts';

/** A destination, with its deliveries in a period. */
export type DestinationAnswer = {
  readonly name: string;
  readonly title: string;
  readonly receives: 'leads' | 'events';
  readonly state: 'on' | 'off' | 'paused' | 'failing';
  /** The operator who paused deliveries, or `answer` if the destination refused our login. */
  readonly pausedBy: string | null;
  readonly pauseReason: string | null;
  readonly pausedAt: string | null;
  /** The number of waiting deliveries, at most 10,000. */
  readonly waiting: number;
  readonly retrying: number;
  /** The time at which the oldest waiting delivery began to wait. */
  readonly waitsSince: string | null;
  /** The last failure in words. Null after a later success. */
  readonly lastFailure: string | null;
  readonly attempts: number;
  readonly delivered: number;
  /** Number of attempts that the destination refused or answered as a duplicate. */
  readonly rejected: number;
  readonly failed: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** The number of deliveries that failed for good, at most 10,000. */
  readonly dead: number;
  /** The reasons for the newest failures. */
  readonly reasons: readonly {
    readonly text: string;
    readonly deliveries: number;
    readonly examples: readonly string[];
  }[];
};
export type DeliveriesAnswer = { readonly destinations: readonly DestinationAnswer[] };

export const planActions = ['release', 'resend', 'suppress'] as const;
export type PlanAction = (typeof planActions)[number];

/** A bulk action on a fixed list of leads. */
export type Plan = {
  readonly id: string;
  readonly action: PlanAction;
  readonly selection: string;
  /** The operator's reason, or '' for viewers. */
  readonly reason: string;
  readonly actor: string;
  readonly startedBy: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** `ready` means that the operator has not started the action. */
  readonly state: 'ready' | 'running' | 'done' | 'cancelled' | 'failed';
  readonly counts: {
    readonly all: number;
    readonly due: number;
    /** The number of skipped items. */
    readonly passedOver: number;
    readonly done: number;
    readonly failed: number;
  };
  /** The number of deliveries to each destination. */
  readonly buyers: readonly { readonly destination: string; readonly deliveries: number }[];
  /** The reasons for skipping items. */
  readonly refusals: readonly { readonly text: string; readonly items: number }[];
};

export type PlansAnswer = { readonly plans: readonly Plan[] };

export const planItemStates = ['due', 'passed_over', 'done', 'failed'] as const;
export type PlanItem = {
  readonly number: number;
  readonly leadId: string;
  /** The destinations of the item, separated by commas. */
  readonly destination: string;
  readonly state: (typeof planItemStates)[number];
  readonly text: string;
};
export type PlanItemsAnswer = { readonly items: readonly PlanItem[]; readonly next: string | null };

/** A destination of a survey's leads. */
export type SurveyDestination = {
  readonly destination: string;
  readonly title: string;
  /** `later` means that the destination is not configured yet. */
  readonly takes: 'all' | 'some' | 'later' | 'none';
  readonly text: string;
  readonly takesTests: boolean;
};

/** The configuration of a survey, with the changes by settings. */
export type SurveyAnswer = Survey & {
  /** URL at which an operator can send a test lead. */
  readonly testAddress: string;
  /** True if other devices can open the URL. */
  readonly isPublic: boolean;
  readonly goesTo: readonly SurveyDestination[];
};

export type SystemParty = {
  readonly name: string;
  readonly title: string;
  readonly state: 'real' | 'sandbox' | 'embedded' | 'off';
  /** A text that says what replaces the third party. */
  readonly instead: string | null;
  /** The state of the circuit breaker. Null before the first request. */
  readonly circuit: 'closed' | 'half_open' | 'open' | null;
  readonly pausedBy: string | null;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
  readonly needs: readonly string[];
  readonly canTest: boolean;
};

/** A setting. `value` does not reveal a secret. */
export type SettingLine = {
  readonly name: string;
  readonly value: string;
  readonly isDefault: boolean;
  readonly isSecret: boolean;
};
export type PartyTest = { readonly ok: boolean; readonly text: string; readonly ms: number };
