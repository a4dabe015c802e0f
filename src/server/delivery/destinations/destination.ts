/** Defines destinations: their settings, the leads that they accept, payloads and answers. */

import type { ClickIds } from '../../../model/fields/click-ids.ts';
import type { IngestAccount } from '../../../model/fields/tracking-fields.ts';
import type { BuiltLead } from '../../../model/lead/build-lead.ts';
import type { Override } from '../../../model/rules/derive-fields.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { Variable } from '../../platform/variable.ts';
import type { EventType, TimedEvent } from './event.ts';

/** The outcome of one attempt. */
export type SendOutcome =
  | 'delivered'
  | 'duplicate' // the destination already has the lead
  | 'rejected' // the destination refused the lead for good
  | 'account' // the destination refuses our account: the lead waits, and the destination is paused
  | 'failed' // any other final answer: the delivery becomes a dead letter, with an alert
  | 'retry' // the lead certainly did not arrive, and is sent again
  | 'later' // the result comes later: the next attempt follows `retryAfterMs` and has this one's `externalId`
  | 'server_error' // HTTP 5xx, handled like `unknown`
  | 'unknown'; // the lead may have arrived: sent again if duplicates are recognised, else `uncertain`

export type SendResult = {
  outcome: SendOutcome;
  httpStatus?: number | undefined;
  /** The beginning of the answer, without secrets. */
  response?: string | undefined;
  /** One sentence about the failure, without secrets. */
  error?: string | undefined;
  message?: string | undefined;
  /** The destination's error code, such as `1004`. */
  code?: string | undefined;
  /** Empty: forgets the id that an earlier attempt got. */
  externalId?: string | undefined;
  /** What the destination pays for the lead, in US dollars. Undefined: it names no price. */
  price?: number | undefined;
  /** The reason why the destination refuses our account; set only with the outcome `account`. */
  account?: AccountRefusal | undefined;
  /** The pause that the destination asked for, in `Retry-After` or by the outcome `later`. */
  retryAfterMs?: number | undefined;
  durationMs: number;
};

/** The reason why a destination refuses our account. */
export type AccountRefusal = {
  /** A clause such as "it does not take our credentials", without personal data. */
  readonly problem: string;
  /** The names of the account's settings. Empty if the mapping service named the account. */
  readonly settings: readonly string[];
  /** True if the account has only reached a cap and will work again without a change. */
  readonly isCap?: boolean;
};

/** The content of a request to a destination. */
export type SendRequest = {
  /** The delivery's id, which stays the same when the delivery is resent. */
  readonly deliveryId: string;
  readonly leadId: string;
  readonly isTest: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly overrides?: readonly Override[];
  readonly payloadVersion: number;
  /** The public name of the account with which to send; null if the destination has no account. */
  readonly account: string | null;
  /** The account that the mapping service named for this lead, if any. */
  readonly mappedAccount: IngestAccount | undefined;
  /** The event to send; null for a lead. */
  readonly event: TimedEvent | null;
  /** The id that the destination gave in an earlier attempt, unless a resend began since then. */
  readonly externalId?: string | undefined;
  /** Creates the evidence pack for a `delivery.delivered` event. Undefined: no pack is sent. */
  readonly evidence?: (() => Promise<EvidencePack | undefined>) | undefined;
  /** What an ad platform needs of the lead. Undefined for other destinations. */
  readonly ad?:
    | {
        readonly clickIds: ClickIds;
        /** The states of the address and of the accident. */
        readonly states: readonly string[];
        /** Why no ad platform may be told about the lead today. */
        readonly refusal?: string | undefined;
        /** The time of the event about the sale that the event takes back. */
        readonly soldAt?: Date | undefined;
      }
    | undefined;
  /** The time for which the request is made. Default: now. */
  readonly now?: Date | undefined;
  /** True if an earlier attempt arrived, or may have arrived, at the destination. */
  readonly mayHaveArrived?: boolean;
  /** The verification service's answer about the lead, for payload versions with this answer. */
  readonly verification?: Readonly<Record<string, unknown>> | undefined;
};

/** An evidence pack for a destination (docs/evidence.md). */
export type EvidencePack = { readonly name: string; readonly bytes: Uint8Array };

export type PreparedSend = {
  /** The exact bytes to send, except an evidence pack, which `send` adds. */
  readonly body: string;
  /** Sends the request once. Never throws for an error of the destination. */
  send(signal?: AbortSignal): Promise<SendResult>;
};

/** The consent that a lead needs before a destination may get the lead. */
export type Permission = {
  /** `given` requires a consent text. */
  readonly consent: 'any' | 'given';
  /** True if leads with the opt-out signal (Sec-GPC: 1) are not sent. */
  readonly stopsAtOptOut: boolean;
};

