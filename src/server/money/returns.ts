/** Lists and decides the returns of buyers (docs/specification.md#outcomes-and-returns). */
import type pg from 'pg';
import type {
  OutcomeAnswer,
  OutcomeList,
  OutcomeListAnswer,
  ReturnDecision,
} from '../../model/messages/console/returns.ts';
import { buysLeads } from '../delivery/destinations/index.ts';
import { type EventListener, planLeadEvents } from '../delivery/index.ts';
import { isReturned } from '../leads/index.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { notFound, refused } from '../platform/operator-error.ts';

/** SQL: the time and the id with which the previous page ended. */
const PLACE = `(split_part($1, '~', 1)::timestamptz, substr($1, strpos($1, '~') + 1))`;

/** SQL: a page of outcomes. Open returns begin with the oldest, the other lists with the newest. */
const pageOf: Readonly<Record<OutcomeList, string>> = {
  open: `select *, received_at as place_at from outcomes
    where kind = 'returned' and lead_id is not null and decision is null and (received_at, id) > ${PLACE}
    order by received_at, id limit $2`,
  decided: `select *, decided_at as place_at from outcomes
    where decision is not null and (decided_at, id) < ${PLACE} order by decided_at desc, id desc limit $2`,
  unknown: `select *, received_at as place_at from outcomes
    where lead_id is null and (received_at, id) < ${PLACE} order by received_at desc, id desc limit $2`,
};

/** SQL: the outcomes of a page, compared with the buyer's terms. A month is of the buyer's time zone. */
const listOf = (list: OutcomeList) => `
with page as (${pageOf[list]}), sold as (
  select page.*, d.finished_at, b.terms, b.terms->>'timeZone' as zone,
    case page.source when 'webhook' then received_at else page.at end as reported_at,
    date_trunc('month', d.chosen_at at time zone (b.terms->>'timeZone')) as month
  from page left join deliveries d on d.id = page.delivery_id
  left join buyers b on b.destination = page.destination
), months as (
  select m.destination, m.month, leads.count as leads, back.count as back
  from (
    select distinct destination, month, month at time zone zone as begins,
      (month + interval '1 month') at time zone zone as ends
    from sold where month is not null) as m
  cross join lateral (
    select count(*)::int from deliveries d where d.destination = m.destination and d.state = 'delivered'
      and d.event_key = '' and d.chosen_at >= begins and d.chosen_at < ends) as leads
  cross join lateral (
    select count(distinct d.id)::int from outcomes o join deliveries d on d.id = o.delivery_id
    where o.destination = m.destination and o.decision = 'accepted' and o.received_at >= begins
      and d.chosen_at >= begins and d.chosen_at < ends) as back
)
select sold.id, coalesce(sold.terms->>'name', sold.destination) as buyer, coalesce(sold.lead_id::text, '') as "leadId",
  reference, kind, sold.reason, reported_at as "reportedAt", money.amount, coalesce(s.source, '') as source,
  coalesce(s.affiliate, '') as affiliate, decision, decided_by as "decidedBy", decision_reason as "decisionReason",
  case when sold.lead_id is not null and sold.terms is not null then jsonb_build_object(
    'isReasonAccepted', terms#>'{returns,reasons}' ? sold.reason,
    'days', greatest(0, floor(extract(epoch from reported_at - finished_at) / 86400)),
    'mostDays', terms#>'{returns,days}',
    'percent', round(100.0 * with_this / greatest(leads, with_this, 1), 2),
    'mostPercent', terms#>'{returns,mostPercent}') end as terms,
  place_at::text || '~' || sold.id as place
from sold left join months on months.destination = sold.destination and months.month = sold.month
left join visit_summaries s on s.lead_id = sold.lead_id
cross join lateral (select coalesce(back, 0) + (decision is distinct from 'accepted')::int as with_this) as counted
cross join lateral (
  select coalesce(sum(amount), 0)::float8 as amount from money_entries e
  where e.lead_id = sold.lead_id and e.delivery_id = sold.delivery_id and e.kind in ('sale', 'adjustment')) as money
order by ${list === 'open' ? 'place_at, sold.id' : 'place_at desc, sold.id desc'}`;

