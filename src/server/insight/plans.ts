/** Makes, reads, starts and cancels plans of bulk actions. */
import { v7 as uuid } from 'uuid';
import type { LeadFilter } from '../../model/messages/console/leads.ts';
import type { PlanRequest } from '../../model/messages/console/requests.ts';
import type {
  Plan,
  PlanItem,
  PlanItemsAnswer,
  PlansAnswer,
} from '../../model/messages/console/work.ts';
import { nameOf } from '../delivery/index.ts';
import { addAuditEntry } from '../people/index.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { notFound, refused, usage } from '../platform/operator-error.ts';
import { isoTime, midnight } from '../platform/time-format.ts';
import { bulkActions } from './bulk-actions.ts';
import { type LeadListContext, parseLeadFilter, recordedFilter } from './lead-filter.ts';
import { leadIdsOf } from './lead-list.ts';
import { counted } from './words.ts';

const MOST_ITEMS = 10_000;

const DEAD_OF_DESTINATION = `
select id from deliveries
where destination = $1 and state = 'dead' and finished_at >= case when length($2::text) = 10
    then ${midnight('$2', '$3')} else $2::timestamptz end
order by finished_at, id limit ${MOST_ITEMS + 1}`;

// Selects the deliveries of leads, in the order in which the lead ids are given.
const OF_LEADS = `
select d.id from unnest($1::uuid[]) with ordinality as want(lead_id, place)
join deliveries d on d.lead_id = want.lead_id
where d.event is null and ($2::text is null or d.state = $2) and ($3::text is null or d.destination = $3)
order by want.place, d.destination limit ${MOST_ITEMS + 1}`;

const INSERT_ITEMS = `
insert into plan_items (plan_id, number, lead_id, delivery_id, destinations, was, state, text)
select $1, number, "leadId", case when $2::boolean then id end,
  array(select json_array_elements_text(destinations)), was,
  case when refusal is null then 'due' else 'passed_over' end, coalesce(refusal, means)
from json_to_recordset($3::json) as item(number integer, id uuid, "leadId" uuid, destinations json, was text, refusal text, means text)`;

/** Makes a plan. @throws OperatorError if the plan would have too many items or none */
export async function makePlan(
  list: LeadListContext,
  request: PlanRequest,
  actor: string,
): Promise<Plan> {
  const { action } = request;
  const reason = request.reason.trim();
  const { of, judge } = bulkActions[action];
  const { selection, ids } = await sourceOf(list, request, of);
  if (ids.length > MOST_ITEMS) {
    throw refused(
      `The selection has more than ${MOST_ITEMS.toLocaleString('en-US')} items: choose a shorter period or a ` +
        'narrower filter, and make several plans.',
    );
  }
  return inTransaction(list.pool, async (client) => {
    const judged = await judge(client, ids, list.saleRules);
    if (judged.length === 0) throw refused('There is nothing in this selection.');
    const items = judged.map((each, index) => ({ ...each, number: index + 1 }));
    const id = uuid();
    await client.query(
      `insert into plans (id, action, selection, reason, actor) values ($1, $2, $3, $4, $5)`,
      [id, action, selection, reason, actor],
    );
    await client.query(INSERT_ITEMS, [id, of === 'delivery', JSON.stringify(items)]);
    const entry = { actor, action: 'plan.made', subject: id, reason };
    await addAuditEntry(client, { ...entry, detail: { action, selection } });
    return readPlan(client, id);
  });
}

/** Describes which leads or deliveries a plan selects, and returns their ids. */
async function sourceOf(list: LeadListContext, request: PlanRequest, of: 'delivery' | 'lead') {
  const { action, recover, leadIds, filter } = request;
  if ([recover, leadIds, filter].filter((each) => each !== undefined).length !== 1) {
    throw usage('A plan selects by a filter, by chosen leads, or by what to recover: give one.');
  }
  const query = async (statement: string, values: unknown[]) =>
    (await list.pool.query<{ id: string }>(statement, values)).rows.map(({ id }) => id);
  const idsOf = (leads: readonly string[], { delivery, destination }: LeadFilter) =>
    of === 'lead' || leads.length > MOST_ITEMS
      ? leads
      : query(OF_LEADS, [leads, delivery ?? null, destination ?? null]);
  if (recover !== undefined) {
    if (action !== 'resend') throw usage('Only a resend can recover what failed.');
    const { destination, since } = recover;
    const ids = await query(DEAD_OF_DESTINATION, [destination, since, list.timeZone]);
    return { selection: `Deliveries to ${destination} that were given up since ${since}`, ids };
  }
  if (leadIds !== undefined) {
    const chosen = [...new Set(leadIds.map((id) => id.toLowerCase()))];
    return { selection: counted(chosen.length, 'chosen lead'), ids: await idsOf(chosen, {}) };
  }
  const parsed = parseLeadFilter(filter ?? {});
  const parts = Object.entries(recordedFilter(parsed)).map(([key, value]) => `${key} ${value}`);
  const leads = await leadIdsOf(list, parsed, { direction: 'newer', limit: MOST_ITEMS + 1 });
  const selection = parts.length === 0 ? 'All leads' : `Leads with ${parts.join(', ')}`;
  return { selection, ids: await idsOf(leads, parsed) };
}

