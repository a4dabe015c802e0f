/** Keeps leases alive, and gives a time to deliveries that nobody would look at otherwise. */
import type { Queryable } from './ledger.ts';

/**
 * Renews leases of one owner. Only of what it is really sending: a claim of which it never heard, and an
 * attempt of which it could not write the end, have to be taken over.
 */
export async function renewLeases(
  client: Queryable,
  owner: string,
  deliveryIds: readonly string[],
  leaseMs: number,
  now: Date | undefined,
): Promise<void> {
  await client.query({
    name: 'delivery-renew',
    text: `update deliveries
      set due_at = coalesce($4::timestamptz, now()) + $3::int * interval '1 millisecond'
      where id = any($2::uuid[]) and state = 'sending' and lease_owner = $1`,
    values: [owner, deliveryIds, leaseMs, now ?? null],
  });
}

/** Gives a time to deliveries that a person has set to waiting by hand, or nobody would look at them. */
export async function dateUndated(
  client: Queryable,
  destinations: readonly string[],
  now: Date | undefined,
): Promise<void> {
  await client.query({
    name: 'delivery-date',
    text: `update deliveries set due_at = coalesce($2::timestamptz, now())
      where destination = any($1::text[]) and due_at is null
        and state in ('waiting', 'sending', 'retrying')`,
    values: [destinations, now ?? null],
  });
}

/**
 * Ends every lease, for a process that knows to be the only one on this database: the workers that
 * held them are dead, so there is nothing to wait for.
 */
export async function endAbandonedLeases(client: Queryable): Promise<void> {
  await client.query(`update deliveries set due_at = 'epoch' where state = 'sending'`);
}
