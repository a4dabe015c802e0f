/** Leases due deliveries, renews leases and begins attempts. */
import { clickIdsOf } from '../../model/fields/click-ids.ts';
import type { IngestAccount } from '../../model/fields/tracking-fields.ts';
import { givesBack, isToBuyer } from '../leads/index.ts';
import { isOnList } from '../platform/database/contact-keys.ts';
import type { Queryable } from '../platform/database/database.ts';
import {
  outgoing,
  type Stored,
  storedColumns,
  wholeRevision,
} from '../platform/database/revisions.ts';
import type { ConnectedDestination, Permission, SendRequest } from './destinations/destination.ts';
import { type DestinationEvent, timed } from './destinations/event.ts';
import { LEASE_MS } from './lease-keeper.ts';
import { statesOf } from './release.ts';
import { isProofOfSale, isRevocation } from './suppress.ts';

/** The message of an attempt with a result that was never stored. */
export const LOST_MESSAGE = 'The worker stopped before it could store the result of the attempt';

/** A destination with the number of deliveries that it may get now. */
export type Want = Permission &
  Omit<ConnectedDestination, 'name' | 'permission' | 'events' | 'appliesTo' | 'prepare'> & {
    destination: string;
    slots: number;
  };

/** A delivery that this worker has leased, with the attempt to make. */
export type LeasedDelivery = SendRequest & {
  destination: string;
  /** The attempt's number, from 1. */
  attempt: number;
  /** The number of attempts since the last resend, including this attempt. */
  attemptInRound: number;
  /** True if an earlier attempt arrived, or may have arrived, at the destination. */
  mayHaveArrived: boolean;
  /** The revision to send, which stays the same for all attempts of a round. */
  revision: number;
};

/** SQL: true if a buyer must not get the lead, so that another one may. */
const IS_GIVEN_BACK = `(is_kept_back and not d.may_have_arrived and judged.state_before <> 'sending'
  and ${isToBuyer('d')})`;

// SQL: leases due deliveries to the destinations in $1 for the owner $2. Checks for holds at every
// attempt, because a newer revision may be held. `any(array(…))` makes the planner expect ten rows,
// so that it does not scan whole tables.
const LEASE_DUE = `
with due as (
  select found.id, want.*
  from jsonb_to_recordset($1::jsonb) as want(destination text, slots integer,
    "recognisesDuplicates" boolean, account text, "usesMappedAccounts" boolean, "payloadVersion" integer,
    "verifiedPayloadVersion" integer, consent text, "stopsAtOptOut" boolean, "isAdPlatform" boolean)
  cross join lateral (
    select id from deliveries
    where destination = want.destination and state in ('waiting', 'sending', 'retrying')
      and not is_unrouted
      and due_at <= now() and (state <> 'sending' or want."recognisesDuplicates")
    order by due_at limit want.slots for update skip locked
  ) as found
), pinned as (
  select d.id, d.state as state_before, d.due_at as was_due_at, coalesce(d.revision, l.revision) as revision,
    coalesce(d.payload_version, case when c.said is not null then due."verifiedPayloadVersion" end,
      due."payloadVersion") as payload_version, v.account as mapped, c.said as verification,
    coalesce(d.account, case when due."usesMappedAccounts" then
      (v.account->>'campaignId') || '/' || (v.account->>'supplierId') end, due.account) as account,
    l.is_test, l.erased_at, due.consent, l.created_at < now() - interval '1 year' as is_over_a_year_old,
    d.event is null and (l.state = 'dismissed' or l.state = 'held' and d.revision is null) as is_held,
    due."stopsAtOptOut" and l.sec_gpc as is_opted_out, due."isAdPlatform" as is_ad_platform,
    case when due."isAdPlatform" and d.event->>'type' = 'lead.returned' then coalesce(sold.state, 'none')
      end as state_of_sale, sold.created_at as sold_at
  from due join deliveries d on d.id = due.id join leads l on l.id = d.lead_id
  left join deliveries sold on due."isAdPlatform" and d.event->>'type' = 'lead.returned'
    and sold.lead_id = d.lead_id and sold.destination = d.destination
    and sold.event_key = 'lead.sold ' || (d.event->>'delivery_id')
  left join visits v on v.lead_id = d.lead_id
  left join lead_checks c on c.lead_id = d.lead_id and c.revision = coalesce(d.revision, l.revision)
    and c.service = 'verification' and c.outcome = 'answered'
  where d.id = any(array(select id from due))
), judged as (
  select pinned.*, ${storedColumns('r')}, r.overrides, case when is_ad_platform then r.decisions end as decisions, case
    when ${isRevocation('d')} then
      case when pinned.erased_at is null and not ${isOnList('d.lead_id')} then 'undone' end
    when pinned.erased_at is not null then 'erased'
    when ${isOnList('d.lead_id')} and not ${isProofOfSale('d')} then 'listed'
    when is_opted_out then 'opted_out'
    when consent <> 'any' and coalesce(${outgoing('r', 'tcpa')}, '') = '' then 'no_consent'
    when consent <> 'any' and pinned.is_over_a_year_old
      and coalesce(r.merged, r.body)->>'health_authorization' = 'yes' then 'no_authorization'
    when state_of_sale not in ('delivered', 'waiting', 'sending', 'retrying', 'held') then 'not_reported'
    end as kept_back, coalesce(state_of_sale <> 'delivered', false) as is_early
  from pinned join deliveries d on d.id = pinned.id
  join lead_revisions r on r.lead_id = d.lead_id and r.revision = pinned.revision
), leased as (
  update deliveries d set may_have_arrived = d.may_have_arrived or judged.state_before = 'sending',
    state = case when is_kept_back then 'suppressed' when is_held then 'held' when is_early then 'waiting'
      else 'sending' end,
    attempts = d.attempts + case when is_stopped then 0 else 1 end,
    lease_owner = case when is_stopped then null else $2 end,
    due_at = case when ${IS_GIVEN_BACK} then now() when is_kept_back or is_held then null when is_early then now() + interval '1 minute'
      else now() + $3::int * interval '1 millisecond' end,
    first_due_at = coalesce(d.first_due_at, case when not is_early then judged.was_due_at end),
    finished_at = case when is_kept_back then now() else d.finished_at end,
    end_reason = judged.kept_back, ${givesBack(IS_GIVEN_BACK)},
    revision = case when not is_stopped then judged.revision
      when is_kept_back or d.may_have_arrived or judged.state_before = 'sending' then d.revision end,
    account = case when is_stopped then d.account else judged.account end,
    payload_version = case when is_stopped then d.payload_version else judged.payload_version end
  from (select *, kept_back is not null as is_kept_back, kept_back is not null or is_held or is_early as is_stopped
    from judged) as judged
  where d.id = judged.id
  returning d.id, d.lead_id, d.destination, d.attempts, d.attempts_before_round, d.may_have_arrived,
    d.event, d.event_key, d.created_at, d.external_id
), lost as (
  update delivery_attempts a set ended_at = now(), outcome = 'unknown',
    error = '${LOST_MESSAGE}'
  from leased where a.delivery_id = leased.id and a.outcome is null
  returning a.delivery_id, a.attempt
), to_log as (
  insert into evidence_pending (ref, number, is_delivery)
  select lost.delivery_id, lost.attempt, true from lost join leased on leased.id = lost.delivery_id
  where leased.event_key = ''
)
select leased.id as "deliveryId", leased.lead_id as "leadId", leased.destination,
  leased.attempts as attempt, leased.attempts - leased.attempts_before_round as "attemptInRound",
  leased.may_have_arrived as "mayHaveArrived", judged.revision, judged.account,
  judged.payload_version as "payloadVersion", judged.fields, judged.merged,
  judged.body, judged.posted, judged.overrides, judged.is_test as "isTest",
  judged.decisions, judged.sold_at as "soldAt", judged.mapped as "mappedAccount", judged.verification, leased.event, leased.created_at as "createdAt",
  case when leased.attempts - leased.attempts_before_round > 1 then leased.external_id end as "externalId"
from leased join judged on judged.id = leased.id
where judged.kept_back is null and not judged.is_held and not judged.is_early`;

