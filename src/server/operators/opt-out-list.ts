/** Lists do-not-sell requests for the console, without the persons who made them. */
import { calendarDate, formatIso } from '../../domain/dates.ts';
import type { Queryable } from '../storage/database.ts';
import { OperatorError } from './operator-error.ts';
import { referenceOf } from './opt-out.ts';
import { businessDaysUntil, optOutDueBy } from './opt-out-deadline.ts';
import type { RequestOutcome, RequestSelection } from './opt-out-review.ts';
import type { Receipt } from './receipts.ts';

type OptOut = {
  readonly id: string;
  readonly reference: string;
  readonly receivedAt: Date;
  /** The law's last day, `YYYY-MM-DD`, and the business days until it. */
  readonly dueBy: string;
  readonly daysLeft: number;
  readonly outcome: RequestOutcome;
  readonly usState: string;
  readonly hasSignal: boolean;
  readonly leads: number;
  readonly stopped: number;
  readonly receipts: readonly Receipt[];
  readonly ofSameSender: number;
};
type Row = Omit<OptOut, 'reference' | 'dueBy' | 'daysLeft'> & { place: string };

/** Requests of a flood come within a day of each other. */
const FLOOD = `interval '1 day'`;

const LIST = `
select id, received_at as "receivedAt", outcome, state as "usState", sec_gpc as "hasSignal", leads, stopped,
  receipts, received_at::text || '~' || id::text as place,
  (select count(*)::int from (select 1 from opt_out_requests s
     where s.address_key = r.address_key
       and s.received_at between r.received_at - ${FLOOD} and r.received_at + ${FLOOD}
     limit 1000) as others) as "ofSameSender"
from opt_out_requests r
where (received_at, id) < (split_part($1, '~', 1)::timestamptz, split_part($1, '~', 2)::uuid)
  and ($2::text is null or outcome = $2)
order by received_at desc, id desc limit $3`;
const LAST_PLACE = 'infinity~ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Lists requests, newest first. `after` is the `next` of the page before. */
export async function listOptOuts(
  client: Queryable,
  page: {
    readonly outcome?: string | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  },
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): Promise<{ requests: OptOut[]; waiting: number; next: string | null }> {
  const { outcome = null, after = LAST_PLACE, limit } = page;
  const [{ rows }, { rows: waiting }] = await Promise.all([
    client.query<Row>(LIST, [after, outcome, limit + 1]),
    client.query<{ count: number }>(
      `select count(*)::int as count from opt_out_requests where outcome = 'waiting'`,
    ),
  ]);
  const today = calendarDate(now, timeZone);
  const requests = rows.slice(0, limit).map(({ place: _, ...row }) => {
    const due = optOutDueBy(calendarDate(row.receivedAt, timeZone));
    const daysLeft = businessDaysUntil(today, due);
    return { ...row, reference: referenceOf(row.id), dueBy: formatIso(due), daysLeft };
  });
  const next = rows.length > limit ? (rows[limit - 1]?.place ?? null) : null;
  return { requests, waiting: waiting[0]?.count ?? 0, next };
}

/**
 * Returns the selection of a request, or of all requests that its sender made within a day of it.
 * @throws OperatorError `not_found` for an unknown id
 */
export async function selectionOf(
  client: Queryable,
  id: string,
  scope: 'one' | 'sender',
): Promise<RequestSelection> {
  const { rows } = await client.query<{ address: string | null; since: Date; until: Date }>(
    `select address_key as address, received_at - ${FLOOD} as since, received_at + ${FLOOD} as until
     from opt_out_requests where id = $1`,
    [id],
  );
  const [row] = rows;
  if (!row) throw new OperatorError('not_found', 'There is no such request.');
  if (scope === 'one') return { id };
  if (row.address === null)
    throw new OperatorError('refused', 'The sender of this request is not known any more.');
  const { address, since, until } = row;
  return { address, since, until };
}
