/** Makes a plan: selects its items, judges each, and freezes the list in one transaction. No lead changes. */
import { v7 as uuid } from 'uuid';
import type { LeadFilter } from '../../../model/messages/console/leads.ts';
import type { PlanRequest } from '../../../model/messages/console/requests.ts';
import type { Plan } from '../../../model/messages/console/work.ts';
import { addAuditEntry } from '../../people/index.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { refused, usage } from '../../platform/operator-error.ts';
import { parsePostedFilter, recordedFilter } from '../lead-list/filter.ts';
import { type LeadListContext, leadIdsOf } from '../lead-list/list.ts';
import { bulkActions } from './bulk-actions.ts';
import { readPlan } from './read-plans.ts';

/** A plan lists at most this many items. */
const MOST_ITEMS = 10_000;

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
  list: LeadListContext,
  request: PlanRequest,
  actor: string,
): Promise<Plan> {
  const { action } = request;
  const reason = request.reason.trim();
  if (reason === '') throw usage('A plan needs a reason.');
  const { selection, ids: idsOf } = sourceOf(list, request);
  const { of, judge } = bulkActions[action];
  const ids = await idsOf(of);
  if (ids.length > MOST_ITEMS) {
    throw refused(
      `The selection has more than ${MOST_ITEMS.toLocaleString('en-US')} items: choose a shorter period or a ` +
        'narrower filter, and make several plans.',
    );
  }
  return inTransaction(list.pool, async (client) => {
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

/** What a plan selects, in words and without personal data, and the ids of its leads or deliveries. */
type Source = {
  readonly selection: string;
  /** Returns the ids, and one more than a plan may have if there are too many. */
  readonly ids: (of: 'delivery' | 'lead') => Promise<readonly string[]>;
};

function sourceOf(list: LeadListContext, request: PlanRequest): Source {
  const { action, recover, leadIds, filter } = request;
  if ([recover, leadIds, filter].filter((each) => each !== undefined).length !== 1) {
    throw usage('A plan selects by a filter, by chosen leads, or by what to recover: give one.');
  }
  const query = async (statement: string, values: unknown[]) =>
    (await list.pool.query<{ id: string }>(statement, values)).rows.map(({ id }) => id);
  const deliveriesOf = (leads: readonly string[], { delivery, destination }: LeadFilter) =>
    query(OF_LEADS, [leads, delivery ?? null, destination ?? null]);
  if (recover !== undefined) {
    if (action !== 'resend') throw usage('Only a resend can recover what failed.');
    const { destination, since } = recover;
    return {
      selection: `Deliveries to ${destination} that were given up since ${since}`,
      ids: () => query(DEAD_OF_DESTINATION, [destination, since, list.timeZone]),
    };
  }
  if (leadIds !== undefined) {
    const chosen = [...new Set(leadIds.map((id) => id.toLowerCase()))];
    return {
      selection: chosen.length === 1 ? '1 chosen lead' : `${chosen.length} chosen leads`,
      ids: async (of) => (of === 'lead' ? chosen : deliveriesOf(chosen, {})),
    };
  }
  const parsed = parsePostedFilter(filter ?? {});
  const parts = Object.entries(recordedFilter(parsed)).map(([key, value]) => `${key} ${value}`);
  return {
    selection: parts.length === 0 ? 'All leads' : `Leads with ${parts.join(', ')}`,
    async ids(of) {
      const found = await leadIdsOf(list, parsed, { direction: 'newer', limit: MOST_ITEMS + 1 });
      return of === 'lead' || found.length > MOST_ITEMS ? found : deliveriesOf(found, parsed);
    },
  };
}
