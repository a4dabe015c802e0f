/** Reads plans, and starts and cancels them. */
import type {
  Plan,
  PlanItem,
  PlanItemsAnswer,
  PlansAnswer,
} from '../../../model/messages/console/work.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { wakeJob } from '../../platform/database/jobs.ts';
import { notFound, refused } from '../../platform/operator-error.ts';
import { isoTime } from '../../platform/time-format.ts';

const MOST_PLANS = 50;
const PAGE_ITEMS = 100;

/** Reads plans with the numbers of their items. */
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
  select coalesce(json_agg(json_build_object('destination', destination, 'deliveries', deliveries)
    order by deliveries desc, destination), '[]') as buyers
  from (select destination, count(*) as deliveries from plan_items i cross join unnest(destinations) as destination
    where plan_id = plans.id and i.state in ('due', 'done') group by destination) as sent
) as sends cross join lateral (
  select coalesce(json_agg(json_build_object('text', text, 'items', items) order by items desc, text), '[]') as refusals
  from (select text, count(*) as items from plan_items i
    where plan_id = plans.id and i.state = 'passed_over' group by text) as refused
) as passed`;

// A release queues the deliveries that were held.
const OUTCOMES = `
with done as (select * from plan_items where plan_id = $1 and state = 'done')
select state, count(*)::integer as deliveries from (
  select d.state from done join deliveries d on d.id = done.delivery_id
  union all select d.state from done join deliveries d on d.lead_id = done.lead_id
  where done.delivery_id is null and d.event_key = '' and d.destination = any(done.destinations)
) as queued group by 1 order by 2 desc, 1`;

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
  const outcomes = await client.query<NonNullable<Plan['outcomes']>[number]>(OUTCOMES, [id]);
  return { ...row, outcomes: outcomes.rows };
}

/** Reads a page of a plan's items, in the order of the run. */
export async function readPlanItems(
  client: Queryable,
  planId: string,
  page: { readonly after?: number | undefined; readonly state?: PlanItem['state'] | undefined },
): Promise<PlanItemsAnswer> {
  const { after = 0, state = null } = page;
  const { rows } = await client.query<PlanItem>(
    `select number, lead_id as "leadId", array_to_string(destinations, ', ') as destination, state, text
     from plan_items where plan_id = $1 and number > $2 and ($3::text is null or state = $3)
     order by number limit ${PAGE_ITEMS + 1}`,
    [planId, after, state],
  );
  const items = rows.slice(0, PAGE_ITEMS);
  const last = rows.length > PAGE_ITEMS ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : String(last.number) };
}

/**
 * Lets a plan run. A process takes it within seconds.
 *
 * @throws OperatorError when it was started or cancelled before.
 */
export async function startPlan(client: Queryable, id: string, operator: string): Promise<Plan> {
  const start = `update plans set state = 'running', started_by = $2, started_at = now(), changed_at = now()
    where id = $1 and state = 'ready'`;
  const { rowCount } = await client.query(start, [id, operator]);
  const plan = await readPlan(client, id);
  if (rowCount !== 1) throw refused(`The plan cannot be started: it is ${plan.state}.`);
  await wakeJob(client, 'plans');
  return plan;
}

/**
 * Ends a plan that has not ended. What its run has done stays done; the portion in progress is finished first.
 *
 * @throws OperatorError when it has ended already.
 */
export async function cancelPlan(client: Queryable, id: string): Promise<Plan> {
  const cancel = `update plans set state = 'cancelled', finished_at = now(), changed_at = now()
    where id = $1 and state in ('ready', 'running')`;
  const { rowCount } = await client.query(cancel, [id]);
  const plan = await readPlan(client, id);
  if (rowCount !== 1) throw refused(`The plan cannot be cancelled: it is ${plan.state}.`);
  return plan;
}
