/** Removes the texts that operators wrote about erased persons (docs/decisions/0067-console.md). */

import { listedReasons } from '../../model/messages/vocabulary.ts';
import type { Queryable } from '../platform/database/database.ts';
import { findPerson, type People, type StoredPersonKey } from './person.ts';

/** The text that replaces a removed reason in the audit log. */
export const REMOVED_REASON = 'removed with the personal data';
/** A plan with more items than this keeps its reason, which then describes no single person. */
export const MOST_ITEMS_OF_PERSONS = 100;

const UNCHANGED = [...listedReasons, REMOVED_REASON, ''];

/** Returns the subject of audit entries about a person: kind and beginning of the person key. */
export const personSubject = ({ kind, key }: StoredPersonKey) => `${kind} ${key.slice(0, 12)}`;

/** Returns the subject of audit entries about a do-not-sell request. */
export const requestSubject = (id: string) => `request ${id}`;

/** Returns the subject of audit entries about the person of a lead. */
export const leadSubject = (id: string) => `lead ${id}`;

/** Returns the subject of audit entries about the person that an operator searched for. */
export async function subjectOf({ pool, personKey }: People, text: string): Promise<string> {
  const { lead, keys } = await findPerson(pool, personKey, text);
  return lead ? leadSubject(lead.id) : keys.slice(0, 1).map(personSubject).join('');
}

// Removes the reasons of small plans, and the same reasons in the events of the plans' leads.
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

const OF_DIFFERENCES = `
update statement_differences set note = $2 where lead_id = any($1::uuid[]) and note <> ''`;

const OF_RETURNS = `
update outcomes set decision_reason = $2 where lead_id = any($1::uuid[]) and decision is not null`;

/** Removes the reasons that operators wrote about leads: in audit log, plans, statements and returns. */
export async function forgetReasonsOfLeads(client: Queryable, leadIds: readonly string[]) {
  const { rows } = await client.query<{ id: string }>(OF_PLANS, [
    leadIds,
    UNCHANGED,
    REMOVED_REASON,
  ]);
  await client.query(OF_DIFFERENCES, [leadIds, REMOVED_REASON]);
  await client.query(OF_RETURNS, [leadIds, REMOVED_REASON]);
  const plans = rows.map(({ id }) => id);
  await forgetReasonsOf(client, [...leadIds, ...leadIds.map(leadSubject), ...plans]);
}

/** Removes the reasons from the audit entries with these subjects. */
export async function forgetReasonsOf(client: Queryable, subjects: readonly string[]) {
  await client.query(
    'update audit_log set reason = $2 where subject = any($1::text[]) and reason <> all($3::text[])',
    [subjects, REMOVED_REASON, UNCHANGED],
  );
}
