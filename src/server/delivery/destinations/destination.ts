/**
 * Defines what a destination is: its settings, which leads it accepts, its payload, and how its answers are read. Each
 * destination has one file and is listed in `destinations/index.ts`.
 */

import type { IngestAccount } from '../../../model/fields/tracking-fields.ts';
import type { BuiltLead } from '../../../model/lead/build-lead.ts';
import type { Override } from '../../../model/rules/derive-fields.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { Variable } from '../../platform/variable.ts';
import type { EventType, TimedEvent } from './event.ts';

/**
 * The outcome of one attempt.
 * - `delivered`: the destination confirmed that it took the lead.
 * - `duplicate`: the destination already has the lead.
 * - `rejected`: the destination refused the lead. Final.
 * - `account`: the destination refuses our account (wrong key, reached cap). The lead waits, and
 * the destination is paused.
 * - `failed`: any other final answer, for example for a wrong address. The delivery becomes a dead
 * letter, with an alert.
 * - `retry`: the lead certainly did not arrive. It is sent again.
 * - `server_error`: HTTP 5xx. The lead may have arrived; handled like `unknown`.
 * - `unknown`: no readable answer, so the lead may have arrived. It is sent again if the
 * destination recognises duplicates, else the delivery becomes `uncertain`.
 */
export type SendOutcome =
  | 'delivered'
  | 'duplicate'
  | 'rejected'
  | 'account'
  | 'failed'
  | 'retry'
  | 'server_error'
  | 'unknown';

export type SendResult = {
  outcome: SendOutcome;
  httpStatus?: number | undefined;
  /** The beginning of the answer, without secrets. */
  response?: string | undefined;
  /** One sentence about what went wrong, without secrets. */
  error?: string | undefined;
  /** The destination's message about the lead. */
  message?: string | undefined;
  /** The destination's code for its refusal, such as `1004`. */
  code?: string | undefined;
  /** The id that the destination gave the lead. */
  externalId?: string | undefined;
  /** The reason why our account is refused; only with the outcome `account`. */
  account?: AccountRefusal | undefined;
  /** The wait that the destination asks for in `Retry-After`. */
  retryAfterMs?: number | undefined;
  durationMs: number;
};

/** The reason why a destination refuses our account. */
export type AccountRefusal = {
  /** The problem as a clause in our words, without personal data, such as "it does not take our credentials". */
  readonly problem: string;
  /** The settings that hold the account. Empty if the mapping service named the account for this lead. */
  readonly settings: readonly string[];
  /** True if a cap is reached. The settings are then correct, and the account works again later. */
  readonly isCap?: boolean;
};

/** The content of one send. The first lease of a round pins this content for all attempts of the round. */
export type SendRequest = {
  /** The delivery's id, which stays the same when the delivery is resent. */
  readonly deliveryId: string;
  readonly leadId: string;
  readonly isTest: boolean;
  /** The outgoing fields of the pinned revision. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The answers that rules changed in the pinned revision. */
  readonly overrides?: readonly Override[];
  readonly payloadVersion: number;
  /** The public name of the account to use; null if the destination has none. */
  readonly account: string | null;
  /** The account that the mapping service named for this lead, if any. */
  readonly mappedAccount: IngestAccount | undefined;
  /** The event to send; null for a lead. */
  readonly event: TimedEvent | null;
  /** Creates the evidence pack for a `delivery.delivered` event. Undefined if the destination gets none. */
  readonly evidence?: (() => Promise<EvidencePack | undefined>) | undefined;
  /** The answer of the pre-submit verification, for payload versions that include it. */
  readonly verification?: Readonly<Record<string, unknown>> | undefined;
};

/** An evidence pack for a destination (docs/evidence.md). */
export type EvidencePack = { readonly name: string; readonly bytes: Uint8Array };

/** A request that is ready to be sent. */
export type PreparedSend = {
  /** The exact bytes to send. An evidence pack is added during the send and has its own hashes. */
  readonly body: string;
  /**
   * Sends once and waits up to the destination's time-out. Never throws because of the destination's answer.
   * @param signal aborts the call when the lease expires or the process ends
   */
  send(signal?: AbortSignal): Promise<SendResult>;
};

/**
 * The consent that a lead needs before a destination may get it. Each lease checks the consent
 * (`delivery/leases.ts`). The suppression list applies in any case.
 */
export type Permission = {
  /**
   * - `any`: every lead that is not held
   * - `given`: only leads with a consent text, which every law firm requires
   * - `one_to_one`: only leads with a consent text whose field `1_to_1_consent` is yes
   */
  readonly consent: 'any' | 'given' | 'one_to_one';
  /** True if leads with the opt-out signal (Sec-GPC: 1) are withheld. */
  readonly stopsAtOptOut: boolean;
};

/** A destination that is connected with its settings. */
export type ConnectedDestination = Omit<Connection, 'permission'> & {
  /** The destination's name, as stored in `deliveries.destination`. */
  readonly name: string;
  readonly permission: Permission;
  /** The events that an event listener receives, each once. Undefined for a destination that receives leads. */
  readonly events?: readonly EventType[] | undefined;
};