/** A destination that is ready to send with its settings. */
export type ConnectedDestination = Omit<Connection, 'permission'> & {
  /** The destination's name, as stored in `deliveries.destination`. */
  readonly name: string;
  readonly permission: Permission;
  /** The events that an event listener receives. Undefined for a destination of leads. */
  readonly events?: readonly EventType[] | undefined;
  readonly isAdPlatform?: true | undefined;
  /** Returns whether the destination gets this lead, or events about it. */
  appliesTo(lead: PlannedLead): boolean;
};

/** The parts of a destination that are made from the settings. */
export type Connection = {
  /** True if the destination recognises a lead that is sent a second time. */
  readonly recognisesDuplicates: boolean;
  readonly payloadVersion: number;
  /** The payload version that contains the verification service's answer. Default: none. */
  readonly verifiedPayloadVersion?: number;
  /** The public name of our account, never the key; null if there is no account. */
  readonly account: string | null;
  readonly permission?: Permission;
  /** True if failures are only recorded, without alerts, events or a health state. */
  readonly areErrorsIgnored?: boolean;
  /** True if the mapping service may name another account for a lead. */
  readonly usesMappedAccounts: boolean;
  /** Builds the request, or returns the result if the request cannot be sent. */
  prepare(request: SendRequest): PreparedSend | SendResult;
};

/** The result of an account test (`npm run doctor`, console). */
export type ProbeResult = {
  readonly state: 'works' | 'wrong' | 'not_tried';
  /** A description of the test call and the answer, or instructions for a test by hand. */
  readonly text: string;
};

/** The properties of a lead that decide whether a destination gets the lead. */
export type PlannedLead = Pick<BuiltLead, 'survey' | 'flow' | 'qualified' | 'isTest' | 'fields'> & {
  /** The tracking parameters of the ad click, by field. */
  readonly click?: { readonly params: Readonly<Record<string, unknown>> };
};

/** Declarations of settings, by environment variable. */
export type Variables = Readonly<Record<string, Variable<unknown>>>;
/** The parsed values of the variables. */
export type ValuesOf<Declared extends Variables> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Variable<infer Output, infer _>
    ? Output
    : never;
};

/** The definition of a third party that receives leads or events. */
export type DestinationDefinition<Values = Readonly<Record<string, unknown>>> = {
  readonly name: string;
  readonly title: string;
  /** The declarations of the destination's settings, by environment variable. */
  readonly variables: Variables;
  /** The required settings. If one is missing, the destination is off. */
  readonly needs: readonly string[];
  /** `mark`: while the destination is off, its deliveries get the state `no_destination`. */
  readonly whenOff: 'mark' | 'skip';
  readonly permission: Permission;
  /** The kind of leads that this destination accepts. Default: survey leads. */
  readonly takes?: 'contact';
  /** True if the service buys no leads. A delivery to the service is then not counted as a sale. */
  readonly buysNothing?: true;
  /** True if the destination stores proof of consent. */
  readonly storesProof?: true;
  /** True if the destination gets no contact details and no evidence pack. */
  readonly getsNoContact?: true;
  /** A column of `surveys.ts` that must be on for the lead's survey. Default: none. */
  readonly surveyColumn?: 'deliversToIngest';
  /** True if an event listener attributes events to ads. A return is told after its sale. */
  readonly isAdPlatform?: true;
  /** Returns the events for an event listener. Absent for other destinations. */
  events?(values: Values): readonly EventType[];
  /** Returns whether this destination gets a lead whose survey lists no destinations. */
  appliesTo(lead: PlannedLead, values: Values | undefined): boolean;
  /** Returns whether the first attempt waits for the lead's verification. Default: no. */
  waitsForVerification?(values: Values): boolean;
  /** True if the first attempt waits as long as the visitor can choose law firms. */
  readonly waitsForChoice?: true;
  /** Tests our account with a call that has no effect. Absent if the service has no such call. */
  probe?(values: Values, http: OutgoingHttp): Promise<ProbeResult>;
  /** Connects the destination. `values` include all of `needs`. */
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
  const { name, permission, isAdPlatform } = definition;
  const typed: DestinationDefinition<ValuesOf<Declared>> = {
    ...definition,
    connect: (values, http) => ({
      permission,
      ...definition.connect(values, http),
      name,
      events: definition.events?.(values),
      isAdPlatform,
      appliesTo: (lead) => definition.appliesTo(lead, values),
    }),
  };
  // The cast is safe, because the settings are parsed with the types that `variables` declares.
  return typed as unknown as DestinationDefinition;
}

/** A destination with the parsed settings. The settings are undefined if the destination is off. */
export type DestinationSetting = {
  readonly definition: DestinationDefinition;
  readonly values: Readonly<Record<string, unknown>> | undefined;
};
