/** Lists do-not-sell requests, honours or dismisses waiting ones, and undoes a flood. */
import type pg from 'pg';
import { RESUMABLE } from '../delivery/changes.ts';
import { inTransaction, persistently, type Queryable } from '../storage/database.ts';
import { actorOf, referenceOf } from './opt-out.ts';
import { leadsOf, type StoredPersonKey } from './person.ts';
import type { PortionedWork } from './portions.ts';
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

type Row = Omit<ListedRequest, 'reference' | 'keys'> &
  Record<'email_key' | 'phone_key', string | null>;

/** So many requests are read, or changed in one transaction. */
const PORTION = 500;

const AGAIN = { idempotent: true };

/** SQL: whether a request is of the selection $1 to $5, whatever became of it. */
const isChosen = (
  request: string,
) => `(${request}.received_at >= coalesce($1::timestamptz, '-infinity')
  and ${request}.received_at < $2::timestamptz
  and ($3::text is null or ${request}.ip = $3 or ${request}.address_key = $3)
  and ($4::text is null or right(${request}.id::text, 12) = lower($4))
  and ($5::uuid is null or ${request}.id = $5))`;

const SELECTED = `
select id, received_at, outcome, ip, name, email, phone, email_key, phone_key, received_at::text as place
from opt_out_requests r
where ${isChosen('r')} and ($6::text is null or outcome = $6)
  and ($7::uuid is null or (received_at, id) > ($8::timestamptz, $7))
order by r.received_at, id limit $9`;

/** The selection as the values $1 to $5. A flood that goes on must not prolong the work: it ends with what came so far. */
async function valuesOf(
  pool: pg.Pool,
  { since, until, address, reference, id }: RequestSelection,
): Promise<unknown[]> {
  const now = () => pool.query<{ now: string }>('select clock_timestamp()::text as now');
  const end = until ?? (await persistently(now, AGAIN)).rows[0]?.now;
  return [since ?? null, end, address ?? null, reference ?? null, id ?? null];
}

/** Yields requests in portions, oldest first. The caller may change those that it got. */
export async function* requestPortions(
  pool: pg.Pool,
  selection: RequestSelection,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly portion?: number | undefined;
  } = {},
): AsyncGenerator<readonly ListedRequest[]> {
  yield* portionsOf(pool, await valuesOf(pool, selection), { ...options, ...selection });
}

async function* portionsOf(
  pool: pg.Pool,
  chosen: readonly unknown[],
  options: Pick<PortionedWork, 'signal' | 'portion'> & Pick<RequestSelection, 'outcome'>,
): AsyncGenerator<readonly ListedRequest[]> {
  const { signal, portion: limit = PORTION, outcome = null } = options;
  for (let last: ListedRequest | undefined; ; ) {
    signal?.throwIfAborted();
    const values = [...chosen, outcome, last?.id ?? null, last?.place ?? null, limit];
    const { rows } = await persistently(() => pool.query<Row>(SELECTED, values), AGAIN);
    const requests = rows.map(({ email_key, phone_key, ...row }) => ({
      ...row,
      reference: referenceOf(row.id),
      keys: [
        ...(email_key === null ? [] : [{ kind: 'email' as const, key: email_key }]),
        ...(phone_key === null ? [] : [{ kind: 'phone' as const, key: phone_key }]),
      ],
    }));
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
      const honoured = await inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(
          `update opt_out_requests set outcome = 'honoured' where id = $1 and outcome = 'waiting'`,
          [id],
        );
        if (rowCount !== 1) return { requests: 0, stopped: 0 };
        const { leads, stopped, receipts } = await suppressKeys(client, keys, actorOf(id), id);
        await client.query(
          'update opt_out_requests set leads = $2, stopped = $3, receipts = $4 where id = $1',
          [id, leads, stopped, JSON.stringify(receipts)],
        );
        return { requests: 1, stopped };
      });
      done.requests += honoured.requests;
      done.stopped += honoured.stopped;
      onPortion?.(1);
    }
  }
  return done;
}

