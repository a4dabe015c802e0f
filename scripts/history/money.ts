/** Invents buyers, sales, costs, outcomes and returns for the history. */
import type pg from 'pg';
import { addDays, calendarDate, formatIso } from '../../src/model/fields/dates.ts';
import { returnReasons } from '../../src/model/messages/money.ts';
import type { BuyerTerms, PriceTerm } from '../../src/model/rules/buyer-terms.ts';
import { saveBuyer } from '../../src/server/delivery/index.ts';
import { importCosts, saveRate } from '../../src/server/money/index.ts';
import type { Settings } from '../../src/server/settings/settings.ts';
import { DAYS } from './visits.ts';

const ACTOR = 'dana@claims.example';

type Invented = {
  readonly pool: pg.Pool;
  readonly settings: Settings;
  readonly now: Date;
};

/** Returns a day of the history in the operators' time zone, as `yyyy-MM-dd`. */
function dayOf({ now, settings }: Invented, ago: number): string {
  return formatIso(addDays(calendarDate(now, settings.operatorsTimeZone), -ago));
}

/** Stores the terms of the buyers that the settings have. Call it before the leads are posted. */
export async function inventBuyers(given: Invented): Promise<void> {
  const from = dayOf(given, DAYS + 30);
  const price = (amount: number, more: Partial<PriceTerm> = {}): PriceTerm => {
    return { from, amount, owedAt: 'delivery', ...more };
  };
  const buyers: Readonly<Record<string, Partial<BuyerTerms>>> = {
    ingest: {
      name: 'Harbor Injury Group',
      priority: 2,
      prices: [price(165), price(210, { state: 'NY' })],
    },
    'ingest/smith': {
      name: 'Smith & Sons',
      priority: 1,
      states: ['CA', 'TX', 'FL'],
      caps: [{ per: 'day', leads: 40 }],
      prices: [price(240), price(310.5, { state: 'CA' })],
    },
    'ingest/garza': {
      name: 'Garza Abogados',
      priority: 1,
      states: ['AZ', 'FL', 'TX'],
      caps: [{ per: 'month', money: 60_000 }],
      prices: [price(90), price(1_200, { owedAt: 'signed' })],
    },
  };
  const usual = { isOn: true, weight: 1, sharedBy: 1, states: [], hours: [], caps: [] };
  const returns = { days: 7, mostPercent: 10, reasons: returnReasons.slice(0, 3) };
  for (const { definition } of given.settings.destinations) {
    const terms = buyers[definition.name];
    const whole = { ...usual, timeZone: 'America/Chicago', returns, ...terms };
    if (terms) await saveBuyer(given.pool, definition.name, whole, ACTOR);
  }
}

/** SQL that chooses a buyer for each waiting or rejected lead: one that takes its state, by priority. */
export const CHOOSE = `
with waiting as materialized (
  select d.id, d.lead_id, b.terms, coalesce(f.state, '') as us_state, random() as chance,
    b.terms->'states' = '[]' or b.terms->'states' ? coalesce(f.state, '') as is_inside
  from deliveries d join buyers b on b.destination = d.destination
  join leads l on l.id = d.lead_id
  join lead_revisions r on r.lead_id = l.id and r.revision = l.revision
  cross join lateral json_to_record(outgoing_fields(r)) as f(state text)
  where d.is_unrouted and d.state = 'waiting' or d.end_reason = 'has_buyer'
    and exists (select 1 from deliveries r where r.lead_id = d.lead_id and r.state = 'rejected')
), ranked as (
  select *, is_inside and 1 = row_number() over (
    partition by lead_id order by is_inside desc, (terms->>'priority')::integer, chance) as is_chosen
  from waiting
)
update deliveries d set is_unrouted = false, state = case when is_chosen then 'waiting' else 'passed_over' end,
  chosen_at = case when is_chosen then d.created_at end, due_at = case when is_chosen then d.created_at end,
  finished_at = case when not is_chosen then d.created_at end,
  end_reason = case when is_chosen then null when is_inside then 'has_buyer' else 'outside_states' end,
  price = case when is_chosen then (
    select (p->>'amount')::numeric from jsonb_array_elements(terms->'prices') as p
    where p->>'owedAt' = 'delivery' and coalesce(p->>'state', us_state) = us_state
    order by p ? 'state' desc limit 1) end
from ranked where ranked.id = d.id`;

