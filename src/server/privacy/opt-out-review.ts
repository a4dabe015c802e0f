/** Lists, honours and dismisses do-not-sell requests, and undoes floods of requests. */
import type pg from 'pg';
import { addBusinessDays, calendarDate, formatIso } from '../../model/fields/dates.ts';
import type {
  OptOutAnswer,
  OptOutListAnswer,
  OptOutOutcome,
} from '../../model/messages/console/people-requests.ts';
import { inTransaction, persistently, type Queryable } from '../platform/database/database.ts';
import { OperatorError, refused } from '../platform/operator-error.ts';
import { actorOf, referenceOf } from './opt-out.ts';
import type { People, StoredPersonKey } from './person.ts';
import type { Receipt } from './receipts.ts';
import { resumeLeadsOf, suppressKeys } from './suppress.ts';

type RequestSelection = {
  readonly id?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** The sender's IP address, or its /48 network for IPv6. */
  readonly address?: string | undefined;
};

/** SQL: true if a request matches the operator's selection. */
const IS_SELECTED = `(r.received_at >= coalesce($1::timestamptz, '-infinity')
  and r.received_at < coalesce($2::timestamptz, 'infinity')
  and ($3::text is null or r.ip = $3 or r.address_key = $3)
  and ($4::uuid is null or r.id = $4) and r.outcome = $5)`;

const valuesOf = ({ since, until, address, id }: RequestSelection, outcome: OptOutOutcome) =>
  [since, until, address, id, outcome] as unknown[];

/** SQL: reads some of the selected requests, with keyed hashes of their contact details. */
const BATCH = `
select id, received_at, array_remove(array[
  case when email_key is not null then jsonb_build_object('kind', 'email', 'key', email_key) end,
  case when phone_key is not null then jsonb_build_object('kind', 'phone', 'key', phone_key) end], null) as keys
from opt_out_requests r where ${IS_SELECTED} order by r.received_at, r.id limit 500`;

/** Honours the selected requests that are waiting, and returns their number. */
export async function honourRequests(
  { pool, settings }: Pick<People, 'pool' | 'settings'>,
  selection: RequestSelection,
): Promise<number> {
  type Row = { id: string; received_at: Date; keys: readonly StoredPersonKey[] };
  const read = () => pool.query<Row>(BATCH, valuesOf(selection, 'waiting'));
  for (let honoured = 0; ; ) {
    const { rows } = await persistently(read, { idempotent: true });
    if (rows.length === 0) return honoured;
    for (const { id, keys, received_at: revokedAt } of rows) {
      await inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(
          `update opt_out_requests set outcome = 'honoured' where id = $1 and outcome = 'waiting'`,
          [id],
        );
        if (rowCount !== 1) return;
        const by = { actor: actorOf(id), revokedAt, requestId: id, settings };
        const { leads, stopped, receipts } = await suppressKeys(client, keys, by);
        await client.query(
          'update opt_out_requests set leads = $2, stopped = $3, receipts = $4 where id = $1',
          [id, leads, stopped, JSON.stringify(receipts)],
        );
        honoured += 1;
      });
    }
  }
}

/** Closes the selected waiting requests without honouring them, and returns their number. */
export async function dismissRequests(pool: pg.Pool, selection: RequestSelection): Promise<number> {
  const { rowCount } = await pool.query(
    `update opt_out_requests r set outcome = 'dismissed' where ${IS_SELECTED}`,
    valuesOf(selection, 'waiting'),
  );
  return rowCount ?? 0;
}

const UNDO = `
update opt_out_requests r set outcome = 'undone' where ${IS_SELECTED} returning id`;

/** SQL: links the suppression of a person to another honoured request of the person. */
const RELINK = `
update suppressions s set request_id = other.id
from suppressions mine, lateral (
  select o.id from opt_out_requests o
  where o.outcome = 'honoured' and (o.email_key = mine.key or o.phone_key = mine.key)
  order by o.received_at desc limit 1) as other
where mine.request_id = any($1::uuid[]) and s.key = mine.key`;

