/** Reads what the lead's page shows about money and buyers. */
import { contactFlow } from '../../model/fields/contact-form.ts';
import type { LeadAnswer, LeadMoney } from '../../model/messages/console/leads.ts';
import { definitionOf } from '../delivery/destinations/index.ts';
import { readBuyers } from '../delivery/index.ts';
import type { LeadHistory } from '../leads/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isoTime } from '../platform/time-format.ts';
import { capitalised, destinationTitle } from './words.ts';

/** SQL: the entries of a lead ($1) and their sums, each rounded once to cents. */
const MONEY = `
select json_agg(json_build_object('id', id, 'kind', kind, 'amount', amount, 'at', ${isoTime('at')},
    'buyer', coalesce(destination, ''), 'source', source, 'reason', reason) order by at, created_at, id) as entries,
  round(coalesce(sum(amount) filter (where destination is not null), 0), 2)::float8 as revenue,
  round(coalesce(-sum(amount) filter (where destination is null), 0), 2)::float8 as cost,
  round(sum(amount), 2)::float8 as margin
from money_entries where lead_id = $1 having count(*) > 0`;

/** Reads a lead's money, and names its buyers by their terms. */
export async function readLeadMoney(
  client: Queryable,
  { lead, deliveries }: LeadHistory,
): Promise<Pick<LeadAnswer, 'money' | 'notOffered'> & { nameOf: (destination: string) => string }> {
  const [buyers, { rows }] = await Promise.all([
    readBuyers(client),
    client.query<LeadMoney>(MONEY, [lead.id]),
  ]);
  const kind = lead.flow === contactFlow ? 'contact' : 'survey';
  const nameOf = (destination: string) =>
    buyers.find((buyer) => buyer.destination === destination)?.terms.name ?? '';
  const titleOf = (buyer: string) => nameOf(buyer) || capitalised(destinationTitle(buyer));
  const [money] = rows.map(({ entries, ...sums }) => ({
    ...sums,
    entries: entries.map((entry) => ({ ...entry, buyer: entry.buyer && titleOf(entry.buyer) })),
  }));
  return {
    nameOf,
    money: money ?? null,
    notOffered: buyers
      .filter(({ destination }) => (definitionOf(destination)?.takes ?? 'survey') === kind)
      .filter(({ destination }) => deliveries.every((each) => each.destination !== destination))
      .map(({ terms }) => terms.name),
  };
}
