/** Makes a plan: selects its items, judges each, and freezes the list in one transaction. No lead changes. */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import type { PlanRequest } from '../../../contract/console/requests.ts';
import type { Plan } from '../../../contract/console/work.ts';
import { inTransaction } from '../../storage/database.ts';
import { addAuditEntry } from '../access/audit.ts';
import { parsePostedFilter, recordedFilter } from '../lead-list/filter.ts';
import { type LeadListContext, leadIdsOf } from '../lead-list/list.ts';
import { OperatorError, refused } from '../operator-error.ts';
import { bulkActions } from './bulk-actions.ts';
import { readPlan } from './read-plans.ts';

/** A plan lists at most this many items. */
const MOST_ITEMS = 10_000;

/** What making a plan needs of the server. */
export type PlanMaker = LeadListContext & { readonly pool: pg.Pool };

/** What the list of a plan is made from. */
type PlanSource =
  | { readonly kind: 'filter'; readonly filter: LeadFilter }
  | { readonly kind: 'leads'; readonly leadIds: readonly string[] }
  /** `since` is a time, or a day of the operators. */
  | { readonly kind: 'recover'; readonly destination: string; readonly since: string };

// $2 is a time, or a day of the operators.
const DEAD_OF_DESTINATION = `
select id from deliveries
where destination = $1 and state = 'dead' and finished_at >= case when length($2::text) = 10
    then $2::date::timestamp at time zone $3 else $2::timestamptz end
order by finished_at, id limit ${MOST_ITEMS + 1}`;

// The deliveries of the leads themselves, in the leads' order.
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

/**
 * Makes a plan, with its entry of the audit log.
 *
 * @param actor who makes it
 * @throws OperatorError when the request is malformed, or selects nothing or too much
 */
export async function makePlan(
  maker: PlanMaker,
  request: PlanRequest,
  actor: string,
): Promise<Plan> {
  const { action } = request;
  const reason = request.reason.trim();
  if (reason === '') throw usage('A plan needs a reason.');
  const source = sourceOf(request);
  const selection = selectionText(source);
  const { of, judge } = bulkActions[action];
  const ids = await itemsOf(maker, of, source);
  if (ids.length > MOST_ITEMS) {
    throw refused(
      `The selection has more than ${MOST_ITEMS.toLocaleString('en-US')} items: choose a shorter period or a ` +
        'narrower filter, and make several plans.',
    );
  }
  return inTransaction(maker.pool, async (client) => {
    const judged = await judge(client, ids);
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

function sourceOf({ action, recover, leadIds, filter }: PlanRequest): PlanSource {
  const given = [recover, leadIds, filter].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw usage('A plan selects by a filter, by chosen leads, or by what to recover: give one.');
  }
  if (recover !== undefined) {
    if (action !== 'resend') throw usage('Only a resend can recover what failed.');
    return { kind: 'recover', ...recover };
  }
  if (leadIds !== undefined) {
    return { kind: 'leads', leadIds: [...new Set(leadIds.map((id) => id.toLowerCase()))] };
  }
  return { kind: 'filter', filter: parsePostedFilter(filter ?? {}) };
}

/** Returns the ids of the leads or deliveries of a source, and one more if there are too many. */
async function itemsOf(
  maker: PlanMaker,
  of: 'delivery' | 'lead',
  source: PlanSource,
): Promise<string[]> {
  const idsOf = async (statement: string, values: unknown[]) =>
    (await maker.pool.query<{ id: string }>(statement, values)).rows.map(({ id }) => id);
  if (source.kind === 'recover') {
    const { destination, since } = source;
    return idsOf(DEAD_OF_DESTINATION, [destination, since, maker.timeZone]);
  }
  const leadIds =
    source.kind === 'leads'
      ? [...source.leadIds]
      : await leadIdsOf(maker, source.filter, { direction: 'newer', limit: MOST_ITEMS + 1 });
  if (of === 'lead' || leadIds.length > MOST_ITEMS) return leadIds;
  const { delivery = null, destination = null } = source.kind === 'filter' ? source.filter : {};
  return idsOf(OF_LEADS, [leadIds, delivery, destination]);
}

/** Returns what a plan selects, in words and without personal data. */
function selectionText(source: PlanSource): string {
  if (source.kind === 'recover') {
    return `Deliveries to ${source.destination} that were given up since ${source.since}`;
  }
  if (source.kind === 'leads') {
    const { length } = source.leadIds;
    return length === 1 ? '1 chosen lead' : `${length} chosen leads`;
  }
  const parts = Object.entries(recordedFilter(source.filter)).map(
    ([key, value]) => `${key} ${value}`,
  );
  return parts.length === 0 ? 'All leads' : `Leads with ${parts.join(', ')}`;
}

function usage(message: string): OperatorError {
  return new OperatorError('usage', message);
}
