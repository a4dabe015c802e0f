/** Reads and stores the terms of buyers (docs/specification.md#buyers-of-leads). */
import * as v from 'valibot';
import { RETURN_REASONS } from '../../model/messages/money.ts';
import { type BuyerTerms, buyerTerms } from '../../model/rules/buyer-terms.ts';
import type { Queryable } from '../platform/database/database.ts';
import { usage } from '../platform/operator-error.ts';
import { isBuyer } from './destinations/index.ts';

/** A destination with the terms on which it buys leads. */
export type Buyer = {
  readonly destination: string;
  readonly terms: BuyerTerms;
  readonly changedAt: Date;
  readonly changedBy: string;
};

const checkedTerms = v.pipe(
  buyerTerms,
  v.check(
    ({ returns }) => returns.reasons.every((reason) => Object.hasOwn(RETURN_REASONS, reason)),
    `may accept only these reasons: ${Object.keys(RETURN_REASONS).join(', ')}`,
  ),
);

/** Returns all buyers, sorted by destination. */
export async function readBuyers(client: Queryable): Promise<Buyer[]> {
  const { rows } = await client.query<Buyer>(
    `select destination, terms, changed_at as "changedAt", changed_by as "changedBy" from buyers order by destination`,
  );
  return rows;
}

/** Returns SQL for a buyer's name by its terms, else the destination. */
export const nameOf = (destination: string) =>
  `coalesce((select terms->>'name' from buyers b where b.destination = ${destination}), ${destination})`;

/** Returns the names of all buyers, by destination. */
export async function readBuyerNames(client: Queryable): Promise<ReadonlyMap<string, string>> {
  const buyers = await readBuyers(client);
  return new Map(buyers.map(({ destination, terms }) => [destination, terms.name]));
}

function checkTerms(destination: string, terms: unknown): BuyerTerms {
  if (!isBuyer(destination)) throw usage(`"${destination}" buys no leads.`);
  const read = v.safeParse(checkedTerms, terms);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw usage(
    `The terms of ${destination} are wrong: ${v.getDotPath(issue) ?? 'they'} ${messageOf(issue)}.`,
  );
}

/** SQL: makes all leads due that wait until a buyer opens, because opening times may have changed. */
export const REOPEN = `
update deliveries set due_at = now() where id = any(array(
  select id from deliveries where is_unrouted and state = 'waiting' and due_at > now() and end_reason is not null
  order by id for no key update))`;

/**
 * Stores the terms of a buyer, and returns them as stored. `actor` is the operator's address.
 * @throws OperatorError that names the wrong value of the terms
 */
export async function saveBuyer(
  client: Queryable,
  destination: string,
  terms: unknown,
  actor: string,
): Promise<BuyerTerms> {
  const checked = checkTerms(destination, terms);
  await client.query(
    `insert into buyers (destination, terms, changed_by) values ($1, $2, $3)
     on conflict (destination) do update
       set terms = excluded.terms, changed_at = now(), changed_by = excluded.changed_by`,
    [destination, JSON.stringify(checked), actor],
  );
  await client.query(REOPEN);
  return checked;
}

/** The default messages of valibot begin with "Invalid" and do not help operators. */
function messageOf({ message, received, expected }: v.BaseIssue<unknown>): string {
  if (!message.startsWith('Invalid')) return message;
  return received === 'undefined' ? 'is missing' : `may not be ${received}: expected ${expected}`;
}
