/** Lists do-not-sell requests, honours or dismisses waiting ones, and undoes a flood. */
import type pg from 'pg';
import { addEvent, resumeSuppressed } from '../delivery/changes.ts';
import { inTransaction, type Queryable } from '../storage/database.ts';
import { actorOf, referenceOf } from './opt-out.ts';
import { leadsOf, type StoredPersonKey } from './person.ts';
import type { PortionedWork } from './portions.ts';
import { suppressKeys } from './suppress.ts';

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
};

type Row = Omit<ListedRequest, 'reference' | 'keys'> &
  Record<'email_key' | 'phone_key', string | null>;

const SELECTED = `
select id, received_at, outcome, ip, name, email, phone, email_key, phone_key from opt_out_requests
where received_at >= coalesce($1::timestamptz, '-infinity')
  and received_at < coalesce($2::timestamptz, 'infinity')
  and ($3::text is null or ip = $3 or address_key = $3) and ($4::text is null or outcome = $4)
  and ($5::text is null or right(id::text, 12) = lower($5)) and ($6::uuid is null or id = $6)
order by received_at, id`;

/** Lists requests, oldest first. */
export async function listRequests(
  client: Queryable,
  { since, until, address, outcome, reference, id }: RequestSelection,
): Promise<ListedRequest[]> {
  const { rows } = await client.query<Row>(SELECTED, [
    ...[
      since ?? null,
      until ?? null,
      address ?? null,
      outcome ?? null,
      reference ?? null,
      id ?? null,
    ],
  ]);
  return rows.map(({ email_key, phone_key, ...row }) => ({
    ...row,
    reference: referenceOf(row.id),
    keys: [
      ...(email_key === null ? [] : [{ kind: 'email' as const, key: email_key }]),
      ...(phone_key === null ? [] : [{ kind: 'phone' as const, key: phone_key }]),
    ],
  }));
}

/** Honours waiting requests, each in its own transaction. @returns how many, and how many deliveries they stopped */
export async function honourRequests(
  { pool, signal, onPortion }: PortionedWork,
  selection: RequestSelection,
): Promise<{ requests: number; stopped: number }> {
  const done = { requests: 0, stopped: 0 };
  const waiting = await listRequests(pool, { ...selection, outcome: 'waiting' });
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
    onPortion?.(1, waiting.length);
  }
  return done;
}

/** Closes waiting requests without honouring them. @returns how many */
export async function dismissRequests(pool: pg.Pool, selection: RequestSelection): Promise<number> {
  const waiting = await listRequests(pool, { ...selection, outcome: 'waiting' });
  const { rowCount } = await pool.query(
    `update opt_out_requests set outcome = 'dismissed'
     where id = any($1::uuid[]) and outcome = 'waiting'`,
    [waiting.map(({ id }) => id)],
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

/** Suppressed keys of the requests $1, each with the newest other honoured request for the same key. */
const ALSO_ASKED = `
select s.key, s.kind, (select o.id from opt_out_requests o
  where o.outcome = 'honoured' and o.id <> all($1::uuid[])
    and (o.email_key = s.key or o.phone_key = s.key)
  order by o.received_at desc limit 1) as other
from suppressions s where s.request_id = any($1::uuid[]) for update of s`;

/**
 * Undoes honoured requests, for example those of a flood. Their persons leave the suppression list unless they
 * are on it for another reason, and their stopped deliveries resume.
 *
 * @param options.isDryRun changes nothing and returns what would happen
 */
export function undoRequests(
  pool: pg.Pool,
  selection: RequestSelection,
  options: { actor: string; isDryRun: boolean },
): Promise<UndoneRequests> {
  const { actor, isDryRun } = options;
  const undoing = inTransaction(pool, async (client) => {
    const done = await undoIn(client, selection, actor);
    if (isDryRun) throw new Rehearsal(done);
    return done;
  });
  return undoing.catch((error: unknown) => {
    if (error instanceof Rehearsal) return error.result;
    throw error;
  });
}

/** Thrown to roll back the transaction of a dry run; carries the result. */
class Rehearsal extends Error {
  readonly result: UndoneRequests;

  constructor(result: UndoneRequests) {
    super('A dry run');
    this.result = result;
  }
}

async function undoIn(
  client: Queryable,
  selection: RequestSelection,
  actor: string,
): Promise<UndoneRequests> {
  const requests = await listRequests(client, { ...selection, outcome: 'honoured' });
  const ids = requests.map(({ id }) => id);
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
  await client.query(`update opt_out_requests set outcome = 'undone' where id = any($1::uuid[])`, [
    ids,
  ]);
  const leads = await leadsOf(client, gone);
  const resumed = Map.groupBy(await resumeSuppressed(client, leads), ({ lead_id }) => lead_id);
  const events = leads.map((lead_id) => {
    const destinations = resumed.get(lead_id)?.map(({ destination }) => destination) ?? [];
    const detail = { undone: true, resumed: destinations };
    return { lead_id, kind: 'suppressed', actor, detail } as const;
  });
  await addEvent(client, ...events);
  const asked = new Set(requests.flatMap(({ keys }) => keys.map(({ key }) => key)));
  return {
    requests: ids.length,
    keys: gone.length,
    kept: asked.size - gone.length,
    deliveries: [...resumed.values()].flat().length,
  };
}