const MOST_PLANS = 50;
const PAGE_ITEMS = 100;

/** SQL: reads plans. Counts the items of each plan by their results. */
const PLANS = `
select id, action, selection, reason, actor, started_by as "startedBy", state,
  ${isoTime('created_at')} as "createdAt", ${isoTime('started_at')} as "startedAt",
  ${isoTime('finished_at')} as "finishedAt", counts, buyers, refusals
from plans cross join lateral (
  select json_build_object('all', count(*), 'due', count(*) filter (where i.state = 'due'),
    'passedOver', count(*) filter (where i.state = 'passed_over'),
    'done', count(*) filter (where i.state = 'done'),
    'failed', count(*) filter (where i.state = 'failed')) as counts
  from plan_items i where plan_id = plans.id
) as counted cross join lateral (
  select coalesce(json_agg(json_build_object('destination', ${nameOf('to_')}, 'deliveries', deliveries)
    order by deliveries desc, to_), '[]') as buyers
  from (select to_, count(*) as deliveries from plan_items i cross join unnest(destinations) as to_
    where plan_id = plans.id and i.state in ('due', 'done') group by to_) as sent
) as sends cross join lateral (
  select coalesce(json_agg(json_build_object('text', text, 'items', items) order by items desc, text), '[]') as refusals
  from (select text, count(*) as items from plan_items i
    where plan_id = plans.id and i.state = 'passed_over' group by text) as refused
) as passed`;

/** Lists the newest plans. */
export async function listPlans(client: Queryable): Promise<PlansAnswer> {
  const newest = `${PLANS} order by created_at desc, id desc limit ${MOST_PLANS}`;
  return { plans: (await client.query<Plan>(newest)).rows };
}

/** Reads one plan. @throws OperatorError `not_found` */
export async function readPlan(client: Queryable, id: string): Promise<Plan> {
  const { rows } = await client.query<Plan>(`${PLANS} where id = $1`, [id]);
  const [row] = rows;
  if (row === undefined) throw notFound('There is no such plan.');
  return row;
}

/** Reads a page of a plan's items, in the order in which they run. */
export async function readPlanItems(
  client: Queryable,
  planId: string,
  page: { readonly after?: number | undefined; readonly state?: PlanItem['state'] | undefined },
): Promise<PlanItemsAnswer> {
  const { after = 0, state = null } = page;
  const { rows } = await client.query<PlanItem>(
    `select number, lead_id as "leadId", array_to_string(array(select ${nameOf('to_')} from unnest(destinations) as to_), ', ') as destination, state, text
     from plan_items where plan_id = $1 and number > $2 and ($3::text is null or state = $3)
     order by number limit ${PAGE_ITEMS + 1}`,
    [planId, after, state],
  );
  const items = rows.slice(0, PAGE_ITEMS);
  const last = rows.length > PAGE_ITEMS ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : String(last.number) };
}

/** Starts a plan. @throws OperatorError if the plan was already started or cancelled */
export async function startPlan(client: Queryable, id: string, operator: string): Promise<Plan> {
  const start = `update plans set state = 'running', started_by = $2, started_at = now(), changed_at = now()
    where id = $1 and state = 'ready'`;
  const { rowCount } = await client.query(start, [id, operator]);
  const plan = await readPlan(client, id);
  if (rowCount !== 1) throw refused(`The plan cannot be started: it is ${plan.state}.`);
  return plan;
}

/** Cancels a plan. @throws OperatorError if the plan has ended */
export async function cancelPlan(client: Queryable, id: string): Promise<Plan> {
  const cancel = `update plans set state = 'cancelled', finished_at = now(), changed_at = now()
    where id = $1 and state in ('ready', 'running')`;
  const { rowCount } = await client.query(cancel, [id]);
  const plan = await readPlan(client, id);
  if (rowCount !== 1) throw refused(`The plan cannot be cancelled: it is ${plan.state}.`);
  return plan;
}
