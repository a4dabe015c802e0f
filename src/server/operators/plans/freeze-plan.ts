/**
 * Freezes the list of a plan that is being made, and judges its items. A portion is one transaction, which locks the
 * plan's row first: a killed process leaves no half portion, and the next one goes on behind the last.
 */
import type pg from 'pg';
import type { PlanAction } from '../../../contract/console/work.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import { forgetReasonOfPlan, UNMADE } from '../forget-reasons.ts';
import { briefly, type LeadListContext } from '../lead-list/list.ts';
import { findPlaces, placeText, readPlace } from '../lead-list/places.ts';
import { bulkActions, type Judged } from './bulk-actions.ts';
import type { PlanSource } from './make-plan.ts';
import { PLAN_LEASE_SECONDS } from './run-plan.ts';

/** A plan lists at most this many items. */
const MOST_ITEMS = 100_000;
const TOO_MANY =
  `The selection has more than ${MOST_ITEMS.toLocaleString('en-US')} items: choose a shorter period or a ` +
  'narrower filter, and make several plans.';
const NOTHING = 'There is nothing in this selection.';
/** Why a list could not be made after an error. */
export const BROKEN =
  'The list could not be made: the server’s log says why. A shorter period or a narrower filter may help.';

/** What freezing a list needs of the server. */
export type PlanFreezer = LeadListContext & { readonly pool: pg.Pool };

/** A plan, and the process that has its lease. */
type Leased = { readonly planId: string; readonly owner: string };

type Making = {
  action: PlanAction;
  source: PlanSource;
  frozen_to: string | null;
  /** When the plan was made, in microseconds since 1970. What came later is not on its list. */
  until: string;
  /** The same, but at most the time up to which every lead is counted: later ones may still come into the list. */
  counted_until: string;
};

/** The next leads of a source, or deliveries of `recover`, and the place up to which they go. */
type Portion = {
  readonly ids: readonly string[];
  readonly to: string | null;
  readonly isLast: boolean;
};

const MAKING = `
select action, source, frozen_to, (extract(epoch from created_at) * 1000000)::bigint::text as until,
  (extract(epoch from least(created_at, (select counted_until from counting))) * 1000000)::bigint::text
    as counted_until
from plans where id = $1 and lease_owner = $2 and state = 'making'`;

// $2 is a time, or a day of the operators. $5 is the last delivery of the portion before.
const DEAD_OF_DESTINATION = `
select id, finished_at::text || '~' || id::text as place from deliveries
where destination = $1 and state = 'dead' and finished_at >= case when length($2::text) = 10
    then $2::date::timestamp at time zone $3 else $2::timestamptz end
  and finished_at <= 'epoch'::timestamptz + $4::bigint * interval '1 microsecond'
  and (finished_at, id) > (split_part($5, '~', 1)::timestamptz, split_part($5, '~', 2)::uuid)
order by finished_at, id limit $6`;
const BEFORE_ALL = '-infinity~00000000-0000-0000-0000-000000000000';

// The deliveries of the leads themselves, in the leads' order.
const OF_LEADS = `
select d.id from unnest($1::uuid[]) with ordinality as want(lead_id, place)
join deliveries d on d.lead_id = want.lead_id
where d.event is null and ($2::text is null or d.state = $2) and ($3::text is null or d.destination = $3)
order by want.place, d.destination`;

/**
 * Freezes the next portion of a plan's list: leads that were received until the plan was made and match now.
 *
 * @param given.size how many leads, or deliveries of `recover`
 * @returns `over`: the list is frozen or cannot be, the plan was cancelled, or another process has taken it
 */
export async function freezePortion(
  freezer: PlanFreezer,
  given: Leased & { readonly size: number },
): Promise<'more' | 'over'> {
  const { rows } = await freezer.pool.query<Making>(MAKING, [given.planId, given.owner]);
  const [making] = rows;
  if (making === undefined) return 'over';
  const portion = await nextPortion(freezer, making, given.size);
  return inTransaction(freezer.pool, (client) => addPortion(client, { ...given, making, portion }));
}

/** Ends a plan whose list cannot be made. */
export async function failMaking(
  client: Queryable,
  { planId, owner }: Leased,
  problem: string,
): Promise<void> {
  await client.query(
    `update plans set state = 'failed', problem = $3, ${UNMADE}, finished_at = now(), changed_at = now(),
       lease_owner = null, lease_until = null
     where id = $1 and lease_owner = $2 and state = 'making'`,
    [planId, owner, problem],
  );
  await forgetReasonOfPlan(client, planId);
}

