/**
 * Runs plans in portions. A portion changes leads and marks its items in one transaction, which locks the plan's row
 * first: two processes never work on the same plan at once, and a killed one leaves no half portion.
 */
import type pg from 'pg';
import type { PlanAction } from '../../../contract/console/work.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import { addAuditEntry } from '../access/audit.ts';
import { bulkActions, type DueItem, type ItemResult } from './bulk-actions.ts';

/** Another process takes a plan over after this time without a portion. */
export const PLAN_LEASE_SECONDS = 20;

const TAKE = `
update plans set lease_owner = $1, lease_until = now() + interval '${PLAN_LEASE_SECONDS} seconds'
where id = (
  select id from plans where state in ('making', 'running') and (lease_owner is null or lease_until <= now())
  order by lease_until nulls first, created_at limit 1 for update skip locked)
returning id, state = 'running' as "isMade"`;

/** Leases a plan that is being made or runs, and that no process works on: the one that has waited longest. */
export async function takePlan(
  client: Queryable,
  owner: string,
): Promise<{ readonly id: string; readonly isMade: boolean } | undefined> {
  const { rows } = await client.query<{ id: string; isMade: boolean }>(TAKE, [owner]);
  return rows[0];
}

/** Gives a lease back. The plan is the last in the line of those that wait. */
export async function leavePlan(client: Queryable, id: string, owner: string): Promise<void> {
  await client.query(
    'update plans set lease_owner = null, lease_until = now() where id = $1 and lease_owner = $2',
    [id, owner],
  );
}

/** The plan, locked by this process's portion. */
type HeldPlan = {
  id: string;
  action: PlanAction;
  reason: string;
  started_by: string;
  buyers: Record<string, number>;
  refusals: Record<string, number>;
  /** Whether the person who started it may no longer run plans. */
  is_orphan: boolean;
};
type Item = DueItem & { destinations: readonly string[] };
type Ended = ItemResult & { destinations: readonly string[]; isFailed?: true };

/**
 * Does the next portion of a plan, or ends the plan if nothing is left.
 *
 * @param size how many items
 * @returns `over`: the plan has ended, was cancelled, or another process has taken it
 */
export function runPortion(
  pool: pg.Pool,
  given: { readonly planId: string; readonly owner: string; readonly size: number },
): Promise<'more' | 'over'> {
  return inTransaction(pool, async (client) => {
    // Leads that an erasure or the purge holds are tried again, not given up.
    await client.query(`set local lock_timeout = '5s'`);
    const plan = await holdPlan(client, given);
    if (plan === undefined) return 'over';
    if (plan.is_orphan) {
      await cancelOrphan(client, plan);
      return 'over';
    }
    const items = await nextItems(client, plan.id, given.size);
    if (items.length === 0) {
      await endPlan(client, plan);
      return 'over';
    }
    const by = { actor: plan.started_by, reason: plan.reason };
    const results = await bulkActions[plan.action].run(client, items, by);
    const byNumber = new Map(items.map(({ number, destinations }) => [number, destinations]));
    await endItems(
      client,
      plan,
      results.map((each) => ({ ...each, destinations: byNumber.get(each.number) ?? [] })),
    );
    return 'more';
  });
}

/** Marks the next item as failed, after an attempt to do it alone has thrown. */
export function failItem(
  pool: pg.Pool,
  given: { readonly planId: string; readonly owner: string },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const plan = await holdPlan(client, given);
    const [item] = plan === undefined ? [] : await nextItems(client, plan.id, 1);
    if (plan === undefined || item === undefined) return;
    const refusal = 'It could not be done: the server’s log says why.';
    await endItems(client, plan, [{ ...item, refusal, isFailed: true }]);
  });
}

async function holdPlan(
  client: Queryable,
  { planId, owner }: { readonly planId: string; readonly owner: string },
): Promise<HeldPlan | undefined> {
  const { rows } = await client.query<HeldPlan>(
    `update plans set lease_until = now() + interval '${PLAN_LEASE_SECONDS} seconds', changed_at = now()
     where id = $1 and lease_owner = $2 and state = 'running'
     returning id, action, reason, started_by, buyers, refusals,
       exists (select 1 from operators o where o.email = started_by
         and (o.disabled_at is not null or o.role = 'viewer')) as is_orphan`,
    [planId, owner],
  );
  return rows[0];
}

async function nextItems(client: Queryable, planId: string, size: number): Promise<Item[]> {
  const { rows } = await client.query<Item>(
    `select number, coalesce(delivery_id, lead_id) as id, was, destinations from plan_items
     where plan_id = $1 and state = 'due' order by number limit $2`,
    [planId, size],
  );
  return rows;
}

/** Stores what happened to the items of a portion. */
async function endItems(
  client: Queryable,
  plan: HeldPlan,
  results: readonly Ended[],
): Promise<void> {
  const { buyers, refusals } = plan;
  const items = results.map(({ number, refusal, isFailed }) => ({
    number,
    state: isFailed ? 'failed' : refusal === undefined ? 'done' : 'passed_over',
    text: refusal ?? bulkActions[plan.action].done,
  }));
  for (const { refusal, destinations, isFailed } of results) {
    if (refusal === undefined) continue;
    if (!isFailed) refusals[refusal] = (refusals[refusal] ?? 0) + 1;
    for (const each of destinations) buyers[each] = (buyers[each] ?? 0) - 1;
  }
  await client.query(
    `update plan_items i set state = ended.state, text = ended.text
     from jsonb_to_recordset($2::jsonb) as ended(number integer, state text, text text)
     where i.plan_id = $1 and i.number = ended.number`,
    [plan.id, JSON.stringify(items)],
  );
  const number = (state: string) => items.filter((item) => item.state === state).length;
  await client.query(
    `update plans set due = due - $2, done = done + $3, passed_over = passed_over + $4,
       failed = failed + $5, buyers = $6, refusals = $7 where id = $1`,
    [
      ...[plan.id, items.length, number('done'), number('passed_over'), number('failed')],
      ...[JSON.stringify(buyers), JSON.stringify(refusals)],
    ],
  );
}

/** Cancels a plan in the name of the person who lost the right to run it. What is done stays done. */
async function cancelOrphan(
  client: Queryable,
  { id, action, started_by }: HeldPlan,
): Promise<void> {
  await client.query(
    `update plans set state = 'cancelled', finished_at = now(), lease_owner = null, lease_until = null
     where id = $1`,
    [id],
  );
  await addAuditEntry(client, {
    ...{ actor: started_by, action: 'plan.cancelled', subject: id },
    detail: { action, because: 'no_longer_an_operator' },
  });
}

async function endPlan(client: Queryable, plan: HeldPlan): Promise<void> {
  const { rows } = await client.query<{ done: number; passed_over: number; failed: number }>(
    `update plans set state = case when failed > 0 and done = 0 then 'failed' else 'done' end,
       finished_at = now(), lease_owner = null, lease_until = null
     where id = $1 returning done, passed_over, failed`,
    [plan.id],
  );
  await addAuditEntry(client, {
    ...{ actor: plan.started_by, action: 'plan.finished', subject: plan.id },
    detail: { action: plan.action, ...rows[0] },
  });
}
