/** Do-not-sell requests: recorded and honoured in one transaction. */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { OptOutRequest, OptOutStore } from '../leads/ports.ts';
import { inTransaction } from '../storage/database.ts';
import { storeErrors } from '../storage/leads-errors.ts';
import type { Queryable } from './selection.ts';
import { suppressKeys } from './suppress.ts';

/** As `lead_events.actor` has it. */
const ACTOR = 'a do-not-sell request';

const INSERT = `
insert into opt_out_requests (id, language, name, email, phone, state, email_key, phone_key, sec_gpc, ip,
  user_agent, page, leads, stopped, receipts)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
returning received_at`;

export function createOptOutStore(pool: pg.Pool): OptOutStore {
  return {
    record: (request) =>
      storeErrors(() => inTransaction(pool, (client) => record(client, request))),
  };
}

async function record(client: pg.ClientBase, request: OptOutRequest) {
  const { language, name, email, phone, state, keys, visitor } = request;
  const id = uuid();
  const done = await suppressKeys(client, keys, `${ACTOR} (${referenceOf(id)})`);
  const keyOf = (kind: string) => keys.find((each) => each.kind === kind)?.key ?? null;
  const { rows } = await client.query<{ received_at: Date }>(INSERT, [
    ...[id, language, name, email, phone, state, keyOf('email'), keyOf('phone')],
    ...[visitor.secGpc, visitor.address, visitor.userAgent, visitor.page],
    ...[done.leads, done.stopped, JSON.stringify(done.receipts)],
  ]);
  const [row] = rows;
  if (!row) throw new Error('A request was not recorded');
  return { reference: referenceOf(id), at: row.received_at };
}

type Keys = readonly { readonly key: string }[];

/** $1: keys. */
const OF_PERSON = '(email_key = any($1) or phone_key = any($1))';
/** It still says whose it is. */
const IS_FULL = `(email <> '' or phone <> '')`;

/**
 * Takes the person out of a request; that it came, when, and what it stopped stays, and so does what it put on
 * the list of suppression.
 */
const EMPTY = `update opt_out_requests set name = '', email = '', phone = '', state = '', ip = null,
  user_agent = null`;

/** How many do-not-sell requests of this person there are, and how many of them are not empty yet. */
export async function countOptOutRequests(client: Queryable, keys: Keys) {
  const { rows } = await client.query<{ all: number; full: number }>(
    `select count(*)::int as all, count(*) filter (where ${IS_FULL})::int as full
     from opt_out_requests where ${OF_PERSON}`,
    [keys.map(({ key }) => key)],
  );
  return rows[0] ?? { all: 0, full: 0 };
}

/** Empties the requests of a person. */
export async function emptyOptOutRequests(client: Queryable, keys: Keys): Promise<void> {
  await client.query(`${EMPTY} where ${OF_PERSON} and ${IS_FULL}`, [keys.map(({ key }) => key)]);
}

/** Empties the requests that came before a time. @returns how many */
export async function expireOptOutRequests(client: Queryable, before: Date): Promise<number> {
  const { rowCount } = await client.query(`${EMPTY} where received_at < $1 and ${IS_FULL}`, [
    before,
  ]);
  return rowCount ?? 0;
}

/** What a person can say on the phone: the random end of the request's id. */
function referenceOf(id: string): string {
  return id.slice(-12).toUpperCase();
}
