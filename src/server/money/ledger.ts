/** The money ledger (docs/specification.md#money-ledger). Rows are only added. */
import { v7 as uuid } from 'uuid';
import type { EntryKind } from '../../model/messages/money.ts';
import type { Queryable } from '../platform/database/database.ts';

/** The ledger has one currency. An amount in another one is refused where it comes in. */
export const CURRENCY = 'USD';

export type NewEntry = {
  /** What the entry is for. A second entry with the same key is not added. */
  readonly key: string;
  readonly kind: EntryKind;
  /** US dollars, at most four decimals. Negative: it costs us. */
  readonly amount: number;
  readonly at: Date;
  /** The visit or lead. Undefined: the money belongs to a day. */
  readonly leadId?: string | undefined;
  readonly deliveryId?: string | undefined;
  /** The buyer. */
  readonly destination?: string | undefined;
  readonly about?: Readonly<Record<string, string>>;
  readonly source: 'answer' | 'terms' | 'click' | 'rate' | 'import' | 'outcome' | 'operator';
  readonly reason?: string;
  readonly actor: string;
};

/** Adds entries to the ledger. Returns the keys of the added entries; the others were there. */
export async function addEntries(
  client: Queryable,
  entries: readonly NewEntry[],
): Promise<ReadonlySet<string>> {
  const rows = entries.map((entry) => ({ id: uuid(), currency: CURRENCY, ...entry }));
  const { rows: added } = await client.query<{ key: string }>(
    `insert into money_entries (id, key, kind, amount, currency, at, lead_id, delivery_id, destination, about,
       source, reason, actor)
     select id, key, kind, amount, currency, at, "leadId", "deliveryId", destination, coalesce(about, '{}'),
       source, coalesce(reason, ''), actor
     from jsonb_to_recordset($1::jsonb) as e(id uuid, key text, kind text, amount numeric, currency text,
       at timestamptz, "leadId" uuid, "deliveryId" uuid, destination text, about jsonb, source text, reason text,
       actor text)
     order by key
     on conflict (key) do nothing
     returning key`,
    [JSON.stringify(rows)],
  );
  return new Set(added.map(({ key }) => key));
}

/** Locks the sales of deliveries, so that a sale and the acceptance of its return wait for each other. */
export async function lockSales(client: Queryable, deliveryIds: readonly string[]): Promise<void> {
  const lock = 'select 1 from deliveries where id = any($1::uuid[]) order by id for no key update';
  await client.query(lock, [deliveryIds]);
}
