/**
 * The definition of a destination: its settings, which leads it accepts, its payload, and how its answers are
 * read. Each destination is one file, listed in `destinations/index.ts`.
 */

import type { IngestAccount } from '../../../model/fields/tracking-fields.ts';
import type { BuiltLead } from '../../../model/lead/build-lead.ts';
import type { Override } from '../../../model/rules/derive-fields.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { Variable } from '../../platform/variable.ts';
import type { EventType, TimedEvent } from './event.ts';
import type { ProbeResult } from './probe.ts';

/**
 * The outcome of one attempt.
 *
 * - `delivered`: the destination confirmed that it took the lead.
 * - `duplicate`: the destination already has the lead.
 * - `rejected`: the destination refused the lead. Final.
 * - `account`: the destination refuses our account (wrong key, closed campaign, reached cap), not this lead.
 *   The lead waits, and the destination is paused.
 * - `failed`: another final answer, not about the lead (for example a wrong address). Dead letter and alert.
 * - `retry`: certainly not taken. Retried.
 * - `server_error`: HTTP 5xx; possibly taken. Handled like `unknown`.
 * - `unknown`: no readable answer; possibly taken. Retried if the destination recognises duplicates, else
 *   parked as `uncertain`.
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
  httpStatus?: number;
  /** The beginning of the answer, without secrets. */
  response?: string;
  /** One sentence about what went wrong, without secrets. */
  error?: string;
  /** The destination's message about the lead. */
  message?: string;
  /** The code of its refusal, such as `1004`. */
  code?: string;
  /** The destination's own id of the lead. */
  externalId?: string;
  /** Why our account is refused; only with the outcome `account`. */
  account?: AccountRefusal;
  /** The wait that the destination asks for (Retry-After). */
  retryAfterMs?: number;
  durationMs: number;
};

/** Why a destination refuses our account. */
export type AccountRefusal = {
  /** A clause in our own words, without personal data: "it does not take our credentials (ERROR 1002)". */
  readonly problem: string;
  /** The settings that hold the account. Empty for one of the mapping service, where a pause would not help. */
  readonly settings: readonly string[];
  /** A cap is reached: no setting is wrong, and time helps. */
  readonly isCap?: true;
};

/** The content of a send. Pinned when the first attempt is leased, so all attempts of a round send the same. */
export type SendRequest = {
  /** The delivery's id, which stays the same when the delivery is resent. */
  readonly deliveryId: string;
  readonly leadId: string;
  readonly isTest: boolean;
  /** The outgoing fields of the pinned revision. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The answers that rules changed in that revision. */
  readonly overrides?: readonly Override[];
  readonly payloadVersion: number;
  /** The public name of the account to use; null if the destination has none. */
  readonly account: string | null;
  /** The account that the mapping service named for this lead, if any. */
  readonly mappedAccount: IngestAccount | undefined;
  /** The event to send; null for a lead. */
  readonly event: TimedEvent | null;
  /** Makes the evidence pack about the delivery that the event tells of; undefined: there is none. */
  readonly evidence?: (() => Promise<EvidencePack | undefined>) | undefined;
  /** The answer of the pre-submit verification, for payload versions that include it. */
  readonly verification?: Readonly<Record<string, unknown>> | undefined;
};

/** An evidence pack for a destination (docs/evidence.md). */
export type EvidencePack = { readonly name: string; readonly bytes: Uint8Array };

/** A request that is ready to be sent, with its exact bytes. */
export type PreparedSend = {
  /** Without an evidence pack, which is made when it is sent and has its own hashes. */
  readonly body: string;
  /**
   * Sends once and waits up to its own time-out. Never throws for anything that the other side does.
   * @param signal aborts the call when the lease expires or the process ends
   */
  send(signal?: AbortSignal): Promise<SendResult>;
};

/**
 * The consent that a destination needs to get a lead. Checked each time a delivery is leased
 * (`delivery/leases.ts`); a withheld delivery says why in its end reason. The suppression list always applies.
 */
export type Permission = {
  /**
   * - `any`: every lead that is not held.
   * - `given`: only leads with a consent text. Every law firm needs it.
   * - `one_to_one`: also needs `1_to_1_consent` yes.
   */
  readonly consent: 'any' | 'given' | 'one_to_one';
  /** True if a lead with the opt-out signal (Sec-GPC: 1) is withheld. */
  readonly stopsAtOptOut: boolean;
};

