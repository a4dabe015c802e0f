/**
 * What a third party that leads are sent to is, in one file each (`destinations/index.ts` lists them):
 * its settings, which leads are for it, what it is sent, how its answers are read.
 */

import type { IngestAccount } from '../../domain/ingest-account.ts';
import type { BuiltLead } from '../../intake/build-lead.ts';
import type { Variable } from '../base/variable.ts';
import type { OutgoingHttp } from '../providers/outgoing-http.ts';
import type { EventType, TimedEvent } from './event.ts';
import type { ProbeResult } from './probe.ts';

/**
 * What one attempt came to.
 *
 * - `delivered`: the other side said that it took it.
 * - `duplicate`: the other side has it already.
 * - `rejected`: the other side looked at it and refused it. Final.
 * - `account`: the other side refuses our account, not this lead (a wrong key, a closed campaign, a cap that
 *   is reached). The lead waits, and the destination is paused.
 * - `failed`: another final answer that says nothing of the lead (a wrong address): a dead letter, and an
 *   alert.
 * - `retry`: surely not taken. Sent again.
 * - `server_error`: HTTP 500 or the like; perhaps taken. Handled as `unknown`.
 * - `unknown`: no answer, or one that cannot be read; perhaps taken. Sent again where the other side
 *   recognises duplicates, else parked.
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
  /** What the other side says of it. */
  message?: string;
  /** The other side's own id. */
  externalId?: string;
  /** Why our account is refused; with `account` only. */
  account?: AccountRefusal;
  /** The other side asks not to be called again before. */
  retryAfterMs?: number;
  durationMs: number;
};

/** Why a destination refuses our account. */
export type AccountRefusal = {
  /** A clause of our own words, without personal data: "it does not take our credentials (ERROR 1002)". */
  readonly problem: string;
  /** The settings to look at; empty: the account is none of the settings', and no pause would help. */
  readonly settings: readonly string[];
};

/** What is sent, as it was pinned at the first claim: the same for every attempt of a round. */
export type SendRequest = {
  /** The same for every attempt, of every round. */
  readonly deliveryId: string;
  readonly leadId: string;
  readonly isTest: boolean;
  /** The outward fields of the pinned revision. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly payloadVersion: number;
  /** The account that it goes to, by its public name; null where the destination has none. */
  readonly account: string | null;
  /** The account that the mapping service named for this lead, where there is one. */
  readonly mappedAccount: IngestAccount | undefined;
  /** What it is told of; null: it is sent the lead. */
  readonly event: TimedEvent | null;
  /** What the verification of the pinned revision said, for a payload version that says so. */
  readonly verification?: Readonly<Record<string, unknown>> | undefined;
};

/** The exact bytes of a request, and the sending of them. */
export type PreparedSend = {
  readonly body: string;
  /**
   * Sends once; may take as long as its own time-out. Never throws for what the other side does.
   * @param signal the lease on the delivery is about to run out, or the process ends: end the call
   */
  send(signal?: AbortSignal): Promise<SendResult>;
};

/**
 * What a person must have said, and not said, for a destination to get their lead. It is looked at each time
 * that a delivery is claimed (`delivery/ledger.ts`), and what it keeps back says why in its last message.
 * The suppression list needs no word of its own: nothing of anyone who is in it goes anywhere.
 */
export type Permission = {
  /**
   * - `any`: a lead without a consent of ours is held, and whoever releases it answers for it.
   * - `given`: never without a consent text, whoever has released it.
   * - `one_to_one`: nor of a person who agreed to no buyer (`1_to_1_consent` yes).
   */
  readonly consent: 'any' | 'given' | 'one_to_one';
  /** Whether the opt-out signal (Sec-GPC: 1) that came with a lead keeps this lead from it. */
  readonly stopsAtOptOut: boolean;
};

/** A destination whose settings are given. */
export type ConnectedDestination = Omit<Connection, 'permission'> & {
  /** As in `deliveries.destination`. */
  readonly name: string;
  readonly permission: Permission;
  /** It is told of these, each once, and not sent leads; undefined: it is sent each lead once. */
  readonly events?: readonly EventType[] | undefined;
};