/** SQL that invents what buyers report. Leads from TikTok are returned most. $1: now, $2: reasons. */
const OUTCOMES = `
with got as materialized (
  select d.id, d.lead_id, d.destination, d.finished_at, random() as luck, random() as pace, random() as mood,
    coalesce(c.params->>'utm_source', '') as source
  from deliveries d left join clicks c on c.lead_id = d.lead_id
  where d.state = 'delivered' and d.chosen_at is not null
), report as (
  select *, case when luck < 0.12 then 'no_contact' else 'contacted' end as kind,
    finished_at + pace * interval '20 hours' as at from got
  union all
  select *, case when luck < 0.3 then 'declined' when luck < 0.5 then 'signed' end, finished_at + (1 + 4 * pace) * interval '1 day'
  from got where luck between 0.2 and 0.5
  union all
  select *, 'returned', finished_at + (1 + 5 * pace) * interval '1 day' from got
  where luck < case source when 'tiktok' then 0.2 when 'facebook' then 0.09 else 0.04 end
)
insert into outcomes (id, destination, reference, lead_id, delivery_id, kind, reason, at, received_at, source,
  decision, decided_at, decided_by, decision_reason)
select concat_ws(' ', destination, kind, id), destination, lead_id, lead_id, id, kind,
  case when kind in ('returned', 'declined') then ($2::text[])[1 + floor(mood * 5)::integer] else '' end,
  at, at, 'webhook', decision, case when decision is not null then at + interval '20 hours' end,
  case when decision is not null then '${ACTOR}' end,
  case decision when 'accepted' then 'within the terms' when 'refused' then 'we reached the person' end
from report cross join lateral (
  select case when kind = 'returned' and at < $1::timestamptz - interval '2 days' then
    case when mood < 0.8 then 'accepted' else 'refused' end end as decision) as decided
where at < $1::timestamptz - interval '1 hour'
on conflict (id) do nothing`;

/** SQL that enters the sales, the sales of signed leads, and the accepted returns. */
const LEDGER = `
with entry as (
  select 'sale ' || id as key, 'sale' as kind, price as amount, finished_at as at, lead_id, id as delivery_id, destination,
    'terms' as source, '' as reason, 'delivery' as actor
  from deliveries where state = 'delivered' and price > 0
  union all
  select 'signed ' || o.delivery_id, 'sale', (p->>'amount')::numeric, o.at, o.lead_id, o.delivery_id, o.destination, 'terms',
    'signed', 'outcomes'
  from outcomes o join buyers b on b.destination = o.destination
  cross join lateral jsonb_array_elements(b.terms->'prices') as p where o.kind = 'signed' and p->>'owedAt' = 'signed'
  union all
  select 'return ' || d.id, 'return', -d.price, o.decided_at, d.lead_id, d.id, d.destination, 'outcome', o.reason, o.decided_by
  from outcomes o join deliveries d on d.id = o.delivery_id where o.kind = 'returned' and o.decision = 'accepted'
)
insert into money_entries (id, key, kind, amount, currency, at, created_at, lead_id, delivery_id, destination, source, reason, actor)
select gen_random_uuid(), key, kind, amount, 'USD', at, at, lead_id, delivery_id, destination, source, reason, actor from entry`;

/** Invents outcomes and the ledger, once the deliveries have ended. `count` counts all visits. */
export async function inventMoney(given: Invented, count: () => Promise<void>): Promise<void> {
  const { pool, settings, now } = given;
  await pool.query(OUTCOMES, [now, returnReasons]);
  await pool.query(LEDGER);
  const { operatorsTimeZone: timeZone, clickCostParam } = settings;
  const by = { timeZone, clickCostParam, actor: ACTOR, now };
  for (const [dimension, value, per, amount] of [
    ['affiliate', '389', 'sale', 45],
    ['affiliate', '212', 'lead', 18],
    ['source', 'tiktok', 'click', 42.5],
  ] as const) {
    await saveRate(pool, { dimension, value, per, amount, validFrom: dayOf(given, DAYS) }, by);
  }
  await count();
  const rows = Array.from({ length: DAYS + 1 }, (_, ago) => {
    const facebook = (650 + 300 * Math.random()).toFixed(2);
    return `${dayOf(given, ago)},facebook,${facebook}\n${dayOf(given, ago)},newsletter,40.00`;
  });
  const surveys = settings.surveys.map(({ path }) => path);
  await importCosts(pool, ['day,source,cost', ...rows].join('\n'), {
    ...by,
    isDryRun: false,
    surveys,
  });
  await count();
}
