/** Reads the entries of the ledger about a lead. */
import type { LeadMoney } from '../../model/messages/console/leads.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isoTime } from '../platform/time-format.ts';
import { type BuyerNames, capitalised, destinationTitle } from './words.ts';

/** SQL: the entries of a lead ($1) and their sums, each rounded once to cents. */
const MONEY = `
select json_agg(json_build_object('id', id, 'kind', kind, 'amount', amount, 'at', ${isoTime('at')},
    'buyer', coalesce(destination, ''), 'source', source, 'reason', reason) order by at, created_at, id) as entries,
  round(coalesce(sum(amount) filter (where destination is not null), 0), 2)::float8 as revenue,
  round(coalesce(-sum(amount) filter (where destination is null), 0), 2)::float8 as cost,
  round(sum(amount), 2)::float8 as margin
from money_entries where lead_id = $1 having count(*) > 0`;

/** Reads a lead's money; null if the ledger has no entry about the lead. */
export async function readLeadMoney(
  client: Queryable,
  leadId: string,
  buyerNames: BuyerNames,
): Promise<LeadMoney | null> {
  const { rows } = await client.query<LeadMoney>(MONEY, [leadId]);
  const [money = null] = rows;
  return (
    money && {
      ...money,
      entries: money.entries.map((entry) => ({
        ...entry,
        buyer: entry.buyer && capitalised(destinationTitle(entry.buyer, buyerNames)),
      })),
    }
  );
}
