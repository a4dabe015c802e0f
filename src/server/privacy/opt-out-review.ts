/** Lists do-not-sell requests, honours or dismisses waiting ones, and undoes a flood. */
import type pg from 'pg';
import { addDays, type CalendarDate, calendarDate, formatIso } from '../../domain/dates.ts';
import { OperatorError, refused } from '../operators/operator-error.ts';
import { inTransaction, persistently, type Queryable } from '../storage/database.ts';
import { actorOf, referenceOf } from './opt-out.ts';
import type { PortionedWork, StoredPersonKey } from './person.ts';
import type { Receipt } from './receipts.ts';
import { resumeLeadsOf, suppressKeys } from './suppress.ts';

export type RequestOutcome = 'honoured' | 'waiting' | 'dismissed' | 'undone';

/** A filter of do-not-sell requests. */
export type RequestSelection = {
  readonly id?: string | undefined;
  /** The reference that the visitor was given: the random end of the request's id. */
  readonly reference?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** The sender's IP address, or the /48 of an IPv6 address. */
  readonly address?: string | undefined;
  readonly outcome?: RequestOutcome | undefined;
};

type ListedRequest = {
  readonly id: string;
  readonly reference: string;
  readonly received_at: Date;
  readonly outcome: RequestOutcome;
  readonly ip: string | null;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly keys: readonly StoredPersonKey[];
  /** The time of arrival to the microsecond, as PostgreSQL writes it. */
  readonly place: string;
};

/** So many requests are read, or changed in one transaction. */
const PORTION = 500;

const AGAIN = { idempotent: true };

/** SQL: whether a request is of the selection $1 to $6. */
const IS_CHOSEN = `(r.received_at >= coalesce($1::timestamptz, '-infinity') and r.received_at < $2::timestamptz
  and ($3::text is null or r.ip = $3 or r.address_key = $3)
  and ($4::text is null or right(r.id::text, 12) = lower($4))
  and ($5::uuid is null or r.id = $5) and ($6::text is null or r.outcome = $6))`;

const SELECTED = `
select id, received_at, outcome, ip, name, email, phone, received_at::text as place, array_remove(array[
  case when email_key is not null then jsonb_build_object('kind', 'email', 'key', email_key) end,
  case when phone_key is not null then jsonb_build_object('kind', 'phone', 'key', phone_key) end], null) as keys
from opt_out_requests r
where ${IS_CHOSEN} and ($7::uuid is null or (received_at, id) > ($8::timestamptz, $7))
order by r.received_at, id limit $9`;

/** The selection as the values $1 to $6. A flood that goes on must not prolong the work: it ends with what came so far. */
async function valuesOf(
  pool: pg.Pool,
  { since, until, address, reference, id, outcome }: RequestSelection,
): Promise<unknown[]> {
  const now = () => pool.query<{ now: string }>('select clock_timestamp()::text as now');
  const end = until ?? (await persistently(now, AGAIN)).rows[0]?.now;
  return [since, end, address, reference, id, outcome].map((value) => value ?? null);
}

/** Yields requests in portions, oldest first. The caller may change those that it got. */
export async function* requestPortions(
  pool: pg.Pool,
  selection: RequestSelection,
  { signal, portion: limit = PORTION }: Pick<PortionedWork, 'signal' | 'portion'> = {},
): AsyncGenerator<readonly ListedRequest[]> {
  const chosen = await valuesOf(pool, selection);
  for (let last: ListedRequest | undefined; ; ) {
    signal?.throwIfAborted();
    const values = [...chosen, last?.id ?? null, last?.place ?? null, limit];
    const read = () => pool.query<Omit<ListedRequest, 'reference'>>(SELECTED, values);
    const { rows } = await persistently(read, AGAIN);
    const requests = rows.map((row) => ({ ...row, reference: referenceOf(row.id) }));
    if (requests.length > 0) yield requests;
    if (requests.length < limit) return;
    last = requests.at(-1);
  }
}

/** Honours waiting requests, each in its own transaction. @returns how many, and how many deliveries they stopped */
export async function honourRequests(
  { pool, signal, onPortion }: PortionedWork,
  selection: RequestSelection,
): Promise<{ requests: number; stopped: number }> {
  const done = { requests: 0, stopped: 0 };
  for await (const waiting of requestPortions(pool, { ...selection, outcome: 'waiting' })) {
    for (const { id, keys } of waiting) {
      signal?.throwIfAborted();
      await inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(
          `update opt_out_requests set outcome = 'honoured' where id = $1 and outcome = 'waiting'`,
          [id],
        );
        if (rowCount !== 1) return;
        const { leads, stopped, receipts } = await suppressKeys(client, keys, actorOf(id), id);
        await client.query(
          'update opt_out_requests set leads = $2, stopped = $3, receipts = $4 where id = $1',
          [id, leads, stopped, JSON.stringify(receipts)],
        );
        done.requests += 1;
        done.stopped += stopped;
      });
      onPortion?.(1);
    }
  }
  return done;
}