/** Closes waiting requests without honouring them, 500 at a time. @returns how many */
export async function dismissRequests(
  { pool, signal, onPortion }: PortionedWork,
  selection: RequestSelection,
): Promise<number> {
  let dismissed = 0;
  for await (const waiting of requestPortions(
    pool,
    { ...selection, outcome: 'waiting' },
    { signal },
  )) {
    const { rowCount } = await pool.query(
      `update opt_out_requests set outcome = 'dismissed'
       where id = any($1::uuid[]) and outcome = 'waiting'`,
      [waiting.map(({ id }) => id)],
    );
    dismissed += rowCount ?? 0;
    onPortion?.(waiting.length);
  }
  return dismissed;
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
 * @param how.isDryRun changes nothing and returns what would happen
 */
export async function undoRequests(
  { pool, signal, onPortion, portion }: PortionedWork,
  selection: RequestSelection,
  how: { readonly actor: string; readonly isDryRun: boolean },
): Promise<UndoneRequests> {
  const { actor, isDryRun } = how;
  const chosen = await valuesOf(pool, selection);
  let all: UndoneRequests = { requests: 0, keys: 0, kept: 0, deliveries: 0 };
  const portions = portionsOf(pool, chosen, { signal, portion, outcome: 'honoured' });
  for await (const requests of portions) {
    const done = isDryRun
      ? await persistently(() => planUndo(pool, chosen, requests), AGAIN)
      : await inTransaction(pool, (client) => undoPortion(client, chosen, requests, actor));
    all = {
      requests: all.requests + done.requests,
      keys: all.keys + done.keys,
      kept: all.kept + done.kept,
      deliveries: all.deliveries + done.deliveries,
    };
    onPortion?.(requests.length);
  }
  return all;
}

/** SQL: whether a request `o` is honoured and asks for a key. */
const asksFor = (key: string) =>
  `o.outcome = 'honoured' and (o.email_key = ${key} or o.phone_key = ${key})`;

/** SQL: whether a request is undone after the portion that ends with the request $7 at $6. */
const isLater = (request: string) =>
  `(${request}.received_at, ${request}.id) > ($6::timestamptz, $7::uuid)`;

/** The keys of the requests $8. `is_last`: no later request of the selection asks for it, so that it is counted now. */
const KEYS = `
select asked.key, not exists (select 1 from opt_out_requests o
  where ${asksFor('asked.key')} and ${isChosen('o')} and ${isLater('o')}) as is_last
from (
  select unnest(array[email_key, phone_key]) as key from opt_out_requests where id = any($8::uuid[])
  union select key from suppressions where request_id = any($8::uuid[])
) as asked where asked.key is not null`;

/** SQL: whether an entry of the list is there for another reason than the selection up to its place. */
const STAYS = `(s.request_id is null
  or not exists (select 1 from opt_out_requests r
    where r.id = s.request_id and ${isChosen('r')} and not ${isLater('r')})
  or exists (select 1 from opt_out_requests o
    where ${asksFor('s.key')} and (${isChosen('o')} is not true or ${isLater('o')})))`;

const GONE = `select s.kind, s.key from suppressions s where s.key = any($8::text[]) and not ${STAYS}`;

/** Counts the deliveries of the leads $8 that would resume: their last entries of the list go with this portion. */
const WOULD_RESUME = `
select count(*)::int as deliveries from deliveries d join leads l on l.id = d.lead_id
where d.lead_id = any($8::uuid[]) and ${RESUMABLE}
  and not coalesce((select true from lead_revisions said
    join suppressions s on s.key in (said.email_key, said.phone_key)
    where said.lead_id = d.lead_id and ${STAYS} limit 1), false)`;

/** Returns what undoing a portion would do once the earlier portions are undone. */
async function planUndo(
  client: Queryable,
  chosen: readonly unknown[],
  requests: readonly ListedRequest[],
): Promise<UndoneRequests> {
  const values = [...chosen, ...placeOf(requests)];
  const last = await lastKeys(client, chosen, requests);
  const found = await client.query<StoredPersonKey>(GONE, [...values, last]);
  const leads = await leadsOf(client, found.rows);
  const { rows } = await client.query<{ deliveries: number }>(WOULD_RESUME, [...values, leads]);
  const keys = found.rows.length;
  const deliveries = rows[0]?.deliveries ?? 0;
  return { requests: requests.length, keys, kept: last.length - keys, deliveries };
}

function placeOf(requests: readonly ListedRequest[]): unknown[] {
  const last = requests.at(-1);
  return [last?.place, last?.id];
}

async function lastKeys(
  client: Queryable,
  chosen: readonly unknown[],
  requests: readonly ListedRequest[],
): Promise<string[]> {
  const { rows } = await client.query<{ key: string; is_last: boolean }>(KEYS, [
    ...[...chosen, ...placeOf(requests), requests.map(({ id }) => id)],
  ]);
  return rows.flatMap(({ key, is_last }) => (is_last ? key : []));
}

/** Suppressed keys of the requests $1, each with the newest other honoured request for the same key. */
const ALSO_ASKED = `
select s.key, s.kind, (select o.id from opt_out_requests o
  where ${asksFor('s.key')} and o.id <> all($1::uuid[])
  order by o.received_at desc limit 1) as other
from suppressions s where s.request_id = any($1::uuid[]) order by s.key for update of s`;

async function undoPortion(
  client: Queryable,
  chosen: readonly unknown[],
  requests: readonly ListedRequest[],
  actor: string,
): Promise<UndoneRequests> {
  const undone = await client.query<{ id: string }>(
    `update opt_out_requests set outcome = 'undone' where id = any($1::uuid[]) and outcome = 'honoured' returning id`,
    [requests.map(({ id }) => id)],
  );
  const ids = undone.rows.map(({ id }) => id);
  const last = await lastKeys(
    client,
    chosen,
    requests.filter(({ id }) => ids.includes(id)),
  );
  type Row = StoredPersonKey & { readonly other: string | null };
  const { rows } = await client.query<Row>(ALSO_ASKED, [ids]);
  const gone = rows.filter(({ other }) => other === null);
  await client.query(
    `update suppressions s set request_id = k.other
     from jsonb_to_recordset($1::jsonb) as k(key text, other uuid) where s.key = k.key`,
    [JSON.stringify(rows.filter(({ other }) => other !== null))],
  );
  await client.query('delete from suppressions where key = any($1::text[])', [
    gone.map(({ key }) => key),
  ]);
  return {
    requests: ids.length,
    keys: gone.length,
    kept: last.length - gone.length,
    deliveries: await resumeLeadsOf(client, gone, actor),
  };
}