/** Returns a page of outcomes. */
export async function listOutcomes(
  client: Queryable,
  list: OutcomeList,
  page: { readonly after?: string; readonly limit: number },
): Promise<OutcomeListAnswer<Date>> {
  const { limit, after = list === 'open' ? '-infinity~' : 'infinity~' } = page;
  const values = [after, limit + 1];
  const { rows } = await client.query<OutcomeAnswer<Date> & { place: string }>(
    listOf(list),
    values,
  );
  const next = rows.length > limit ? (rows[limit - 1]?.place ?? null) : null;
  const outcomes = rows.slice(0, limit).map(({ place: _, ...row }) => row);
  return { outcomes, next };
}

// Locks the returns of all buyers of the lead, so that only the last accepted return takes back the payouts.
const OF_LEAD = `
select id, decision, destination, delivery_id as "deliveryId", reason from outcomes
where kind = 'returned' and lead_id = $1
order by id for update`;

// An accepted return also decides the other waiting returns of the same delivery.
const DECIDE = `
update outcomes set decision = $2, decided_at = now(), decided_by = $3, decision_reason = $4
where kind = 'returned' and lead_id = $5 and decision is null and (id = $1 or $2 = 'accepted' and delivery_id = $6)`;

/** SQL: true if a buyer other than that of the delivery $2 keeps the lead $1. */
const IS_KEPT = `
select exists (select from deliveries d where lead_id = $1 and d.id <> $2 and event_key = '' and state = 'delivered'
  and ${buysLeads('destination')} and not ${isReturned('d')}) as "isKept"`;

/**
 * SQL: takes back the sales of the delivery $2 of the lead $1, and, unless another buyer keeps the lead ($6),
 * the payouts per sale. $3 to $5: buyer, reason and operator. Returns what the sales had brought.
 */
const TAKE_BACK = `
insert into money_entries (id, key, kind, amount, at, lead_id, delivery_id, destination, source, reason, actor)
select gen_random_uuid(), key, kind, amount, now(), $1, delivery_id, destination, 'operator', $4, $5 from (
  select 'return ' || $2 as key, 'return' as kind, -sum(amount) as amount, $2::uuid as delivery_id, $3 as destination
  from money_entries where lead_id = $1 and delivery_id = $2::uuid and kind in ('sale', 'adjustment')
  having sum(amount) <> 0
  union all
  select 'return ' || key, 'payout', -amount, null, null from money_entries
  where key in ('rate source sale ' || $1::uuid, 'rate affiliate sale ' || $1::uuid) and not $6
) as back
on conflict (key) do nothing
returning kind, -amount::float8 as value`;

/**
 * Accepts or refuses a return. An accepted one takes back the sale and its payouts, and plans the
 * event `lead.returned`. @throws OperatorError if there is no such return, or it was decided
 */
export async function decideReturn(
  pool: pg.Pool,
  by: ReturnDecision & { readonly actor: string; readonly listeners: readonly EventListener[] },
): Promise<void> {
  const { id, leadId, decision, actor, listeners } = by;
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<
      Record<'id' | 'decision' | 'destination' | 'deliveryId' | 'reason', string>
    >(OF_LEAD, [leadId]);
    const asked = rows.find((row) => row.id === id);
    if (!asked) throw notFound('There is no such return.');
    if (asked.decision) throw refused('The return was decided already: reload the list.');
    const { deliveryId, destination, reason } = asked;
    await client.query(DECIDE, [id, decision, actor, by.reason, leadId, deliveryId]);
    if (decision === 'refused') return;
    // Sales and payouts that are being added now are taken back, too.
    await client.query('select 1 from deliveries where id = $1 for no key update', [deliveryId]);
    await client.query('select 1 from counting where id = 1 for update');
    const { rows: others } = await client.query<{ isKept: boolean }>(IS_KEPT, [leadId, deliveryId]);
    const is_kept = others[0]?.isKept;
    const values = [leadId, deliveryId, destination, reason, actor, is_kept];
    const { rows: back } = await client.query<{ kind: string; value: number }>(TAKE_BACK, values);
    const value = back.find(({ kind }) => kind === 'return')?.value ?? null;
    const about = { delivery_id: deliveryId, destination, value, reason, is_kept } as const;
    const event = { type: 'lead.returned', currency: 'USD', ...about } as const;
    await planLeadEvents(client, [{ leadId, event }], listeners);
  });
}