/** Closes waiting requests without honouring them. @returns how many */
export async function dismissRequests(pool: pg.Pool, selection: RequestSelection): Promise<number> {
  const { rowCount } = await pool.query(
    `update opt_out_requests r set outcome = 'dismissed' where ${IS_CHOSEN}`,
    await valuesOf(pool, { ...selection, outcome: 'waiting' }),
  );
  return rowCount ?? 0;
}

/** The effect of undoing requests, done or planned. */
export type UndoneRequests = {
  readonly requests: number;
  /** Keys removed from the suppression list. */
  readonly keys: number;
  /** Keys that stay on the list because an operator or another request asked for them too. */
  readonly kept: number;
  /** Deliveries that are resumed. */
  readonly deliveries: number;
};

/**
 * Undoes honoured requests, for example those of a flood, 500 per transaction. Their persons leave the suppression
 * list unless they are on it for another reason, and their stopped deliveries resume. Repeated after an interruption
 * it goes on with the rest.
 *
 * @param how.isDryRun does it in one transaction, which is rolled back, and returns what would happen
 */
export async function undoRequests(
  { pool, signal, onPortion, portion }: PortionedWork,
  selection: RequestSelection,
  { actor, isDryRun }: { readonly actor: string; readonly isDryRun: boolean },
): Promise<UndoneRequests> {
  const [asked, gone] = [new Set<string>(), new Set<string>()];
  let [requests, deliveries] = [0, 0];
  const undo = async (inOne: (work: (client: Queryable) => Promise<Undone>) => Promise<Undone>) => {
    const honoured = { ...selection, outcome: 'honoured' } as const;
    for await (const listed of requestPortions(pool, honoured, { signal, portion })) {
      const ids = listed.map(({ id }) => id);
      const done = await inOne((client) => undoPortion(client, ids, actor));
      for (const key of done.asked) asked.add(key);
      for (const { key } of done.gone) gone.add(key);
      requests += done.requests;
      deliveries += done.deliveries;
      onPortion?.(listed.length);
    }
  };
  if (isDryRun) {
    const rollback = new Error('A dry run ends with a rollback');
    await inTransaction(pool, async (client) => {
      await undo((work) => work(client));
      throw rollback;
    }).catch((error) => {
      if (error !== rollback) throw error;
    });
  } else {
    await undo((work) => inTransaction(pool, work));
  }
  return { requests, keys: gone.size, kept: asked.size - gone.size, deliveries };
}

type Undone = {
  readonly requests: number;
  /** The keys of the requests, and those that left the list. */
  readonly asked: readonly string[];
  readonly gone: readonly StoredPersonKey[];
  readonly deliveries: number;
};

const UNDO = `
with undone as (
  update opt_out_requests set outcome = 'undone' where id = any($1::uuid[]) and outcome = 'honoured'
  returning id, email_key, phone_key
)
select id, array_remove(array[email_key, phone_key]
  || array(select key from suppressions s where s.request_id = undone.id), null) as keys from undone`;

/** Links entries of the requests $1 to the newest other honoured request for the same key. */
const RELINK = `
update suppressions s set request_id = other.id
from suppressions mine, lateral (
  select o.id from opt_out_requests o
  where o.outcome = 'honoured' and (o.email_key = mine.key or o.phone_key = mine.key)
  order by o.received_at desc limit 1) as other
where mine.request_id = any($1::uuid[]) and s.key = mine.key`;

async function undoPortion(
  client: Queryable,
  requestIds: readonly string[],
  actor: string,
): Promise<Undone> {
  const { rows } = await client.query<{ id: string; keys: string[] }>(UNDO, [requestIds]);
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
  const deliveries = await resumeLeadsOf(client, gone, actor);
  return { requests: ids.length, asked: rows.flatMap(({ keys }) => keys), gone, deliveries };
}

/**
 * Business days after receipt within which a business must stop selling and sharing: California Code of
 * Regulations, title 11, § 7026(f). Other states allow longer (mostly 45 days), so this limit serves all.
 */
const OPT_OUT_BUSINESS_DAYS = 15;

function isBusinessDay({ year, month, day }: CalendarDate): boolean {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() % 6 !== 0;
}

/**
 * Returns the last day on which a request may be honoured. Public holidays count as business days, so the
 * date is never later than the law's.
 */
export function optOutDueBy(received: CalendarDate): CalendarDate {
  let due = received;
  for (let left = OPT_OUT_BUSINESS_DAYS; left > 0; ) {
    due = addDays(due, 1);
    if (isBusinessDay(due)) left -= 1;
  }
  return due;
}

/** Returns the business days after one day until another; negative if that is before. */
export function businessDaysUntil(from: CalendarDate, to: CalendarDate): number {
  const direction = formatIso(to) < formatIso(from) ? -1 : 1;
  let days = 0;
  for (let at = from; formatIso(at) !== formatIso(to); ) {
    at = addDays(at, direction);
    if (isBusinessDay(at)) days += direction;
  }
  return days;
}

/** A request for the console, without the person who made it. */
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
  type Row = Omit<OptOut, 'reference' | 'dueBy' | 'daysLeft'> & { place: string };
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
  const { address, since, until } = row;
  if (address === null) throw refused('The sender of this request is not known any more.');
  return { address, since, until };
}
