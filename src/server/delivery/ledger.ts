/**
 * The statements on `deliveries` and `delivery_attempts`: the delivery queue, and the truth about
 * what was sent.
 *
 * Time is the database's, so that processes on several machines agree about leases; a test with its
 * own clock gives `now`. Statements are named, so that a connection prepares each of them once.
 */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { storableText } from '../../intake/storable.ts';
import type { Permission } from '../destinations/destination.ts';
import {
  type DestinationEvent,
  deliveryEnd,
  eventKey,
  type TimedEvent,
  timed,
} from '../destinations/event.ts';
import type { IngestAccount } from '../leads/ports.ts';
import type { DeliveryState } from '../storage/schema.ts';
import { ON_LIST } from './changes.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

/** What one destination can take now. */
export type Want = {
  destination: string;
  /** Deliveries at most. */
  slots: number;
  recognisesDuplicates: boolean;
  account: string | null;
  usesMappedAccounts: boolean;
  payloadVersion: number;
  /** In its place for a lead whose verification was answered; null: the destination is not sent any. */
  verifiedPayloadVersion: number | null;
} & Permission;

/** An attempt that is ours to make. */
export type Claim = {
  deliveryId: string;
  leadId: string;
  destination: string;
  /** 1, 2, 3, …; with the owner it fences everything that is written about the attempt. */
  attempt: number;
  /** The same, counted from the last resend. */
  attemptInRound: number;
  /** An earlier attempt was taken or perhaps was. */
  mayHaveArrived: boolean;
  /** What is sent: pinned at the first claim of a round. */
  revision: number;
  account: string | null;
  payloadVersion: number;
  fields: Record<string, unknown>;
  isTest: boolean;
  /** The account that was found for this lead, where there is one. */
  mappedAccount: IngestAccount | undefined;
  /** What the destination is told of; null: it is sent the lead. */
  event: TimedEvent | null;
  /** What the verification of this revision said, where it was answered. */
  verification: Readonly<Record<string, unknown>> | undefined;
};

/** Why a delivery is kept back for good, in the order in which it is looked for. */
const KEPT_BACK = {
  suppressed: `${ON_LIST}, or was erased: nothing is sent`,
  optedOut:
    'The lead came with the opt-out signal (Sec-GPC), which withholds it from this destination',
  noConsent: 'The lead has no consent text: not sent to this destination',
  noBuyer: 'The person agreed to no buyer: not sent to this destination',
} as const;