/** A destination whose settings are given. */
export type ConnectedDestination = Omit<Connection, 'permission'> & {
  /** The value of `deliveries.destination`. */
  readonly name: string;
  readonly proofExpiresHours?: number | undefined;
  readonly permission: Permission;
  /**
   * The events that an event listener receives, once each. Undefined: the destination receives
   * leads instead.
   */
  readonly events?: readonly EventType[] | undefined;
};

/** The part of a destination that depends on its settings. */
export type Connection = {
  /** True if the same lead can safely be sent again after an unknown outcome. */
  readonly recognisesDuplicates: boolean;
  /** The payload version to which new deliveries are pinned. */
  readonly payloadVersion: number;
  /** The payload version to pin if the verification has answered. Default: the answer is not sent. */
  readonly verifiedPayloadVersion?: number;
  /** The public name of our account (never its key); null if there is none. */
  readonly account: string | null;
  /** Overrides the definition's permission. */
  readonly permission?: Permission;
  /** True if failures are only recorded, without alerts, events or health state. */
  readonly areErrorsIgnored?: boolean;
  /** True if an account named by the mapping service replaces our own. */
  readonly usesMappedAccounts: boolean;
  /** Builds the request without sending it, or returns the result if nothing can be sent. Pure. */
  prepare(request: SendRequest): PreparedSend | SendResult;
};

/** The part of a lead that decides whether a destination accepts it. */
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
  /** The name for people. */
  readonly title: string;
  /** The destination's settings, by environment variable. */
  readonly variables: Variables;
  /** The required settings. Without all of them the destination is off. */
  readonly needs: readonly string[];
  /** While it is off, its leads are marked "no destination" to be sent later, or skipped. */
  readonly whenOff: 'mark' | 'skip';
  readonly permission: Permission;
  /** Which leads this destination accepts. Default: survey leads. */
  readonly takes?: 'contact';
  /** It serves us and buys no leads, so that its deliveries do not count as delivered. Default: it buys leads. */
  readonly buysNothing?: true;
  /**
   * It keeps proof of the consent, which expires so many hours after the lead unless it arrives before. Not even the
   * suppression list stops it once a buyer has the lead.
   */
  readonly proofExpiresHours?: number;
  /** It gets neither name, phone number nor e-mail address, and so no evidence pack either. */
  readonly getsNoContact?: true;
  /** The survey column that decides whether a survey's leads go here. Default: all surveys. */
  readonly surveyColumn?: 'deliversToIngest';
  /** Makes this an event listener: returns the events that it receives. @param values include all of `needs` */
  events?(values: Values): readonly EventType[];
  /**
   * Returns whether this lead goes here, unless the survey's row names its destinations.
   * @param values undefined if the destination is off
   */
  appliesTo(lead: PlannedLead, values: Values | undefined): boolean;
  /** True if the first attempt waits for the lead's verification, up to its time-out. Default: no. */
  waitsForVerification?(values: Values): boolean;
  /** True if the first attempt waits while the visitor may still choose law firms. Default: no. */
  readonly waitsForChoice?: true;
  /**
   * Tries our account with a call that has no effect. Missing if every call has one.
   * @param values include all of `needs`
   */
  probe?(values: Values, http: OutgoingHttp): Promise<ProbeResult>;
  /** Connects the destination. @param values include all of `needs` */
  connect(values: Values, http: OutgoingHttp): ConnectedDestination;
};

/** Declares a destination and types its settings by their variables. */
export function defineDestination<const Declared extends Variables>(
  definition: Omit<DestinationDefinition<ValuesOf<Declared>>, 'variables' | 'needs' | 'connect'> & {
    readonly variables: Declared;
    readonly needs: readonly (keyof Declared & string)[];
    connect(values: ValuesOf<Declared>, http: OutgoingHttp): Connection;
  },
): DestinationDefinition {
  const { name, permission, proofExpiresHours } = definition;
  const typed: DestinationDefinition<ValuesOf<Declared>> = {
    ...definition,
    connect: (values, http) => ({
      permission,
      ...definition.connect(values, http),
      name,
      proofExpiresHours,
      events: definition.events?.(values),
    }),
  };
  // The settings reader passes exactly the values that the variables describe.
  return typed as unknown as DestinationDefinition;
}

/** A destination with its settings; undefined `values` mean that it is off. */
export type DestinationSetting = {
  readonly definition: DestinationDefinition;
  readonly values: Readonly<Record<string, unknown>> | undefined;
};
