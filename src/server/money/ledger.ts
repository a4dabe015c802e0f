/** The money ledger (docs/specification.md#money-ledger). Rows are only added. */
import { v7 as uuid } from 'uuid';
import type { AdjustmentRequest } from '../../model/messages/console/requests.ts';
import type { EntryKind } from '../../model/messages/money.ts';
import { actionReasons } from '../../model/messages/vocabulary.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refused, usage } from '../platform/operator-error.ts';

/** The ledger has one currency. An amount in another one is refused where it comes in. */
export const CURRENCY = 'USD';

export type NewEntry = {
  /** What the entry is for. A second entry with the same key is not added. */
  readonly key: string;
  readonly kind: EntryKind;
  /** US dollars, at most four decimals. Negative: it costs us. */
  readonly amount: number;
  readonly at: Date;
  /** The visit or lead. */
  readonly leadId: string;
  readonly deliveryId?: string | undefined;
  /** The buyer. */
  readonly destination?: string | undefined;
  readonly source: 'answer' | 'terms' | 'click' | 'rate' | 'import' | 'outcome' | 'operator';
  readonly reason?: string;
  readonly actor: string;
};

/** Adds entries to the ledger. An entry whose key is there is not added. */
export async function addEntries(client: Queryable, entries: readonly NewEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({ id: uuid(), currency: CURRENCY, ...entry }));
  await client.query(
    `insert into money_entries (id, key, kind, amount, currency, at, lead_id, delivery_id, destination, source, reason, actor)
     select id, key, kind, amount, currency, at, "leadId", "deliveryId", destination, source, coalesce(reason, ''), actor
     from jsonb_to_recordset($1::jsonb) as e(id uuid, key text, kind text, amount numeric, currency text, at timestamptz,
       "leadId" uuid, "deliveryId" uuid, destination text, source text, reason text, actor text)
     order by key
     on conflict (key) do nothing`,
    [JSON.stringify(rows)],
  );
}

// Locks the delivery, so that the acceptance of its return waits for the adjustment, and takes it back. A delivery that
// an acceptance has locked is skipped, because the operator has not seen that the sale is gone.
const ADJUST = `
insert into money_entries (id, key, kind, amount, currency, at, lead_id, delivery_id, destination, source, reason, actor)
select gen_random_uuid(), $3, 'adjustment', $4, '${CURRENCY}', now(), leads.id, d.id, destination, 'operator', $5, $6
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
      'The buyer did not get this lead, gives it back just now, or another amount was entered: reload the page.',
    );
  }
}
