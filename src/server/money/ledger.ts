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
