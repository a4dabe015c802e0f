/** Lists and decides the returns of buyers (docs/specification.md#outcomes-and-returns). */
import type pg from 'pg';
import type {
  ReturnAnswer,
  ReturnDecision,
  ReturnList,
  ReturnListAnswer,
  SourceReturns,
  UnknownOutcome,
  UnknownOutcomesAnswer,
} from '../../model/messages/console/returns.ts';
import type { BuyerTerms } from '../../model/rules/buyer-terms.ts';
import { type EventListener, planLeadEvents } from '../delivery/index.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { notFound, refused } from '../platform/operator-error.ts';
import { addEntries, CURRENCY, type NewEntry } from './ledger.ts';

const DAY_MS = 86_400_000;

/** SQL: true if the lead came from the source $4, or if $4 is null. */
const IS_OF_SOURCE = `($4::text is null or exists (
      select from visit_summaries s where s.lead_id = outcomes.lead_id and s.source = $4))`;

/** SQL: a page of the open returns, oldest first, or of the decided ones, newest first. */
const pageOf: Readonly<Record<ReturnList, string>> = {
  open: `select *, received_at as place_at from outcomes
    where kind = 'returned' and lead_id is not null and decision is null and ${IS_OF_SOURCE}
      and (received_at, id) > (coalesce($1, '-infinity')::timestamptz, $2) order by received_at, id limit $3`,
  decided: `select *, decided_at as place_at from outcomes
    where decision is not null and ${IS_OF_SOURCE}
      and (decided_at, id) < (coalesce($1, 'infinity')::timestamptz, $2) order by decided_at desc, id desc limit $3`,
};

/** SQL: the returns of a page with what the judgement needs. A month is of the buyer's time zone. */
const listOf = (list: ReturnList) => `
with page as (${pageOf[list]}), sold as (
  select page.*, d.finished_at, b.terms, b.terms->>'timeZone' as zone,
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
select sold.id, sold.destination, sold.lead_id as "leadId", sold.reason, sold.finished_at as "deliveredAt",
  case sold.source when 'webhook' then sold.received_at else sold.at end as "returnedAt",
  money.amount, coalesce(s.source, '') as source, coalesce(s.affiliate, '') as affiliate, sold.decision,
  sold.decided_at as "decidedAt", sold.decided_by as "decidedBy", sold.decision_reason as "decisionReason",
  sold.terms, coalesce(leads, 0) as leads, coalesce(back, 0) as back, place_at::text || '~' || sold.id as place
from sold left join months on months.destination = sold.destination and months.month = sold.month
left join visit_summaries s on s.lead_id = sold.lead_id
cross join lateral (
  select coalesce(sum(amount), 0)::float8 as amount from money_entries e
  where e.lead_id = sold.lead_id and e.delivery_id = sold.delivery_id and kind in ('sale', 'adjustment')) as money
order by ${list === 'open' ? 'place_at, sold.id' : 'place_at desc, sold.id desc'}`;

type ReturnRow = Omit<ReturnAnswer<Date>, 'buyer' | 'terms'> & {
  readonly terms: BuyerTerms | null;
  /** The buyer's leads in the month of the delivery, and how many of them were returned. */
  readonly leads: number;
  readonly back: number;
  readonly place: string;
};

