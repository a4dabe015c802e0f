/** Renews leases, and sets missing due times. */
import type { Queryable } from './ledger.ts';

/**
 * Renews leases of one owner, only for deliveries it is sending. Others must be taken over: claims whose answer
 * was lost, and attempts whose result could not be stored.
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

/** Makes deliveries due that have no due time, because someone changed their state by hand. */
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

/** Ends every lease. Call it only if no other process uses the database, so that all lease holders are dead. */
export async function endAbandonedLeases(client: Queryable): Promise<void> {
  await client.query(`update deliveries set due_at = 'epoch' where state = 'sending'`);
}
