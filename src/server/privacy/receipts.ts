/** Lists the recipients of a person's data, so that an operator can inform them. */

import type { Queryable } from '../platform/database/database.ts';
import { timeFormatter } from '../platform/time-format.ts';

export type Receipt = {
  readonly lead_id: string;
  /** The name of a destination or of a service: `save_data`, `phone`, `email`, `sms`, … */
  readonly destination: string;
  /** The state of the delivery, such as `delivered`. */
  readonly state: string;
  readonly at: Date;
  /** The id that the recipient gave to the lead. */
  readonly external_id: string | null;
  /** False if the recipient got no more personal data than ids, a US state or a zip code. */
  readonly is_personal: boolean;
};

const RECEIPTS = `
select lead_id, destination, state, external_id, coalesce(finished_at, created_at) as at,
  event_key not like 'delivery.%' and event_key not like 'consent.%'
    or event_key like 'delivery.delivered%' and payload_version is not distinct from 2 as is_personal
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

/** Returns the recipients of the data of leads or visits. */
export async function receiptsOf(client: Queryable, ids: readonly string[]): Promise<Receipt[]> {
  const { rows } = await client.query<Receipt>(RECEIPTS, [ids]);
  return rows;
}

/** Describes the recipients of personal data, one in each line. */
export function receiptLines(receipts: readonly Receipt[], timeZone: string): string[] {
  const clock = timeFormatter(timeZone);
  const personal = receipts.filter(({ is_personal }) => is_personal);
  const line = ({ destination, state, at, lead_id, external_id }: Receipt) => {
    const what =
      state === 'delivered' ? 'got' : state === 'sending' ? 'is being sent' : 'may have got';
    const id = external_id === null ? '' : ` as ${external_id}`;
    const name = destination === 'save_data' ? 'the progress mirror (SAVE_DATA_URL)' : destination;
    return `  ${name} ${what} lead ${lead_id} on ${clock(at).full}${id}`;
  };
  const names = new Set(personal.map(({ destination }) => destination));
  const others = receipts.map(({ destination }) => destination).filter((name) => !names.has(name));
  const lines = personal.map(line);
  if (personal.length > 0) lines.unshift('These received personal data, and have to be told:');
  if (others.length > 0) {
    const all = [...new Set(others)].join(', ');
    lines.push(`These received no personal data, only ids or a zip code: ${all}.`);
  }
  return lines;
}