/** The part of a destination that depends on its settings. */
export type Connection = {
  /** True if the same lead can safely be sent again after an unknown outcome. */
  readonly recognisesDuplicates: boolean;
  /** The payload version of new deliveries. */
  readonly payloadVersion: number;
  /** The payload version that includes the verification's answer. Default: the answer is not sent. */
  readonly verifiedPayloadVersion?: number;
  /** The public name of our account (never its key); null if there is none. */
  readonly account: string | null;
  /** Replaces the definition's permission. */
  readonly permission?: Permission;
  /** True if failures are only recorded, without alerts, events or a health state. */
  readonly areErrorsIgnored?: boolean;
  /** True if an account that the mapping service names for a lead replaces our own account. */
  readonly usesMappedAccounts: boolean;
  /** Builds the request without sending it, or returns the result if it cannot be sent. Pure. */
  prepare(request: SendRequest): PreparedSend | SendResult;
};

/** The result of an account test (`npm run doctor`, console). */
export type ProbeResult = {
  readonly state: 'works' | 'wrong' | 'not_tried';
  /** The call and its answer, or instructions for testing the account by hand. Contains no secrets. */
  readonly text: string;
};

/** The properties of a lead by which a destination accepts or refuses the lead. */
export type PlannedLead = Pick<BuiltLead, 'survey' | 'flow' | 'qualified' | 'isTest' | 'fields'>;

type Variables = Readonly<Record<string, Variable<unknown>>>;
/** The parsed values of the variables. */
export type ValuesOf<Declared extends Variables> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Variable<infer Output, infer _>
    ? Output
    : never;
};

/** The definition of one destination: a third party that receives leads or events. */
export type DestinationDefinition<Values = Readonly<Record<string, unknown>>> = {
  readonly name: string;
  /** The name shown to people. */
  readonly title: string;
  /** The destination's settings, by environment variable. */
  readonly variables: Variables;
  /** The required settings. If one is missing, the destination is off. */
  readonly needs: readonly string[];
  /**
   * The treatment of leads while the destination is off. `mark`: the delivery becomes
   * `no_destination` and can be sent later. `skip`: no delivery.
   */
  readonly whenOff: 'mark' | 'skip';
  readonly permission: Permission;
  /** The kind of leads that this destination accepts. Default: survey leads. */
  readonly takes?: 'contact';
  /** True for a service that buys no leads, so its deliveries do not count as sales. Default: it buys leads. */
  readonly buysNothing?: true;
  /**
   * True if the destination stores proof of consent. Once a buyer has the lead, not even the
   * suppression list stops its delivery to this destination.
   */
  readonly storesProof?: true;
  /** True if the destination gets no name, phone number or e-mail address, and no evidence pack. */
  readonly getsNoContact?: true;
  /** The column of `surveys.ts` that must be on for a survey's leads. Default: leads of all surveys are accepted. */
  readonly surveyColumn?: 'deliversToIngest';
  /** Returns the events of an event listener. Absent for other destinations. @param values include all of `needs` */
  events?(values: Values): readonly EventType[];
  /**
   * Returns whether this destination accepts a lead of a survey whose row names no destinations.
   * @param values undefined if the destination is off
   */
  appliesTo(lead: PlannedLead, values: Values | undefined): boolean;
  /** Returns whether the first attempt waits for the lead's verification, up to its time-out. Default: no. */
  waitsForVerification?(values: Values): boolean;
  /** True if the first attempt waits while the visitor may still choose law firms. Default: no. */
  readonly waitsForChoice?: true;
  /**
   * Tests our account with a call that has no effect. Absent if the service has no such call.
   * @param values include all of `needs`
   */
  probe?(values: Values, http: OutgoingHttp): Promise<ProbeResult>;
  /** Connects the destination. @param values include all of `needs` */
  connect(values: Values, http: OutgoingHttp): ConnectedDestination;
};

/** Declares a destination and derives the types of its settings from `variables`. */
export function defineDestination<const Declared extends Variables>(
  definition: Omit<DestinationDefinition<ValuesOf<Declared>>, 'variables' | 'needs' | 'connect'> & {
    readonly variables: Declared;
    readonly needs: readonly (keyof Declared & string)[];
    connect(values: ValuesOf<Declared>, http: OutgoingHttp): Connection;
  },
): DestinationDefinition {
  const { name, permission } = definition;
  const typed: DestinationDefinition<ValuesOf<Declared>> = {
    ...definition,
    connect: (values, http) => ({
      permission,
      ...definition.connect(values, http),
      name,
      events: definition.events?.(values),
    }),
  };
  // The cast is safe, because the settings reader parses the values as `variables` declares.
  return typed as unknown as DestinationDefinition;
}

/** A destination with its parsed settings. `values` is undefined if the destination is off. */
export type DestinationSetting = {
  readonly definition: DestinationDefinition;
  readonly values: Readonly<Record<string, unknown>> | undefined;
};
