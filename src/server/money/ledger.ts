/** The money ledger (docs/specification.md#money-ledger). Rows are only added. */
import type { AdjustmentRequest } from '../../model/messages/console/requests.ts';
import { actionReasons } from '../../model/messages/vocabulary.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refused, usage } from '../platform/operator-error.ts';

// Locks the delivery, so that an acceptance of its return waits, and takes the adjustment back too. Skips a delivery that
// an acceptance has locked, because the operator has not seen that the sale is gone.
const ADJUST = `
insert into money_entries (id, key, kind, amount, at, lead_id, delivery_id, destination, source, reason, actor)
select gen_random_uuid(), $3, 'adjustment', $4, now(), leads.id, d.id, destination, 'operator', $5, $6
from leads left join (
  select id, lead_id, destination from deliveries
  where id = $2 and event_key = '' and state = 'delivered' for no key update skip locked
) as d on d.lead_id = leads.id
where leads.id = $1 and not is_test and ($2::uuid is null or d.id is not null)
on conflict (key) do nothing`;

/**
 * Adjusts what a lead brought by a delivery, or, without a delivery, what it cost. The same request
 * again changes nothing. @throws OperatorError if it cannot be entered
 */
export async function adjust(
  client: Queryable,
  leadId: string,
  { key, deliveryId, amount, reason, actor }: AdjustmentRequest & { readonly actor: string },
): Promise<void> {
  const cents = Math.round(100 * amount);
  if (cents === 0) throw usage('Enter an amount of at least one cent.');
  const listed = actionReasons.adjust.find((each) => each === reason) ?? 'other';
  const entry = [leadId, deliveryId, `adjustment ${key}`, cents / 100];
  await client.query(ADJUST, [...entry, listed, actor]);
  const made = `select 1 from money_entries
    where lead_id = $1 and delivery_id is not distinct from $2 and key = $3 and amount = $4`;
  if ((await client.query(made, entry)).rowCount === 0) {
    throw refused(
      'The buyer did not get this lead, its return is being accepted, or another amount was entered: reload the page.',
    );
  }
}