// $1 wants, $2 owner, $3 lease in ms, $4 now. What is due of each destination, up to its own slots, so
// that one that hangs starves no other. A lease that has run out is taken over where a second send is
// safe. Each delivery gets its pins with its first claim, in the same statement that looks at the
// suppression list, at the opt-out signal and at the consent: nothing is sent of anyone who is in the list,
// nor of an erased lead, nor what the person's own word keeps from this destination. How many are due is
// guessed by the planner as a share of all that wait, of an array as ten: without it, it would read whole
// tables for each claim of a backlog.
const CLAIM_DUE = `
with clock as (select coalesce($4::timestamptz, now()) as now
), due as (
  select found.id, want.*
  from jsonb_to_recordset($1::jsonb) as want(destination text, slots integer,
    "recognisesDuplicates" boolean, account text, "usesMappedAccounts" boolean, "payloadVersion" integer,
    "verifiedPayloadVersion" integer, consent text, "stopsAtOptOut" boolean)
  cross join lateral (
    select id from deliveries
    where destination = want.destination and state in ('waiting', 'sending', 'retrying')
      and due_at <= (select now from clock) and (state <> 'sending' or want."recognisesDuplicates")
    order by due_at limit want.slots for update skip locked
  ) as found
), pinned as (
  select d.id, d.state as state_before, coalesce(d.revision, l.revision) as revision,
    coalesce(d.payload_version, case when c.said is not null then due."verifiedPayloadVersion" end,
      due."payloadVersion") as payload_version, v.account as mapped, c.said as verification,
    coalesce(d.account, case when due."usesMappedAccounts" then
      (v.account->>'campaignId') || '/' || (v.account->>'supplierId') end, due.account) as account,
    l.is_test, l.erased_at, l.email_key, l.phone_key, due.consent,
    due."stopsAtOptOut" and l.sec_gpc as is_opted_out
  from due join deliveries d on d.id = due.id join leads l on l.id = d.lead_id
  left join visits v on v.lead_id = d.lead_id
  left join lead_checks c on c.lead_id = d.lead_id and c.revision = coalesce(d.revision, l.revision)
    and c.service = 'verification' and c.outcome = 'answered'
  where d.id = any(array(select id from due))
), judged as (
  select pinned.*, r.fields, case
    when pinned.erased_at is not null or exists (select 1 from suppressions s
      where s.key in (pinned.email_key, pinned.phone_key, r.email_key, r.phone_key))
      then '${KEPT_BACK.suppressed}'
    when is_opted_out then '${KEPT_BACK.optedOut}'
    when consent <> 'any' and coalesce(r.fields->>'tcpa', '') = '' then '${KEPT_BACK.noConsent}'
    when consent = 'one_to_one' and r.fields->>'1_to_1_consent' is distinct from 'yes'
      then '${KEPT_BACK.noBuyer}' end as kept_back
  from pinned join deliveries d on d.id = pinned.id
  join lead_revisions r on r.lead_id = d.lead_id and r.revision = pinned.revision
), suppressed as (
  update deliveries d set state = 'suppressed', due_at = null, lease_owner = null,
    finished_at = (select now from clock), last_message = judged.kept_back,
    may_have_arrived = d.may_have_arrived or judged.state_before = 'sending'
  from judged where d.id = judged.id and judged.kept_back is not null
  returning d.id
), claimed as (
  update deliveries d set state = 'sending', attempts = d.attempts + 1, lease_owner = $2,
    due_at = (select now from clock) + $3::int * interval '1 millisecond', revision = judged.revision,
    account = judged.account, payload_version = judged.payload_version,
    may_have_arrived = d.may_have_arrived or judged.state_before = 'sending'
  from judged where d.id = judged.id and judged.kept_back is null
  returning d.id, d.lead_id, d.destination, d.attempts, d.attempts_before_round, d.may_have_arrived,
    d.event, d.created_at
), lost as (
  update delivery_attempts a set ended_at = (select now from clock), outcome = 'unknown',
    error = '${lostMessage()}'
  from (select id from claimed union all select id from suppressed) as taken
  where a.delivery_id = taken.id and a.outcome is null
)
select claimed.*, judged.revision, judged.account, judged.payload_version, judged.fields,
  judged.is_test, judged.mapped, judged.verification
from claimed join judged on judged.id = claimed.id`;

function lostMessage(): string {
  return 'The worker stopped before it could write how the attempt ended';
}

type ClaimRow = {
  id: string;
  lead_id: string;
  destination: string;
  attempts: number;
  attempts_before_round: number;
  may_have_arrived: boolean;
  revision: number;
  account: string | null;
  payload_version: number;
  fields: Record<string, unknown>;
  is_test: boolean;
  mapped: IngestAccount | null;
  event: DestinationEvent | null;
  created_at: Date;
  verification: Record<string, unknown> | null;
};

/**
 * Takes what is due and, of any number of processes, makes it this one's to send. The attempts are to
 * be written (`beginAttempts`) in the same transaction.
 */
export async function claimDue(
  client: Queryable,
  options: { wants: readonly Want[]; owner: string; leaseMs: number; now: Date | undefined },
): Promise<Claim[]> {
  const { wants, owner, leaseMs, now } = options;
  const { rows } = await client.query<ClaimRow>({
    name: 'delivery-claim',
    text: CLAIM_DUE,
    values: [JSON.stringify(wants), owner, leaseMs, now ?? null],
  });
  return rows.map((row) => ({
    deliveryId: row.id,
    leadId: row.lead_id,
    destination: row.destination,
    attempt: row.attempts,
    attemptInRound: row.attempts - row.attempts_before_round,
    mayHaveArrived: row.may_have_arrived,
    revision: row.revision,
    account: row.account,
    payloadVersion: row.payload_version,
    fields: row.fields,
    isTest: row.is_test,
    mappedAccount: row.mapped ?? undefined,
    event: timed(row.event, row.created_at),
    verification: row.verification ?? undefined,
  }));
}

const BEGIN = `
insert into delivery_attempts
  (delivery_id, attempt, started_at, sent_sha256, revision, account, payload_version)
select delivery_id, attempt, coalesce($2::timestamptz, now()), sent_sha256, revision, account,
  payload_version
from jsonb_to_recordset($1::jsonb) as a(delivery_id uuid, attempt integer, sent_sha256 text,
  revision integer, account text, payload_version integer)`;

