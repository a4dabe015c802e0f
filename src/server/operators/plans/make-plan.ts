/** Makes a plan: freezes the exact list of a bulk action, and says what will happen to each item. */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type pg from 'pg';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import type { Plan, PlanRequest } from '../../../contract/console/work.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import type { Schema } from '../../storage/schema.ts';
import { type FilterContext, leadFilterCondition } from '../lead-list/condition.ts';
import { parsePostedFilter, recordedFilter } from '../lead-list/filter.ts';
import { OperatorError, refused } from '../operator-error.ts';
import { bulkActions, type Judged } from './bulk-actions.ts';
import { readPlan } from './read-plans.ts';

/** A plan lists at most this many items. */
export const MOST_ITEMS = 100_000;
/** How many items are judged and stored at once. */
const PORTION = 2_000;
// $2 is a time, or a day of the operators.
const DEAD_OF_DESTINATION = `
select id from deliveries
where destination = $1 and state = 'dead' and finished_at >= case when length($2::text) = 10
  then $2::date::timestamp at time zone $3 else $2::timestamptz end
order by finished_at, id limit $4`;

// The deliveries of the leads themselves, in the leads' order.
const OF_LEADS = `
select d.id from unnest($1::uuid[]) with ordinality as want(lead_id, place)
join deliveries d on d.lead_id = want.lead_id
where d.event is null and ($2::text is null or d.state = $2) and ($3::text is null or d.destination = $3)
order by want.place, d.destination limit $4`;

export type PlanMaker = FilterContext & {
  readonly pool: pg.Pool;
  readonly db: Kysely<Schema>;
};

/** A new plan, before its list is frozen. */
export type NewPlan = {
  readonly id: string;
  /** Who makes it. */
  readonly actor: string;
  readonly request: PlanRequest;
};

/**
 * Freezes the list of a plan. Changes no lead.
 *
 * @throws OperatorError when the selection is malformed, empty, or larger than a plan may be.
 */
export async function makePlan(maker: PlanMaker, plan: NewPlan): Promise<Plan> {
  const { id, actor, request } = plan;
  const { action } = request;
  const reason = request.reason.trim();
  if (reason === '') throw usage('A plan needs a reason.');
  const ids = await select(maker, request);
  if (ids.length === 0) throw refused('There is nothing in this selection.');
  if (ids.length > MOST_ITEMS) {
    throw refused(
      `The selection has more than ${MOST_ITEMS.toLocaleString('en-US')} items: choose a shorter period ` +
        'or a narrower filter, and make several plans.',
    );
  }
  await inTransaction(maker.pool, async (client) => {
    await client.query(
      'insert into plans (id, action, selection, reason, actor) values ($1, $2, $3, $4, $5)',
      [id, action, selectionText(request), reason, actor],
    );
    const tally = newTally();
    for (let at = 0; at < ids.length; at += PORTION) {
      const judged = await bulkActions[action].judge(client, ids.slice(at, at + PORTION));
      await addItems(client, id, action, tally.due + tally.passedOver, judged);
      for (const each of judged) count(tally, each);
    }
    const { due, passedOver, buyers, refusals } = tally;
    await client.query(
      'update plans set due = $2, passed_over = $3, buyers = $4, refusals = $5 where id = $1',
      [id, due, passedOver, JSON.stringify(buyers), JSON.stringify(refusals)],
    );
  });
  return readPlan(maker.pool, id);
}

/** Returns what a request selects, in words and without personal data. @throws OperatorError `usage` */
export function selectionText({ recover, leadIds, filter = {} }: PlanRequest): string {
  if (recover !== undefined) {
    return `Deliveries to ${recover.destination} that were given up since ${recover.since}`;
  }
  if (leadIds !== undefined) {
    return leadIds.length === 1 ? '1 chosen lead' : `${leadIds.length} chosen leads`;
  }
  const parts = Object.entries(recordedFilter(parsePostedFilter(filter))).map(
    ([key, value]) => `${key} ${value}`,
  );
  return parts.length === 0 ? 'All leads' : `Leads with ${parts.join(', ')}`;
}

/** Returns the items of a request: deliveries of a resend, otherwise leads. One more than a plan may have. */
async function select(maker: PlanMaker, request: PlanRequest): Promise<string[]> {
  const { action, recover, leadIds, filter } = request;
  const given = [recover, leadIds, filter].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw usage('A plan selects by a filter, by chosen leads, or by what to recover: give one.');
  }
  if (recover !== undefined) {
    if (action !== 'resend') throw usage('Only a resend can recover what failed.');
    return idsOf(maker.pool, DEAD_OF_DESTINATION, [
      ...[recover.destination, recover.since, maker.timeZone, MOST_ITEMS + 1],
    ]);
  }
  const checked = parsePostedFilter(filter ?? {});
  const leads = leadIds === undefined ? await leadsOf(maker, checked) : [...new Set(leadIds)];
  if (bulkActions[action].of === 'lead' || leads.length > MOST_ITEMS) return leads;
  const { delivery = null, destination = null } = checked;
  return idsOf(maker.pool, OF_LEADS, [leads, delivery, destination, MOST_ITEMS + 1]);
}

async function leadsOf(maker: PlanMaker, filter: LeadFilter): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select lead_id as id from visit_summaries where ${leadFilterCondition(filter, maker)}
    order by received_at, lead_id limit ${MOST_ITEMS + 1}`.execute(maker.db);
  return rows.map(({ id }) => id);
}

async function idsOf(client: Queryable, text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(text, values);
  return rows.map(({ id }) => id);
}

type Tally = {
  due: number;
  passedOver: number;
  buyers: Record<string, number>;
  refusals: Record<string, number>;
};

function newTally(): Tally {
  return { due: 0, passedOver: 0, buyers: {}, refusals: {} };
}

function count(tally: Tally, { refusal, destinations }: Judged): void {
  if (refusal !== undefined) {
    tally.passedOver += 1;
    tally.refusals[refusal] = (tally.refusals[refusal] ?? 0) + 1;
    return;
  }
  tally.due += 1;
  for (const each of destinations) tally.buyers[each] = (tally.buyers[each] ?? 0) + 1;
}

/** Stores items, numbered from `before` + 1. */
async function addItems(
  client: Queryable,
  planId: string,
  action: PlanRequest['action'],
  before: number,
  judged: readonly Judged[],
): Promise<void> {
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

function usage(message: string): OperatorError {
  return new OperatorError('usage', message);
}
