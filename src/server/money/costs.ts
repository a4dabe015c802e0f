/** What visits and leads cost: clicks and rates (docs/specification.md#costs). */
import { addDays, calendarDate, formatIso, parseIso } from '../../model/fields/dates.ts';
import type { CostRate, RateRequest } from '../../model/messages/console/costs.ts';
import type { Queryable } from '../platform/database/database.ts';
import { usage } from '../platform/operator-error.ts';
import { midnight } from '../platform/time-format.ts';

export type Charging = {
  /** The click parameter that has the cost of a click in US dollars. Empty: none has. */
  readonly clickCostParam: string;
  readonly timeZone: string;
};

/**
 * SQL: adds the costs of visits ($1) that are not in the ledger. A click that names its cost ($3)
 * needs no rate per click of its source. $2: the operators' time zone.
 */
const CHARGE = `
with visit as (
  select s.lead_id, began_at, received_at, source, affiliate, (began_at at time zone $2::text)::date as day,
    lead_state = 'accepted' and not is_unauthorized as has_lead, sale.at as sold_at, sale.delivery_id,
    case when click.cost ~ '^[0-9]{1,3}([.][0-9]{1,6})?$' then round(click.cost::numeric, 4) else 0 end as click_cost
  from visit_summaries s
  left join lateral (
    select params->>$3::text as cost from clicks where clicks.lead_id = s.lead_id order by created_at, id limit 1
  ) as click on true
  left join lateral (
    select at, delivery_id from money_entries m where m.lead_id = s.lead_id and kind = 'sale'
      and not exists (select 1 from money_entries back where back.key = 'return ' || m.delivery_id)
    order by at, key limit 1
  ) as sale on true
  where s.lead_id = any($1::uuid[]) and not is_test and lead_state is distinct from 'erased'
), due as (
  select 'click ' || lead_id as key, 'cost' as kind, -click_cost as amount, began_at as at, lead_id,
    null::uuid as delivery_id, 'click' as source, '{}'::jsonb as about
  from visit where click_cost > 0
  union all
  select concat_ws(' ', 'rate', dimension, per, lead_id), case per when 'click' then 'cost' else 'payout' end, -rate.amount,
    case per when 'click' then began_at when 'lead' then received_at else sold_at end, lead_id,
    case per when 'sale' then delivery_id end, 'rate', jsonb_build_object('rate', rate.id)
  from visit
  cross join lateral (values ('source', source), ('affiliate', affiliate)) as payee(dimension, value)
  cross join (values ('click'), ('lead'), ('sale')) as happening(per)
  cross join lateral (
    select id, amount from cost_rates r
    where r.dimension = payee.dimension and r.value = payee.value and r.per = happening.per and valid_from <= day
    order by valid_from desc limit 1
  ) as rate
  where rate.amount > 0 and case per when 'click' then dimension = 'affiliate' or click_cost = 0
    when 'lead' then has_lead else sold_at is not null end
)
insert into money_entries (id, key, kind, amount, at, lead_id, delivery_id, source, about, actor)
select gen_random_uuid(), key, kind, amount, at, lead_id, delivery_id, source, about, 'counting'
from due order by key
on conflict (key) do nothing`;

/** Adds what visits cost by their click, and by the rate of their source and affiliate. */
export async function chargeVisits(
  client: Queryable,
  visits: readonly string[],
  { clickCostParam, timeZone }: Charging,
): Promise<void> {
  await client.query(CHARGE, [visits, timeZone, clickCostParam]);
}

/** Returns all rates, the newest first. */
export async function readRates(client: Queryable): Promise<CostRate[]> {
  const { rows } = await client.query<CostRate>(
    `select dimension, value, per, amount::float8 as amount, to_char(valid_from, 'YYYY-MM-DD') as "validFrom", actor
     from cost_rates order by valid_from desc, dimension, value, per`,
  );
  return rows;
}

/** Matches what `plain_word` in migrations/001_schema.sql lets through. */
const WORD = /^(?!.*\d([ ._+-]*\d){6})[a-z0-9]([a-z0-9 ._+-]{0,38}[a-z0-9])?$/;

/** @throws OperatorError `usage` if no visit can have this value, because it is not counted */
export function checkCounted(name: string, value: string): void {
  if ((name === 'affiliate' ? /^\d{1,6}$/ : WORD).test(value)) return;
  const word = 'a word of at most 40 letters and digits, with fewer than 7 digits in a row';
  const rule = name === 'affiliate' ? 'a number of at most 6 digits' : word;
  throw usage(`No visit can have this ${name}: it must be ${rule}.`);
}

/** A rate may begin at most so many days ago, because the visits since then are charged at once. */
const MOST_DAYS_BACK = 31;
const AT_ONCE = 2_000;

/**
 * Stores a rate and charges the visits since its first day that have no such cost yet. Returns the
 * number of those visits. @throws OperatorError if the first day is too early, or no visit can have the value
 */
export async function saveRate(
  client: Queryable,
  rate: RateRequest,
  by: Charging & { readonly actor: string; readonly now: Date },
): Promise<number> {
  const { dimension, value, per, amount, validFrom } = rate;
  const earliest = formatIso(addDays(calendarDate(by.now, by.timeZone), -MOST_DAYS_BACK));
  if (parseIso(validFrom) === undefined || validFrom < earliest) {
    throw usage(`A rate begins on ${earliest} or later. Import earlier costs as days.`);
  }
  const isDirect = dimension === 'source' && value === '';
  if (!isDirect) checkCounted(dimension, value);
  await client.query(
    `insert into cost_rates (id, dimension, value, per, amount, valid_from, actor)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, $6)
     on conflict (dimension, value, per, valid_from)
     do update set amount = excluded.amount, actor = excluded.actor, created_at = now()`,
    [dimension, value, per, amount, validFrom, by.actor],
  );
  const { rows } = await client.query<{ id: string }>(
    `select lead_id as id from visit_summaries
     where began_at >= ${midnight('$1', '$2')} and ${dimension} = $3`,
    [validFrom, by.timeZone, value],
  );
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const visits = rows.slice(at, at + AT_ONCE).map(({ id }) => id);
    await chargeVisits(client, visits, by);
  }
  return rows.length;
}