/** Writes the attempts that are about to be made, each with the hash of the bytes to be sent. */
export async function beginAttempts(
  client: Queryable,
  attempts: readonly { claim: Claim; sentSha256: string | null }[],
  now: Date | undefined,
): Promise<void> {
  const rows = attempts.map(({ claim, sentSha256 }) => ({
    delivery_id: claim.deliveryId,
    attempt: claim.attempt,
    sent_sha256: sentSha256,
    revision: claim.revision,
    account: claim.account,
    payload_version: claim.payloadVersion,
  }));
  const values = [JSON.stringify(rows), now ?? null];
  await client.query({ name: 'delivery-begin', text: BEGIN, values });
}

/** How an attempt ended, and what becomes of its delivery. */
export type AttemptEnd = {
  claim: Pick<Claim, 'deliveryId' | 'attempt' | 'destination' | 'revision' | 'event'>;
  state: DeliveryState;
  outcome: string;
  pauseMs: number | undefined;
  message: string;
  externalId: string | undefined;
  httpStatus: number | undefined;
  response: string | undefined;
  error: string | undefined;
  durationMs: number;
};

// What is told of deliveries that came to rest, one row a listener; once, whoever writes it.
const tell = (ended: string, rows: string, now: string) => `
  insert into deliveries (id, lead_id, destination, state, created_at, due_at, event_key, event, revision)
  select told.id, ended.lead_id, told.destination, 'waiting', ${now}, ${now}, told.key,
    told.event || jsonb_build_object('external_id', ended.external_id), ended.revision
  from jsonb_to_recordset(${rows}::jsonb)
    as told(id uuid, delivery_id uuid, destination text, key text, event jsonb)
  join ${ended} as ended on ended.id = told.delivery_id
  on conflict (lead_id, destination, event_key) do nothing`;

// $1 ends, $2 owner, $3 now, $4 what is told of them: an event and what it tells of are one commit.
const FINISH = `
with clock as (select coalesce($3::timestamptz, now()) as now
), given as (
  select * from jsonb_to_recordset($1::jsonb) as e(id uuid, attempt integer, state text, outcome text,
    pause_ms bigint, message text, external_id text, http_status integer, response text, error text,
    duration_ms integer)
), ended as (
  update deliveries d set state = given.state, lease_owner = null, last_message = given.message,
    due_at = (select now from clock) + given.pause_ms * interval '1 millisecond',
    finished_at = case when given.state <> 'retrying' then (select now from clock) end,
    may_have_arrived = d.may_have_arrived or given.outcome in ('unknown', 'delivered'),
    external_id = case when given.outcome = 'duplicate' then coalesce(d.external_id, given.external_id)
      else coalesce(given.external_id, d.external_id) end
  from given
  where d.id = given.id and d.attempts = given.attempt and d.lease_owner = $2 and d.state = 'sending'
  returning d.id, d.lead_id, d.revision, d.external_id
), told as (${tell('ended', '$4', '(select now from clock)')}
)
update delivery_attempts a set ended_at = (select now from clock), outcome = given.outcome,
  http_status = given.http_status, response = given.response, error = given.error,
  duration_ms = given.duration_ms
from given join ended on ended.id = given.id
where a.delivery_id = given.id and a.attempt = given.attempt
returning a.delivery_id as id`;

/**
 * Writes how attempts ended and what becomes of their deliveries.
 *
 * @param listeners who is told of deliveries of leads that came to rest
 * @returns for each, in their order, whether it was still ours: else the lease ran out and another
 * worker took the delivery over, and nothing was changed.
 */
export async function finishAttempts(
  client: Queryable,
  owner: string,
  ends: readonly AttemptEnd[],
  listeners: readonly Listener[],
  now: Date | undefined,
): Promise<boolean[]> {
  // What the other side says goes through JSON, which `jsonb` takes only well formed.
  const clean = (text: string | undefined) => (text === undefined ? null : storableText(text));
  const rows = ends.map((end) => ({
    id: end.claim.deliveryId,
    attempt: end.claim.attempt,
    state: end.state,
    outcome: end.outcome,
    pause_ms: end.pauseMs ?? null,
    message: clean(end.message),
    external_id: clean(end.externalId),
    http_status: end.httpStatus ?? null,
    response: clean(end.response),
    error: clean(end.error),
    duration_ms: end.durationMs,
  }));
  const { rows: written } = await client.query<{ id: string }>({
    name: 'delivery-finish',
    text: FINISH,
    values: [JSON.stringify(rows), owner, now ?? null, JSON.stringify(toldOf(ends, listeners))],
  });
  const ours = new Set(written.map((row) => row.id));
  return ends.map((end) => ours.has(end.claim.deliveryId));
}

/** A destination that is told of events, and of which. */
export type Listener = { readonly name: string; readonly events: readonly string[] };

