/** Runs plans of bulk actions. Each transaction processes some items of a plan. */
import type pg from 'pg';
import type { PlanAction } from '../../model/messages/console/work.ts';
import { addAuditEntry } from '../people/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Jobs, Turn } from '../platform/database/jobs.ts';
import { bulkActions, type DueItem, type PlanSettings } from './bulk-actions.ts';
import { readPlan } from './plans.ts';

const JOB = 'plans';
/** The time after which the job searches again for a started plan. */
const LOOK_EVERY_MS = 10_000;
const PORTION = 200;

/** Starts the job that runs plans. Calls `wake` after it planned deliveries. */
export function startPlans(jobs: Jobs, settings: PlanSettings, wake: () => void): void {
  jobs.start({
    name: JOB,
    everyMs: LOOK_EVERY_MS,
    // The job rests between two transactions, so that visitors' requests can use the database.
    restFactor: 1,
    /** Runs some items of the plan that has waited longest. */
    async run(turn) {
      const { rows } = await turn.pool.query<{ id: string }>(
        `select id from plans where state = 'running' order by changed_at limit 1`,
      );
      const [plan] = rows;
      if (plan === undefined) return undefined;
      await runPortion(turn, settings, plan.id);
      wake();
      return 0;
    },
  });
}

/** SQL: the next items of the plan $1; if $3 is not null, only items with these numbers. */
const DUE = `
select number, coalesce(delivery_id, lead_id) as id, was from plan_items
where plan_id = $1 and state = 'due' and ($3::integer[] is null or number = any($3)) order by number limit $2`;

/** Processes the next items of a plan. Returns `over` if the plan has ended. */
export async function runPortion(
  { pool, transaction, doItems }: Pick<Turn, 'pool' | 'transaction' | 'doItems'>,
  settings: PlanSettings,
  planId: string,
  size = PORTION,
): Promise<'more' | 'over'> {
  const { rows: items } = await pool.query<DueItem>(DUE, [planId, size, null]);
  if (items.length === 0) return transaction((client) => endIfDone(client, planId));
  const nameOf = ({ number }: DueItem) => `${planId} ${number}`;
  const { results, poisoned } = await doItems(items, nameOf, (client, some) =>
    runItems(client, planId, some, settings),
  );
  for (const item of poisoned) {
    await transaction(async (client) => {
      await client.query(FAIL_ITEM, [planId, item.number]);
      await client.query('delete from set_aside where job = $1 and item = $2', [JOB, nameOf(item)]);
    });
  }
  return results.includes('over') ? 'over' : 'more';
}

/** SQL: marks the item $2 of the plan $1 as failed. The plan goes on without the item. */
const FAIL_ITEM = `
update plan_items set state = 'failed', text = 'It could not be done: the server’s log says why.'
where plan_id = $1 and number = $2 and state = 'due'`;

type HeldPlan = {
  id: string;
  action: PlanAction;
  reason: string;
  started_by: string;
  /** True if the operator who started the plan has lost the right to run plans. */
  is_orphan: boolean;
};

/** Ends a plan if none of its items is due. */
async function endIfDone(client: Queryable, planId: string): Promise<'over'> {
  const plan = await holdPlan(client, planId);
  if (plan !== undefined) {
    const { done, passedOver: passed_over, failed } = (await readPlan(client, planId)).counts;
    await endPlan(client, plan, 'plan.finished', { done, passed_over, failed });
  }
  return 'over';
}

async function runItems(
  client: pg.PoolClient,
  planId: string,
  some: readonly DueItem[],
  settings: PlanSettings,
): Promise<'more' | 'over'> {
  // Waits at most 5 s for leads that an erasure or the purge has locked.
  await client.query(`set local lock_timeout = '5s'`);
  const plan = await holdPlan(client, planId);
  if (plan === undefined) return 'over';
  const { action, started_by: actor, reason } = plan;
  if (plan.is_orphan) {
    await endPlan(client, plan, 'plan.cancelled', { because: 'no_longer_an_operator' });
    return 'over';
  }
  const numbers = some.map(({ number }) => number);
  const { rows: items } = await client.query<DueItem>(DUE, [planId, some.length, numbers]);
  const results = await bulkActions[action].run(client, items, { actor, reason, settings });
  await client.query(
    `update plan_items i set state = case when refusal is null then 'done' else 'passed_over' end,
       text = coalesce(refusal, $3)
     from json_to_recordset($2::json) as ended(number integer, refusal text)
     where i.plan_id = $1 and i.number = ended.number`,
    [planId, JSON.stringify(results), bulkActions[action].done],
  );
  return 'more';
}

/** Locks a plan. Returns undefined if the plan is not running. */
async function holdPlan(client: Queryable, planId: string): Promise<HeldPlan | undefined> {
  const { rows } = await client.query<HeldPlan>(
    `update plans set changed_at = now() where id = $1 and state = 'running'
     returning id, action, reason, started_by,
       exists (select 1 from operators o where o.email = started_by
         and (o.disabled_at is not null or o.role = 'viewer')) as is_orphan`,
    [planId],
  );
  return rows[0];
}

/** Ends a plan, and adds an entry to the audit log. */
async function endPlan(
  client: Queryable,
  { id, action, started_by: actor }: HeldPlan,
  entry: 'plan.finished' | 'plan.cancelled',
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { done, failed } = detail as { done?: number; failed?: number };
  const ended = failed && !done ? 'failed' : 'done';
  const state = entry === 'plan.cancelled' ? 'cancelled' : ended;
  await client.query('update plans set state = $2, finished_at = now() where id = $1', [id, state]);
  const entered = { action, ...detail };
  await addAuditEntry(client, { actor, action: entry, subject: id, detail: entered });
}
