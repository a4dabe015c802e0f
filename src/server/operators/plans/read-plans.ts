/** Reads plans, and starts and cancels them. */
import type {
  Plan,
  PlanItem,
  PlanItemsAnswer,
  PlansAnswer,
} from '../../../contract/console/work.ts';
import type { Queryable } from '../../storage/database.ts';
import { wakeJob } from '../../storage/jobs.ts';
import { forgetReasonOfPlan, UNMADE } from '../forget-reasons.ts';
import { OperatorError, refused } from '../operator-error.ts';

/** A row of `plans`. */
export type PlanRow = {
  id: string;
  action: Plan['action'];
  selection: string;
  reason: string;
  actor: string;
  started_by: string | null;
  state: Plan['state'];
  due: number;
  passed_over: number;
  done: number;
  failed: number;
  buyers: Record<string, number>;
  refusals: Record<string, number>;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  problem: string | null;
};

// Without the source: it may search for a person.
const COLUMNS = `id, action, selection, reason, actor, started_by, state, due, passed_over, done, failed, buyers,
  refusals, created_at, started_at, finished_at, problem`;
const MOST_PLANS = 100;
const PAGE_ITEMS = 100;

/** Lists the newest plans. */
export async function listPlans(client: Queryable): Promise<PlansAnswer> {
  const { rows } = await client.query<PlanRow>(
    `select ${COLUMNS} from plans order by created_at desc, id desc limit ${MOST_PLANS}`,
  );
  return { plans: rows.map(planOf) };
}

/** Reads one plan. @throws OperatorError `not_found` */
export async function readPlan(client: Queryable, id: string): Promise<Plan> {
  const { rows } = await client.query<PlanRow>(`select ${COLUMNS} from plans where id = $1`, [id]);
  const [row] = rows;
  if (row === undefined) throw new OperatorError('not_found', 'There is no such plan.');
  const outcomes = await client.query<NonNullable<Plan['outcomes']>[number]>(OUTCOMES, [id]);
  return { ...planOf(row), outcomes: outcomes.rows };
}

// A release queues the deliveries that were held.
const OUTCOMES = `
with done as (select * from plan_items where plan_id = $1 and state = 'done')
select state, count(*)::integer as deliveries from (
  select d.state from done join deliveries d on d.id = done.delivery_id
  union all select d.state from done join deliveries d on d.lead_id = done.lead_id
  where done.delivery_id is null and d.event_key = '' and d.destination = any(done.destinations)
) as queued group by 1 order by 2 desc, 1`;

function planOf(row: PlanRow): Plan {
  const { id, action, selection, reason, actor, state, problem, due, done, failed } = row;
  const passedOver = row.passed_over;
  const largest = (counts: Record<string, number>) =>
    Object.entries(counts)
      .filter(([, number]) => number > 0)
      .sort(([, a], [, b]) => b - a);
  return {
    ...{ id, action, selection, reason, actor, state, problem },
    startedBy: row.started_by,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    counts: { all: due + passedOver + done + failed, due, passedOver, done, failed },
    buyers: largest(row.buyers).map(([destination, deliveries]) => ({ destination, deliveries })),
    refusals: largest(row.refusals).map(([text, items]) => ({ text, items })),
  };
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
 * Lets a plan run. Any process takes it within seconds.
 *
 * @throws OperatorError when it was started or cancelled before.
 */
export async function startPlan(client: Queryable, id: string, operator: string): Promise<Plan> {
  const { rowCount } = await client.query(
    `update plans set state = 'running', started_by = $2, started_at = now(), changed_at = now()
     where id = $1 and state = 'ready'`,
    [id, operator],
  );
  const plan = await readPlan(client, id);
  if (rowCount === 1) {
    await wakeJob(client, 'plans');
    return plan;
  }
  const standing = plan.state === 'making' ? 'its list is still being made' : `it is ${plan.state}`;
  throw refused(`The plan cannot be started: ${standing}.`);
}

/**
 * Ends a plan that has not ended, also while its list is made. What its run has done stays done; the portion in
 * progress is finished first.
 *
 * @throws OperatorError when it has ended already.
 */
export async function cancelPlan(client: Queryable, id: string): Promise<Plan> {
  const { rowCount } = await client.query(
    `update plans set state = 'cancelled', ${UNMADE}, finished_at = now(), changed_at = now(),
       lease_owner = null, lease_until = null
     where id = $1 and state in ('making', 'ready', 'running')`,
    [id],
  );
  if (rowCount === 1) await forgetReasonOfPlan(client, id);
  const plan = await readPlan(client, id);
  if (rowCount === 1) return plan;
  throw refused(`The plan cannot be cancelled: it is ${plan.state}.`);
}