type Rest = Pick<AttemptEnd, 'state' | 'claim'>;

/**
 * The rows that tell of deliveries at rest. A delivery that is itself an event tells nobody: else each would
 * make another, without end.
 */
function toldOf(ends: readonly Rest[], listeners: readonly Listener[]) {
  return ends.flatMap(({ claim, state }) => {
    if (claim.event !== null || !isAtRest(state)) return [];
    const { deliveryId: delivery_id, destination, attempt, revision } = claim;
    const event = deliveryEnd({
      ...{ delivery_id, destination, attempt, revision, state },
      // The other side's id may be that of an earlier attempt: the statement puts it in.
      external_id: null,
    });
    return listeners
      .filter(({ events }) => events.includes(event.type))
      .map(({ name }) => ({
        ...{ id: uuid(), delivery_id, destination: name, key: eventKey(event), event },
      }));
  });
}

const AT_REST = ['delivered', 'rejected', 'dead', 'uncertain'] as const;
function isAtRest(state: DeliveryState): state is (typeof AT_REST)[number] {
  return (AT_REST as readonly DeliveryState[]).includes(state);
}

/**
 * Renews leases of one owner. Only of what it is really sending: a claim of which it never heard, and an
 * attempt of which it could not write the end, have to be taken over.
 */
export async function renewLeases(
  client: Queryable,
  owner: string,
  deliveryIds: readonly string[],
  leaseMs: number,
  now: Date | undefined,
): Promise<void> {
  await client.query({
    name: 'delivery-renew',
    text: `update deliveries
      set due_at = coalesce($4::timestamptz, now()) + $3::int * interval '1 millisecond'
      where id = any($2::uuid[]) and state = 'sending' and lease_owner = $1`,
    values: [owner, deliveryIds, leaseMs, now ?? null],
  });
}

/**
 * Parks the deliveries that a worker left in the middle of a send, to destinations that would not
 * recognise the lead if it came again: a person decides. To be run in a transaction, so that nobody hears
 * of what was not done.
 *
 * @param listeners who is told of it
 * @returns the deliveries that were parked.
 */
export async function parkLostDeliveries(
  client: Queryable,
  notRecognising: readonly string[],
  listeners: readonly Listener[],
  now: Date | undefined,
): Promise<{ deliveryId: string; leadId: string; destination: string }[]> {
  if (notRecognising.length === 0) return [];
  const { rows } = await client.query<Omit<Rest['claim'], 'event'> & { leadId: string }>({
    name: 'delivery-park',
    text: `
      with parked as (
        update deliveries set state = 'uncertain', lease_owner = null, due_at = null,
          may_have_arrived = true, finished_at = coalesce($2::timestamptz, now()),
          last_message = 'The worker stopped during the send: it may have arrived, so it is not sent again'
        where state = 'sending' and due_at <= coalesce($2::timestamptz, now())
          and destination = any($1::text[])
        returning id, lead_id, destination, attempts, revision
      ), lost as (
        update delivery_attempts a set ended_at = coalesce($2::timestamptz, now()), outcome = 'unknown',
          error = '${lostMessage()}'
        from parked where a.delivery_id = parked.id and a.outcome is null
      )
      select id as "deliveryId", lead_id as "leadId", destination, attempts as attempt, revision
      from parked`,
    values: [notRecognising, now ?? null],
  });
  const parked = rows.map((row) => ({
    claim: { ...row, event: null },
    state: 'uncertain' as const,
  }));
  const told = toldOf(parked, listeners);
  if (told.length > 0) {
    await client.query(tell('deliveries', '$1', 'coalesce($2::timestamptz, now())'), [
      JSON.stringify(told),
      now ?? null,
    ]);
  }
  return rows;
}

/** Gives a time to deliveries that a person has set to waiting by hand, or nobody would look at them. */
export async function dateUndated(
  client: Queryable,
  destinations: readonly string[],
  now: Date | undefined,
): Promise<void> {
  await client.query({
    name: 'delivery-date',
    text: `update deliveries set due_at = coalesce($2::timestamptz, now())
      where destination = any($1::text[]) and due_at is null
        and state in ('waiting', 'sending', 'retrying')`,
    values: [destinations, now ?? null],
  });
}

/**
 * Ends every lease, for a process that knows to be the only one on this database: the workers that
 * held them are dead, so there is nothing to wait for.
 */
export async function endAbandonedLeases(client: Queryable): Promise<void> {
  await client.query(`update deliveries set due_at = 'epoch' where state = 'sending'`);
}
