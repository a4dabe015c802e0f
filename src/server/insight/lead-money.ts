/** Reads what the lead's page shows about money and buyers. */
import { contactFlow } from '../../model/fields/contact-form.ts';
import type { LeadAnswer, LeadMoneyEntry } from '../../model/messages/console/leads.ts';
import { definitionOf } from '../delivery/destinations/index.ts';
import { readBuyers } from '../delivery/index.ts';
import type { LeadHistory } from '../leads/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import { capitalised, destinationTitle } from './words.ts';

type EntryRow = Omit<LeadMoneyEntry, 'at' | 'buyer'> & {
  readonly at: Date;
  readonly destination: string | null;
  readonly revenue: number;
  readonly cost: number;
  readonly margin: number;
};

/** SQL: the entries of a lead ($1), each with the sums of all, rounded once to cents. */
const ENTRIES = `
select id, kind, amount::float8 as amount, at, destination, source, reason,
  round(coalesce(sum(amount) filter (where is_revenue) over (), 0), 2)::float8 as revenue,
  round(coalesce(-sum(amount) filter (where not is_revenue) over (), 0), 2)::float8 as cost,
  round(sum(amount) over (), 2)::float8 as margin
from money_entries cross join lateral (
  select kind in ('sale', 'return') or kind = 'adjustment' and destination is not null as is_revenue) as of
where lead_id = $1 order by at, created_at, id`;

/** Reads a lead's money, and names its buyers by their terms. */
export async function readLeadMoney(
  client: Queryable,
  { lead, deliveries }: LeadHistory,
): Promise<Pick<LeadAnswer, 'money' | 'notOffered'> & { nameOf: (destination: string) => string }> {
  const [buyers, { rows }] = await Promise.all([
    readBuyers(client),
    client.query<EntryRow>(ENTRIES, [lead.id]),
  ]);
  const kind = lead.flow === contactFlow ? 'contact' : 'survey';
  const nameOf = (destination: string) =>
    buyers.find((buyer) => buyer.destination === destination)?.terms.name ?? '';
  const entries = rows.map(({ at, destination, revenue: _, cost: __, margin: ___, ...row }) => ({
    ...row,
    at: at.toISOString(),
    buyer:
      destination === null ? '' : nameOf(destination) || capitalised(destinationTitle(destination)),
  }));
  const [{ revenue, cost, margin } = { revenue: 0, cost: 0, margin: 0 }] = rows;
  const isOffered = (name: string) => deliveries.some((each) => each.destination === name);
  return {
    nameOf,
    money: rows.length === 0 ? null : { entries, revenue, cost, margin },
    notOffered: buyers
      .filter(({ destination }) => (definitionOf(destination)?.takes ?? 'survey') === kind)
      .filter(({ destination }) => !isOffered(destination))
      .map(({ terms }) => terms.name),
  };
}