type LeasedRow = Omit<LeasedDelivery, 'mappedAccount' | 'verification' | 'event' | 'externalId'> & {
  mappedAccount: IngestAccount | null;
  verification: Record<string, unknown> | null;
  event: DestinationEvent | null;
  createdAt: Date;
  externalId: string | null;
  /** The decisions about the lead, for an ad platform. */
  decisions: readonly unknown[] | null;
  soldAt: Date | null;
};

/** Leases due deliveries for one process. Call `beginAttempts` in the same transaction. */
export async function leaseDue(
  client: Queryable,
  options: { wants: readonly Want[]; owner: string },
): Promise<LeasedDelivery[]> {
  const { wants, owner } = options;
  const { rows } = await client.query<Stored<LeasedRow>>({
    name: 'delivery-lease',
    text: LEASE_DUE,
    values: [JSON.stringify(wants), owner, LEASE_MS],
  });
  return rows.map(wholeRevision).map(({ createdAt, body, merged, decisions, soldAt, ...row }) => ({
    ...row,
    ad: decisions
      ? {
          clickIds: clickIdsOf(merged ?? body),
          states: statesOf(decisions),
          soldAt: soldAt ?? undefined,
        }
      : undefined,
    mappedAccount: row.mappedAccount ?? undefined,
    verification: row.verification ?? undefined,
    externalId: row.externalId ?? undefined,
    event: timed(row.event, createdAt),
  }));
}

const BEGIN = `
insert into delivery_attempts
  (delivery_id, attempt, started_at, sent_sha256, revision, account, payload_version)
select delivery_id, attempt, now(), sent_sha256, revision, account,
  payload_version
from jsonb_to_recordset($1::jsonb) as a(delivery_id uuid, attempt integer, sent_sha256 text,
  revision integer, account text, payload_version integer)`;

/** Stores the attempts that are about to be made, each with the hash of the payload. */
export async function beginAttempts(
  client: Queryable,
  attempts: readonly { leased: LeasedDelivery; sentSha256: string | null }[],
): Promise<void> {
  const rows = attempts.map(({ leased, sentSha256 }) => ({
    delivery_id: leased.deliveryId,
    attempt: leased.attempt,
    sent_sha256: sentSha256,
    revision: leased.revision,
    account: leased.account,
    payload_version: leased.payloadVersion,
  }));
  const values = [JSON.stringify(rows)];
  await client.query({ name: 'delivery-begin', text: BEGIN, values });
}

/** Renews the leases of deliveries that are being sent. */
export async function renewLeases(
  client: Queryable,
  owner: string,
  deliveryIds: readonly string[],
): Promise<void> {
  await client.query({
    name: 'delivery-renew',
    text: `update deliveries
      set due_at = now() + $3::int * interval '1 millisecond'
      where id = any($2::uuid[]) and state = 'sending' and lease_owner = $1`,
    values: [owner, deliveryIds, LEASE_MS],
  });
}
