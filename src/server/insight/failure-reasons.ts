/** Describes failures in our own words, because a destination's message may quote the visitor. */
import type { Period } from '../../model/messages/console/numbers.ts';
import type { DestinationAnswer } from '../../model/messages/console/work.ts';
import type { Queryable } from '../platform/database/database.ts';
import { midnight } from '../platform/time-format.ts';

/** A period of whole days, from the first day to the last. */
export type LocalPeriod = Period & { readonly timeZone: string };

/** The stored facts about a failed delivery. */
export type Failure = {
  readonly outcome: string | null;
  readonly httpStatus: number | null;
  /** The last message about the delivery. */
  readonly message: string | null;
};

/** Matches a code of at most four digits, because a number of five digits could be a zip code. */
const VERDICT = /^(?:ERROR|DUPLICATED)(?: \d{1,4}(?!\d))?/;

const OUTCOMES: Readonly<Record<string, string>> = {
  account: 'it refuses our account',
  duplicate: 'it has the lead already',
  failed: 'it could not be sent',
  retry: 'no connection',
  unknown: 'its answer was lost',
};

/** Returns the reason of a failure, without personal data. */
export function reasonOf({ outcome, httpStatus, message }: Failure): string {
  const verdict = VERDICT.exec(message ?? '')?.[0];
  if (verdict !== undefined) return verdict;
  if (httpStatus !== null && (httpStatus < 200 || httpStatus > 299)) return `HTTP ${httpStatus}`;
  return OUTCOMES[outcome ?? 'unknown'] ?? (outcome ?? '').replaceAll('_', ' ');
}

type Reasons = DestinationAnswer['reasons'];

/** Maximum number of deliveries to read per destination and state. */
const MOST_READ = 300;
const MOST_REASONS = 8;
const MOST_EXAMPLES = 3;

const COLUMNS = 'id, attempts, lead_id, last_message';
/** The final states of failed deliveries. */
const FAILED_STATES = ['rejected', 'dead', 'uncertain'] as const;

/** SQL: selects the newest deliveries in a state. */
const newest = (columns: string, state: (typeof FAILED_STATES)[number], limit: number) => `
  (select ${columns} from deliveries
   where state = '${state}'
     and (destination, state, finished_at) >= (want.destination, '${state}', ${midnight('$2', '$4')})
     and (destination, state, finished_at) < (want.destination, '${state}', ${midnight('$3', '$4', 1)})
   order by destination desc, finished_at desc limit ${limit})`;

// Without `offset 0`, PostgreSQL would join all attempts before it selects the few failures.
const FAILED = `
select want.destination, first.lead_id as "leadId", first.last_message as message,
  a.outcome, a.http_status as "httpStatus"
from unnest($1::text[]) as want(destination)
cross join lateral (
  ${FAILED_STATES.map((state) => newest(COLUMNS, state, MOST_READ)).join(' union all ')}
  union all
  (select ${COLUMNS} from (
     select ${COLUMNS}, state from deliveries
     where destination = want.destination and state in ('waiting', 'sending', 'retrying')
       and not is_unrouted
     order by due_at limit ${MOST_READ}) as open
   where open.state = 'retrying')
) as first
left join lateral (
  select outcome, http_status from delivery_attempts
  where delivery_id = first.id and attempt = first.attempts offset 0
) a on true`;

type FailureRow = Failure & { destination: string; leadId: string };

const MOST_DEAD = 10_000;

const DEAD = `
select want.destination, (select count(*)::int from ${newest('1', 'dead', MOST_DEAD)} as first) as dead
from unnest($1::text[]) as want(destination)`;

/** Counts the dead deliveries of a period by destination. */
export async function countDead(
  client: Queryable,
  destinations: readonly string[],
  { from, to, timeZone }: LocalPeriod,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ destination: string; dead: number }>(DEAD, [
    ...[destinations, from, to, timeZone],
  ]);
  return new Map(rows.map(({ destination, dead }) => [destination, dead]));
}

/** Reads the most frequent failure reasons of each destination. */
export async function readReasons(
  client: Queryable,
  destinations: readonly string[],
  { from, to, timeZone }: LocalPeriod,
): Promise<ReadonlyMap<string, Reasons>> {
  const { rows } = await client.query<FailureRow>(FAILED, [destinations, from, to, timeZone]);
  const groups = Map.groupBy(rows, ({ destination }) => destination);
  return new Map([...groups].map(([destination, own]) => [destination, reasonsOf(own)]));
}

function reasonsOf(failures: readonly FailureRow[]): Reasons {
  return [...Map.groupBy(failures, reasonOf)]
    .map(([text, own]) => ({
      text,
      deliveries: own.length,
      examples: [...new Set(own.map(({ leadId }) => leadId))].slice(0, MOST_EXAMPLES),
    }))
    .sort((a, b) => b.deliveries - a.deliveries)
    .slice(0, MOST_REASONS);
}
