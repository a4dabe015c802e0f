/** Runs plans of bulk actions. Each transaction processes some items of a plan. */
import type pg from 'pg';
import type { PlanAction } from '../../model/messages/console/work.ts';
import { addAuditEntry } from '../people/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import {
  cleanDatabaseError,
  isConnectionError,
  isSerializationError,
} from '../platform/database/database-error.ts';
import { type Jobs, LeaseLostError, type Turn } from '../platform/database/jobs.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import { bulkActions, type DueItem, type PlanSettings } from './bulk-actions.ts';
import { readPlan } from './plans.ts';

/** The time after which the job searches again for a started plan. */
const LOOK_EVERY_MS = 10_000;
const PORTION = 200;

type PlanOptions = { readonly log: Logger; readonly settings: PlanSettings };

/** Starts the job that runs plans. */
export function startPlans(jobs: Jobs, options: PlanOptions & { readonly wake: () => void }): void {
  const { log, settings, wake } = options;
  jobs.start({
    name: 'plans',
    everyMs: LOOK_EVERY_MS,
    // The job rests between two transactions, so that visitors' requests can use the database.
    restFactor: 1,
    /** Runs some items of the plan that has waited longest. */
    async run({ pool, transaction, signal }) {
      const { rows } = await pool.query<{ id: string }>(
        `select id from plans where state = 'running' order by changed_at limit 1`,
      );
      const [plan] = rows;
      if (plan === undefined) return undefined;
      await runPortion({ transaction, signal, log, settings }, plan.id);
      wake();
      return 0;
    },
  });
}

/** Processes the next items of a plan. Returns true if the plan has ended. */
export async function runPortion(
  { transaction, signal, log, settings }: Pick<Turn, 'transaction' | 'signal'> & PlanOptions,
  planId: string,
  size = PORTION,
): Promise<'more' | 'over'> {
  try {
    return await transaction((client) => runItems(client, planId, size, settings));
  } catch (error) {
    if (signal.aborted || isPassing(error)) throw error;
    log.warn({ plan: planId, err: cleanDatabaseError(error) }, 'A portion of a plan failed');
  }
  for (let done = 0; done < size; done += 1) {
    let tried: number | undefined;
    const note = ([item]: readonly DueItem[]) => {
      tried = item?.number;
    };
    try {
      if ((await transaction((client) => runItems(client, planId, 1, settings, note))) === 'over')
        return 'over';
    } catch (error) {
      if (tried === undefined || signal.aborted || isPassing(error)) throw error;
      const item = tried;
      log.error({ plan: planId, item, err: cleanDatabaseError(error) }, 'An item of a plan failed');
      await transaction((client) => failItem(client, planId, item));
    }
  }
  return 'more';
}

/** Returns whether an error is temporary. */
function isPassing(error: unknown): boolean {
  return error instanceof LeaseLostError || isConnectionError(error) || isSerializationError(error);
}

type HeldPlan = {
  id: string;
  action: PlanAction;
  reason: string;
  started_by: string;
  /** True if the operator who started the plan has lost the right to run plans. */
  is_orphan: boolean;
};

async function runItems(
  client: pg.PoolClient,
  planId: string,
  size: number,
  settings: PlanSettings,
  note?: (items: readonly DueItem[]) => void,
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
  const { rows: items } = await client.query<DueItem>(
    `select number, coalesce(delivery_id, lead_id) as id, was from plan_items
     where plan_id = $1 and state = 'due' order by number limit $2`,
    [planId, size],
  );
  note?.(items);
  if (items.length === 0) {
    const { done, passedOver: passed_over, failed } = (await readPlan(client, planId)).counts;
    await endPlan(client, plan, 'plan.finished', { done, passed_over, failed });
    return 'over';
  }
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

async function failItem(client: pg.PoolClient, planId: string, item: number): Promise<void> {
  if ((await holdPlan(client, planId)) === undefined) return;
  await client.query(
    `update plan_items set state = 'failed', text = 'It could not be done: the server’s log says why.'
     where plan_id = $1 and number = $2 and state = 'due'`,
    [planId, item],
  );
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