/** Undoes honoured requests, resumes the deliveries that they stopped, and returns their number. */
export async function undoRequests(
  pool: pg.Pool,
  selection: RequestSelection,
  actor: string,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(UNDO, valuesOf(selection, 'honoured'));
    const ids = rows.map(({ id }) => id);
    await client.query(
      'select from suppressions where request_id = any($1::uuid[]) order by key for update',
      [ids],
    );
    await client.query(RELINK, [ids]);
    const { rows: gone } = await client.query<StoredPersonKey>(
      'delete from suppressions where request_id = any($1::uuid[]) returning kind, key',
      [ids],
    );
    await resumeLeadsOf(client, gone, actor);
    return ids.length;
  });
}

/** California's deadline for do-not-sell requests, in business days (title 11 CCR § 7026(f)). */
export const OPT_OUT_BUSINESS_DAYS = 15;

/** Requests from one IP address within this time of a given request belong to the same flood. */
const FLOOD = `interval '1 day'`;

const LIST = `
select id, received_at as "receivedAt", outcome, state as "usState", sec_gpc as "hasSignal", leads, stopped,
  receipts, received_at::text || '~' || id::text as place,
  (select greatest(1, count(*)::int) from (select 1 from opt_out_requests s
     where s.address_key = r.address_key
       and s.received_at between r.received_at - ${FLOOD} and r.received_at + ${FLOOD}
     limit 1000) as others) as "ofSameSender"
from opt_out_requests r
where (received_at, id) < (split_part($1, '~', 1)::timestamptz, split_part($1, '~', 2)::uuid)
  and ($2::text is null or outcome = $2)
order by received_at desc, id desc limit $3`;
const LAST_PLACE = 'infinity~ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Lists do-not-sell requests, newest first. */
export async function listOptOuts(
  client: Queryable,
  query: { outcome?: string | undefined; after?: string | undefined; limit: number },
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): Promise<OptOutListAnswer<Date, Receipt>> {
  type Row = Omit<OptOutAnswer<Date, Receipt>, 'reference' | 'dueBy' | 'isLate'>;
  const { outcome, after = LAST_PLACE, limit } = query;
  const [{ rows }, { rows: waiting }] = await Promise.all([
    client.query<Row & { place: string }>(LIST, [after, outcome, limit + 1]),
    client.query<{ count: number }>(
      `select count(*)::int as count from opt_out_requests where outcome = 'waiting'`,
    ),
  ]);
  const today = formatIso(calendarDate(now, timeZone));
  const requests = rows.slice(0, limit).map(({ place: _, ...row }) => {
    const received = calendarDate(row.receivedAt, timeZone);
    const dueBy = formatIso(addBusinessDays(received, OPT_OUT_BUSINESS_DAYS));
    const isLate = row.outcome === 'waiting' && dueBy < today;
    return { ...row, reference: referenceOf(row.id), dueBy, isLate };
  });
  const next = rows.length > limit ? (rows[limit - 1]?.place ?? null) : null;
  return { requests, waiting: waiting[0]?.count ?? 0, next };
}

/** Selects one request, or all requests of its flood. @throws OperatorError `not_found` */
export async function selectionOf(
  client: Queryable,
  id: string,
  scope: 'one' | 'sender',
): Promise<RequestSelection> {
  const { rows } = await client.query<{ address: string | null; since: Date; until: Date }>(
    // The selection ends at the current time, because the operator has not reviewed later requests.
    `select address_key as address, received_at - ${FLOOD} as since,
       least(received_at + ${FLOOD}, now()) as until
     from opt_out_requests where id = $1`,
    [id],
  );
  const [row] = rows;
  if (!row) throw new OperatorError('not_found', 'There is no such request.');
  if (scope === 'one') return { id };
  const { address, since, until } = row;
  if (address === null) throw refused('The sender of this request is not known any more.');
  return { address, since, until };
}