/** Returns a page of returns, each compared with the buyer's terms. */
export async function listReturns(
  client: Queryable,
  query: {
    readonly list: ReturnList;
    readonly source?: string | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<ReturnListAnswer<Date>> {
  const { list, source = null, after, limit } = query;
  const [{ rows }, { rows: counted }] = await Promise.all([
    client.query<ReturnRow>(listOf(list), [...placeOf(after), limit + 1, source]),
    client.query<{ open: number }>(
      `select count(*)::int as open from outcomes
       where kind = 'returned' and decision is null and lead_id is not null`,
    ),
  ]);
  const returns = rows.slice(0, limit).map(({ place: _, terms, leads, back, ...row }) => ({
    ...row,
    buyer: terms?.name ?? row.destination,
    terms: terms && judge(terms.returns, row, { leads, back }),
  }));
  return { returns, open: counted[0]?.open ?? 0, next: nextOf(rows, limit) };
}

/** Splits a cursor into its time and id. */
function placeOf(after: string | undefined): [at: string | null, id: string] {
  const end = after?.indexOf('~') ?? -1;
  return after === undefined ? [null, ''] : [after.slice(0, end), after.slice(end + 1)];
}

function nextOf(rows: readonly { readonly place: string }[], limit: number): string | null {
  return rows.length > limit ? (rows[limit - 1]?.place ?? null) : null;
}

function judge(
  terms: BuyerTerms['returns'],
  {
    reason,
    deliveredAt,
    returnedAt,
    decision,
  }: Omit<ReturnRow, 'terms' | 'place' | 'leads' | 'back'>,
  { leads, back }: Pick<ReturnRow, 'leads' | 'back'>,
) {
  const sinceMs = deliveredAt ? returnedAt.getTime() - deliveredAt.getTime() : 0;
  const withThis = decision === 'accepted' ? back : back + 1;
  return {
    isReasonAccepted: terms.reasons.includes(reason),
    days: Math.max(0, Math.floor(sinceMs / DAY_MS)),
    mostDays: terms.days,
    percent: (100 * withThis) / Math.max(leads, withThis),
    mostPercent: terms.mostPercent,
  };
}

const UNKNOWN = `
select id, coalesce(b.terms->>'name', o.destination) as buyer, reference, kind, reason, received_at as "receivedAt",
  received_at::text || '~' || id as place
from outcomes o left join buyers b on b.destination = o.destination
where lead_id is null and (received_at, id) < (coalesce($1, 'infinity')::timestamptz, $2)
order by received_at desc, id desc limit $3`;

/** Returns a page of the messages about leads that their buyer did not get from us, newest first. */
export async function listUnknownOutcomes(
  client: Queryable,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<UnknownOutcomesAnswer<Date>> {
  type Row = UnknownOutcome<Date> & { readonly place: string };
  const { rows } = await client.query<Row>(UNKNOWN, [...placeOf(after), limit + 1]);
  const outcomes = rows.slice(0, limit).map(({ place: _, ...row }) => row);
  return { outcomes, next: nextOf(rows, limit) };
}

const BY_SOURCE = `
with period as (
  select $1::date::timestamp at time zone $3 as begins, ($2::date + 1)::timestamp at time zone $3 as ends
), counts as (
  select value, sum(delivered)::int as delivered from hourly_counts, period
  where dimension = 'source' and survey = '' and hour >= begins and hour < ends group by value
), back as (
  select distinct on (o.delivery_id) o.reason, o.decision, s.source, e.amount
  from period cross join outcomes o join visit_summaries s on s.lead_id = o.lead_id
  left join money_entries e on e.key = 'return ' || o.delivery_id
  where o.kind = 'returned' and o.received_at >= begins and s.began_at >= begins and s.began_at < ends and not s.is_test
  order by o.delivery_id, o.decision = 'accepted' desc nulls last, o.received_at
)
select coalesce(counts.value, 'other') as source, coalesce(max(counts.delivered), 0) as delivered,
  count(back.reason)::int as returned, count(*) filter (where decision = 'accepted')::int as accepted,
  coalesce(-sum(back.amount), 0)::float8 as credited, mode() within group (order by back.reason) as reason
from counts full join back on back.source = counts.value
group by 1 having count(back.reason) > 0 order by returned desc, source`;

/** Returns the sources of the returned leads among the visits of a period (`yyyy-MM-dd`). */
export async function readSourceReturns(
  client: Queryable,
  { from, to, timeZone }: { readonly from: string; readonly to: string; readonly timeZone: string },
): Promise<SourceReturns[]> {
  return (await client.query<SourceReturns>(BY_SOURCE, [from, to, timeZone])).rows;
}

// Locks the returns of all buyers of the lead, so that the last one takes back the payouts.
const OF_LEAD = `
select id, decision, destination, lead_id as "leadId", delivery_id as "deliveryId", reason from outcomes
where kind = 'returned' and lead_id = (select lead_id from outcomes where id = $1 and kind = 'returned')
order by id for update`;

const DECIDE = `
update outcomes set decision = $2, decided_at = now(), decided_by = $3, decision_reason = $4 where id = any($1)`;

/** SQL: what the buyer owes for the delivery $2 of the lead $1. */
const SOLD = `
select coalesce(sum(amount), 0) as amount from money_entries
where lead_id = $1 and delivery_id = $2 and kind in ('sale', 'adjustment')`;

/** SQL: payouts per sale of the lead $1, if no other buyer still has it. */
const PAYOUTS = `
select key, amount from money_entries
where key = any(array['rate source sale ' || $1::uuid, 'rate affiliate sale ' || $1::uuid]) and not exists (
  select from money_entries sale where sale.lead_id = $1 and sale.kind = 'sale' and not exists (
    select from money_entries back where back.key = 'return ' || sale.delivery_id))`;

/**
 * Accepts or refuses a return. An accepted one takes back the sale and its payouts, and plans the
 * event `lead.returned`. @throws OperatorError if there is no such return, or it was decided
 */
export async function decideReturn(
  pool: pg.Pool,
  id: string,
  by: {
    readonly decision: ReturnDecision;
    readonly actor: string;
    readonly reason: string;
    readonly listeners: readonly EventListener[];
  },
): Promise<void> {
  const { decision, actor, listeners } = by;
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{
      id: string;
      decision: ReturnDecision | null;
      destination: string;
      leadId: string;
      deliveryId: string;
      reason: string;
    }>(OF_LEAD, [id]);
    const asked = rows.find((row) => row.id === id);
    if (!asked) throw notFound('There is no such return.');
    const ofDelivery = rows.filter(({ deliveryId }) => deliveryId === asked.deliveryId);
    const isOver = ofDelivery.some((row) => row.decision === 'accepted');
    if (asked.decision || isOver) throw refused('The return was decided already: reload the list.');
    // An accepted return answers every message about the delivery that waits.
    const open = ofDelivery.filter((row) => row.decision === null);
    const ids = decision === 'accepted' ? open.map((row) => row.id) : [id];
    await client.query(DECIDE, [ids, decision, actor, by.reason]);
    if (decision === 'refused') return;
    const { leadId, deliveryId, destination, reason } = asked;
    const { rows: sold } = await client.query<{ amount: string }>(SOLD, [leadId, deliveryId]);
    const value = Number(sold[0]?.amount) || null;
    const about = {
      leadId,
      destination,
      at: new Date(),
      source: 'operator',
      reason,
      actor,
    } as const;
    if (value !== null) {
      const entry = { key: `return ${deliveryId}`, kind: 'return', amount: -value } as const;
      await addEntries(client, [{ ...entry, deliveryId, ...about }]);
    }
    const { rows: payouts } = await client.query<{ key: string; amount: string }>(PAYOUTS, [
      leadId,
    ]);
    const taken = payouts.map(({ key, amount }): NewEntry => {
      return { key: `return ${key}`, kind: 'payout', amount: -Number(amount), ...about };
    });
    if (taken.length > 0) await addEntries(client, taken);
    const type = 'lead.returned' as const;
    const sale = { delivery_id: deliveryId, destination, value, currency: CURRENCY } as const;
    await planLeadEvents(client, [{ leadId, event: { type, ...sale, reason } }], listeners);
  });
}