/** What a destination's settings make of it. */
export type Connection = {
  /** Whether it may be sent the same lead again after an attempt of which the outcome is unknown. */
  readonly recognisesDuplicates: boolean;
  /** The version that deliveries get at their first claim. */
  readonly payloadVersion: number;
  /** The one that they get where the verification was answered by then; absent: it is not sent along. */
  readonly verifiedPayloadVersion?: number;
  /** The public name of our account there (never its key); null: it has none. */
  readonly account: string | null;
  /** In place of the definition's, where the settings decide. */
  readonly permission?: Permission;
  /** Whether its failures are recorded and nothing more: no alert, no event, no health. */
  readonly areErrorsIgnored?: boolean;
  /** Whether the account that the mapping service named for a lead takes the place of our own. */
  readonly usesMappedAccounts: boolean;
  /** What will be sent, made without sending it; a result where nothing can be sent. Pure. */
  prepare(request: SendRequest): PreparedSend | SendResult;
};

/** What a destination sees of a lead when it says whether the lead is for it. */
export type PlannedLead = Pick<BuiltLead, 'survey' | 'flow' | 'qualified' | 'isTest' | 'fields'>;

type Variables = Readonly<Record<string, Variable<unknown>>>;
/** What each variable's text was read as. */
export type ValuesOf<Declared extends Variables> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Variable<infer Output, infer _>
    ? Output
    : never;
};

/** One third party that leads are sent to. */
export type DestinationDefinition = {
  readonly name: string;
  /** For people who read the list. */
  readonly title: string;
  /** Its settings, by their names in the environment. */
  readonly variables: Variables;
  /** Those that it cannot do without: all are given, or it is off. */
  readonly needs: readonly string[];
  /** Leads that come while it is off: marked "no destination", to be sent later; or not its business. */
  readonly whenOff: 'mark' | 'skip';
  readonly permission: Permission;
  /** Whose leads are for it, where it is sent leads; not said: the surveys'. */
  readonly takes?: 'contact';
  /** The column of the survey table that says whether a survey's leads are for it; absent: all surveys' are. */
  readonly surveyColumn?: 'deliversToIngest';
  /** What it is told of, where it is not sent leads. @param values of `variables`, all of `needs` among them */
  events?(values: Readonly<Record<string, unknown>>): readonly EventType[];
  /**
   * Whether this lead is for it, in a survey whose row does not say otherwise.
   * @param values of `variables`; undefined: it is off
   */
  appliesTo(lead: PlannedLead, values: Readonly<Record<string, unknown>> | undefined): boolean;
  /**
   * Whether its first claim waits for the verification of the lead, for no longer than that may take;
   * absent: it does not.
   */
  waitsForVerification?(values: Readonly<Record<string, unknown>>): boolean;
  /** Whether its first claim waits while the visitor may still choose law firms; absent: it does not. */
  readonly waitsForChoice?: true;
  /**
   * Tries its account with a call that changes nothing there; absent: each call has an effect.
   * @param values as for `connect`
   */
  probe?(values: Readonly<Record<string, unknown>>, http: OutgoingHttp): Promise<ProbeResult>;
  /** @param values of `variables`, all of `needs` among them. */
  connect(values: Readonly<Record<string, unknown>>, http: OutgoingHttp): ConnectedDestination;
};

/** Declares a destination, its settings typed by their variables. */
export function defineDestination<const Declared extends Variables>(
  definition: Omit<
    DestinationDefinition,
    'variables' | 'needs' | 'appliesTo' | 'events' | 'waitsForVerification' | 'probe' | 'connect'
  > & {
    readonly variables: Declared;
    readonly needs: readonly (keyof Declared & string)[];
    appliesTo(lead: PlannedLead, values: ValuesOf<Declared> | undefined): boolean;
    events?(values: ValuesOf<Declared>): readonly EventType[];
    waitsForVerification?(values: ValuesOf<Declared>): boolean;
    probe?(values: ValuesOf<Declared>, http: OutgoingHttp): Promise<ProbeResult>;
    connect(values: ValuesOf<Declared>, http: OutgoingHttp): Connection;
  },
): DestinationDefinition {
  const typed = (values: unknown) => values as ValuesOf<Declared>;
  const { name, permission, events, probe, ...rest } = definition;
  return {
    ...rest,
    name,
    permission,
    ...(probe && { probe: (values, http) => probe(typed(values), http) }),
    ...(events && { events: (values) => events(typed(values)) }),
    appliesTo: (lead, values) => definition.appliesTo(lead, values && typed(values)),
    waitsForVerification: (values) => definition.waitsForVerification?.(typed(values)) ?? false,
    connect: (values, http) => ({
      permission,
      ...definition.connect(typed(values), http),
      name,
      events: events?.(typed(values)),
    }),
  };
}

/** A destination of the list with its settings; without them it is off. */
export type DestinationSetting = {
  readonly definition: DestinationDefinition;
  readonly values: Readonly<Record<string, unknown>> | undefined;
};
