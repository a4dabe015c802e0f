/** Counts the open deliveries in the queue. */
import type { DestinationHealth } from '../base/destination-health.ts';
import type { OpenDeliveries, openStates } from '../base/open-deliveries.ts';
import type { Queryable } from '../storage/database.ts';

/** Counting stops here, which bounds the cost of a read. */
const MOST_COUNTED = 10_000;
// Reads the index by due time, oldest first, so that the limit never cuts off the oldest delivery.
const OPEN = `
select want.destination, counted.state, counted.open, counted.due_seconds
from unnest($1::text[]) as want(destination)
cross join lateral (
  select first.state, count(*)::int as open,
    greatest(extract(epoch from now() - min(first.due_at)), 0)::float8 as due_seconds
  from (
    select state, due_at from deliveries
    where destination = want.destination and state in ('waiting', 'sending', 'retrying')
    order by due_at limit ${MOST_COUNTED}
  ) as first
  group by first.state
) as counted`;

type Row = {
  destination: string;
  state: (typeof openStates)[number];
  open: number;
  due_seconds: number | null;
};

/** Reads the open deliveries from the database once. */
export async function readOpenDeliveries(
  client: Queryable,
  destinations: readonly string[],
  readHealth: () => Promise<readonly DestinationHealth[]> = async () => [],
): Promise<OpenDeliveries> {
  const health = await readHealth();
  const { rows } = await client.query<Row>({
    name: 'monitoring-open',
    text: OPEN,
    values: [destinations],
  });
  return destinations.map((destination) => {
    const own = rows.filter((row) => row.destination === destination);
    const count = (state: Row['state']) => own.find((row) => row.state === state)?.open ?? 0;
    return {
      destination,
      waiting: count('waiting'),
      retrying: count('retrying'),
      sending: count('sending'),
      oldestDueSeconds: Math.max(0, ...own.map((row) => row.due_seconds ?? 0)),
      health: health.find((each) => each.destination === destination),
    };
  });
}