async function nextPortion(freezer: PlanFreezer, making: Making, size: number): Promise<Portion> {
  const { source, frozen_to, until, counted_until } = making;
  if (source.kind === 'leads') {
    const from = Number(frozen_to ?? 0);
    const ids = source.leadIds.slice(from, from + size);
    const to = from + ids.length;
    return { ids, to: String(to), isLast: to >= source.leadIds.length };
  }
  if (source.kind === 'recover') {
    const { rows } = await freezer.pool.query<{ id: string; place: string }>(DEAD_OF_DESTINATION, [
      ...[source.destination, source.since, freezer.timeZone, until],
      ...[frozen_to ?? BEFORE_ALL, size],
    ]);
    const to = rows.at(-1)?.place ?? frozen_to;
    return { ids: rows.map(({ id }) => id), to, isLast: rows.length < size };
  }
  const after = frozen_to === null ? undefined : readPlace(frozen_to);
  const page = { after, direction: 'newer', limit: size } as const;
  const found = await briefly(freezer.db, (database) =>
    findPlaces(database, freezer, source.filter, page),
  );
  const places = found.filter(({ micros }) => BigInt(micros) <= BigInt(counted_until));
  const last = places.at(-1);
  const to = last === undefined ? frozen_to : placeText(last);
  return { ids: places.map(({ leadId }) => leadId), to, isLast: places.length < size };
}

async function addPortion(
  client: Queryable,
  given: Leased & { readonly making: Making; readonly portion: Portion },
): Promise<'more' | 'over'> {
  const { planId, making, portion } = given;
  const tally = await holdPlan(client, given, making.frozen_to);
  if (tally === undefined) return 'over';
  const ids = await itemsOf(client, making, portion.ids);
  const before = tally.due + tally.passed_over;
  const judged = await bulkActions[making.action].judge(client, ids);
  const all = before + judged.length;
  if (all > MOST_ITEMS || (portion.isLast && all === 0)) {
    await failMaking(client, given, all === 0 ? NOTHING : TOO_MANY);
    return 'over';
  }
  await addItems(client, { planId, action: making.action, before }, judged);
  for (const each of judged) count(tally, each);
  const { due, passed_over, buyers, refusals } = tally;
  await client.query(
    `update plans set due = $2, passed_over = $3, buyers = $4, refusals = $5, frozen_to = $6,
       state = case when $7::boolean then 'ready' else state end,
       source = case when $7::boolean and source->>'kind' <> 'leads' then null else source end
     where id = $1`,
    [
      ...[planId, due, passed_over, JSON.stringify(buyers), JSON.stringify(refusals)],
      ...[portion.to, portion.isLast],
    ],
  );
  return portion.isLast ? 'over' : 'more';
}

type Tally = {
  due: number;
  passed_over: number;
  buyers: Record<string, number>;
  refusals: Record<string, number>;
};

/** Locks the plan, unless its list has grown since the portion was read. */
async function holdPlan(
  client: Queryable,
  { planId, owner }: Leased,
  frozenTo: string | null,
): Promise<Tally | undefined> {
  const { rows } = await client.query<Tally>(
    `update plans set lease_until = now() + interval '${PLAN_LEASE_SECONDS} seconds', changed_at = now()
     where id = $1 and lease_owner = $2 and state = 'making' and frozen_to is not distinct from $3
     returning due, passed_over, buyers, refusals`,
    [planId, owner, frozenTo],
  );
  return rows[0];
}

/** Returns the items that stand for a portion: deliveries of a resend, otherwise leads. */
async function itemsOf(
  client: Queryable,
  { action, source }: Making,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (bulkActions[action].of === 'lead' || source.kind === 'recover') return ids;
  const { delivery = null, destination = null } = source.kind === 'filter' ? source.filter : {};
  const { rows } = await client.query<{ id: string }>(OF_LEADS, [ids, delivery, destination]);
  return rows.map(({ id }) => id);
}

function count(tally: Tally, { refusal, destinations }: Judged): void {
  if (refusal !== undefined) {
    tally.passed_over += 1;
    tally.refusals[refusal] = (tally.refusals[refusal] ?? 0) + 1;
    return;
  }
  tally.due += 1;
  for (const each of destinations) tally.buyers[each] = (tally.buyers[each] ?? 0) + 1;
}

/** Stores items, numbered from `before` + 1. */
async function addItems(
  client: Queryable,
  plan: { readonly planId: string; readonly action: PlanAction; readonly before: number },
  judged: readonly Judged[],
): Promise<void> {
  const { planId, action, before } = plan;
  const isDelivery = bulkActions[action].of === 'delivery';
  const items = judged.map(({ id, leadId, destinations, was, refusal, means }, index) => ({
    number: before + index + 1,
    lead_id: leadId,
    delivery_id: isDelivery ? id : null,
    ...{ destinations, was, text: refusal ?? means },
    state: refusal === undefined ? 'due' : 'passed_over',
  }));
  await client.query(
    `insert into plan_items (plan_id, number, lead_id, delivery_id, destinations, was, state, text)
     select $1, number, lead_id, delivery_id, destinations, was, state, text
     from jsonb_to_recordset($2::jsonb) as item(number integer, lead_id uuid, delivery_id uuid,
       destinations text[], was text, state text, text text)`,
    [planId, JSON.stringify(items)],
  );
}
