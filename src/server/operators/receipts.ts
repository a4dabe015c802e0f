/** Who received what is known of a person, or may have: for the operator to tell them. */
import type { Queryable } from './selection.ts';

export type Receipt = {
  readonly lead_id: string;
  /** A destination, or a service by its name in the log: `save_data`, `phone`, `email`, `sms`, … */
  readonly destination: string;
  /** Not `delivered`: an attempt may have arrived, the other side has not said. */
  readonly state: string;
  readonly at: Date;
  /** The other side's own id. */
  readonly external_id: string | null;
  /** False: it got ids, a state or a zip code, and nothing that says who the person is. */
  readonly is_personal: boolean;
};

// Deliveries that only tell of a delivery have ids in them; the zip look-up got a zip code. What was
// remembered or skipped was not asked of anybody.
const RECEIPTS = `
select lead_id, destination, state, external_id, coalesce(finished_at, created_at) as at,
  event_key not like 'delivery.%' as is_personal
from deliveries
where lead_id = any($1::uuid[]) and (state in ('delivered', 'sending') or may_have_arrived)
union all
select lead_id, 'save_data', 'may_have_arrived', null, mirrored_at, true
from visits where lead_id = any($1::uuid[]) and mirrored_at is not null
union all
select lead_id, service, case when bool_or(outcome = 'answered') then 'delivered' else 'may_have_arrived' end,
  null, max(at), service <> 'zip'
from lead_checks
where lead_id = any($1::uuid[]) and outcome in ('answered', 'failed', 'timed_out')
group by lead_id, service
union all
select lead_id, 'sms', 'delivered', null, max(at), true
from phone_codes where lead_id = any($1::uuid[]) and kind = 'send' and outcome = 'sent'
group by lead_id
order by at, destination`;

/** Finds who received something of leads, or of visits that became none. */
export async function receiptsOf(client: Queryable, ids: readonly string[]): Promise<Receipt[]> {
  const { rows } = await client.query<Receipt>(RECEIPTS, [ids]);
  return rows;
}
