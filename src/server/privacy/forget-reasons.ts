/**
 * Removes the words of operators about erased leads and persons. This is the one change that entries of the audit log
 * ever get (docs/decisions/0067-console.md).
 */

import { listedReasons } from '../../model/messages/vocabulary.ts';
import type { Queryable } from '../platform/database/database.ts';
import { findPerson, type People, type StoredPersonKey } from './person.ts';

/** Stands in the log where words were removed. */
export const REMOVED_REASON = 'removed with the personal data';
/** The reason of a plan with more items is their common cause, and names no person. */
export const MOST_ITEMS_OF_PERSONS = 100;

const KEPT = [...listedReasons, REMOVED_REASON, ''];

/** Names a person in the audit log by the start of a key. */
export const personSubject = ({ kind, key }: StoredPersonKey) => `${kind} ${key.slice(0, 12)}`;

/** Names a do-not-sell request in the audit log. */
export const requestSubject = (id: string) => `request ${id}`;

/** Names a lead in the audit log where a person was asked for. Actions on a lead's page name its id alone. */
export const leadSubject = (id: string) => `lead ${id}`;

/** Names a person in the audit log: by the lead's id, or by the start of the person key. */
export async function subjectOf({ pool, personKey }: People, text: string): Promise<string> {
  const { lead, keys } = await findPerson(pool, personKey, text);
  return lead ? leadSubject(lead.id) : keys.slice(0, 1).map(personSubject).join('');
}

// A plan's reason is also in the events of the other leads on its list.
const OF_PLANS = `
with small as (
  select id, reason from plans
  where id in (select plan_id from plan_items where lead_id = any($1::uuid[]))
    and (select count(*) from plan_items where plan_id = plans.id) <= ${MOST_ITEMS_OF_PERSONS}
    and reason <> all($2::text[])
), events as (
  update lead_events set detail = detail - 'reason' from small join plan_items on plan_id = small.id
  where lead_events.lead_id = plan_items.lead_id and detail->>'reason' = small.reason
)
update plans set reason = $3 from small where plans.id = small.id returning plans.id`;

/** Removes the words about leads: of the log's entries on them, and of the small plans that list them. */
export async function forgetReasonsOfLeads(client: Queryable, leadIds: readonly string[]) {
  const { rows } = await client.query<{ id: string }>(OF_PLANS, [leadIds, KEPT, REMOVED_REASON]);
  const plans = rows.map(({ id }) => id);
  await forgetReasonsOf(client, [...leadIds, ...leadIds.map(leadSubject), ...plans]);
}

/** Removes the words of the log's entries on these subjects. Who, when and what stay. */
export async function forgetReasonsOf(client: Queryable, subjects: readonly string[]) {
  await client.query(
    'update audit_log set reason = $2 where subject = any($1::text[]) and reason <> all($3::text[])',
    [subjects, REMOVED_REASON, KEPT],
  );
}
