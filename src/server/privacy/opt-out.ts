/** Records do-not-sell requests. A request is honoured at once or waits for an operator. */
import { v7 as uuid } from 'uuid';
import { normaliseField } from '../../model/fields/asked-fields.ts';
import type { Language } from '../../model/fields/language.ts';
import { optOutErrors } from '../../model/fields/opt-out-form.ts';
import { phoneDigits } from '../../model/fields/phone-format.ts';
import type { Visitor } from '../../model/lead/context.ts';
import type { PersonKeyKind } from '../../model/lead/person-key.ts';
import type { Alerts } from '../platform/alerts.ts';
import { createBatcher } from '../platform/database/batcher.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import type { Settings } from '../settings/settings.ts';
import { forgetReasonsOf, requestSubject } from './forget-reasons.ts';
import { keysOfKinds, type People, type StoredPersonKey } from './person.ts';
import { suppressKeys } from './suppress.ts';

/** Maximum number of requests that are honoured concurrently. */
const MAX_CONCURRENT = 2;
/** Maximum number of requests that wait to be honoured. Further requests wait for an operator. */
const MAX_PENDING = 52;

type OptOutRequest = Readonly<Record<'name' | 'email' | 'phone' | 'state', string>> & {
  readonly language: Language;
  readonly keys: readonly StoredPersonKey[];
  readonly visitor: Pick<Visitor, 'secGpc' | 'address' | 'networkKey' | 'userAgent' | 'page'>;
};

/** A recorded do-not-sell request with its reference. */
type RecordedOptOut = Awaited<ReturnType<typeof insert>>;

const WAITING_ALERT =
  'A do-not-sell request is above the limit of its address (OPT_OUTS_PER_ADDRESS_PER_HOUR) and waits for ' +
  'you: it has to be answered within 15 working days. See "Do not contact and erasure" in the console';
const MANY_ALERT =
  'Unusually many do-not-sell requests came within an hour (OPT_OUTS_ALERT_PER_HOUR): see who sends them ' +
  'in the console under "Do not contact and erasure", which also takes back those of a flood';

const RECENT = `received_at > now() - interval '1 hour'`;

export type TakeOptOut = ReturnType<typeof createTakeOptOut>;

/** Returns the function that records do-not-sell requests (docs/specification.md#do-not-sell). */
export function createTakeOptOut(
  people: People,
  limits: Settings['limits']['optOuts'],
  alert: Alerts,
) {
  const { pool, personKey, settings } = people;
  const queue = createBatcher<OptOutRequest, RecordedOptOut>({
    run: (requests) => Promise.all(requests.map(take)),
    key: ({ visitor }) => visitor.networkKey,
    maxItems: 1,
    maxConcurrent: MAX_CONCURRENT,
  });

  function take(request: OptOutRequest): Promise<RecordedOptOut> {
    const turn = [request.visitor.networkKey];
    const most = limits.perAddressPerHour;
    return inTransaction(pool, async (client) => {
      // Concurrent requests of one network wait for the inserted row, so that each request is counted.
      await client.query('insert into opt_out_turns (address_key) values ($1)', turn);
      await client.query('delete from opt_out_turns where address_key = $1', turn);
      const { rows } = await client.query<{ recent: number }>(
        `select count(*)::int as recent from opt_out_requests where address_key = $1 and ${RECENT}`,
        turn,
      );
      if (most > 0 && (rows[0]?.recent ?? 0) >= most) return leaveToOperator(client, request);
      const id = uuid();
      const by = { actor: actorOf(id), requestId: id, settings };
      return insert(client, id, request, 'honoured', await suppressKeys(client, request.keys, by));
    });
  }

  async function record(request: OptOutRequest): Promise<RecordedOptOut> {
    const taken = await (queue.pending < MAX_PENDING
      ? queue.add(request)
      : inTransaction(pool, (client) => leaveToOperator(client, request)));
    if (taken.outcome === 'waiting') alert(WAITING_ALERT);
    if (limits.alertPerHour > 0) await alertOfMany(limits.alertPerHour);
    return taken;
  }

  /** Raises an alert at each multiple of the hourly limit. */
  async function alertOfMany(many: number): Promise<void> {
    const { rows } = await pool.query<{ recent: number }>(
      `select count(*)::int as recent from opt_out_requests where ${RECENT}`,
    );
    const recent = rows[0]?.recent ?? 0;
    if (recent > 0 && recent % many === 0) alert(MANY_ALERT, { requests: recent });
  }

  /** Records a request, or returns the names of invalid fields. @throws StoreUnavailableError */
  return async (
    posted: Readonly<Record<string, string>>,
    language: Language,
    visitor: OptOutRequest['visitor'],
  ) => {
    const wrong = optOutErrors(posted);
    if (wrong.length > 0) return { wrong };
    const email = normaliseField('email', posted.email ?? '');
    const phone = phoneDigits(posted.phone ?? '');
    const key = (kind: PersonKeyKind, value: string) =>
      value === '' ? [] : [{ kind, key: personKey(kind, value) }];
    const request = {
      name: normaliseField('first_name', posted.name ?? ''),
      email,
      phone,
      state: normaliseField('state', posted.state ?? ''),
      language,
      keys: [...key('email', email), ...key('phone', phone)],
      visitor,
    };
    return { wrong: [], ...(await storeErrors(() => record(request))) };
  };
}

function leaveToOperator(client: Queryable, request: OptOutRequest) {
  return insert(client, uuid(), request, 'waiting', { leads: 0, stopped: 0, receipts: [] });
}

async function insert(
  client: Queryable,
  id: string,
  request: OptOutRequest,
  outcome: 'honoured' | 'waiting',
  done: { readonly leads: number; readonly stopped: number; readonly receipts: readonly object[] },
) {
  const { language, name, email, phone, state, keys, visitor } = request;
  const keyOf = (kind: string) => keys.find((each) => each.kind === kind)?.key ?? null;
  const { rows } = await client.query<{ at: Date }>(
    `insert into opt_out_requests (id, language, name, email, phone, state, email_key, phone_key, sec_gpc, ip,
       user_agent, page, address_key, outcome, leads, stopped, receipts)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     returning received_at as at`,
    [
      ...[id, language, name, email, phone, state, keyOf('email'), keyOf('phone')],
      ...[visitor.secGpc, visitor.address, visitor.userAgent, visitor.page, visitor.networkKey],
      ...[outcome, done.leads, done.stopped, JSON.stringify(done.receipts)],
    ],
  );
  return { reference: referenceOf(id), at: (rows[0] as { at: Date }).at, outcome };
}

/** Returns the name that stands for a do-not-sell request as the actor in `lead_events`. */
export function actorOf(requestId: string): string {
  return `a do-not-sell request (${referenceOf(requestId)})`;
}

/** Returns the end of a request's id, which is short enough to be read out on the phone. */
export function referenceOf(id: string): string {
  return id.slice(-12).toUpperCase();
}

/** SQL: true if a request contains the person's e-mail address or phone number. */
const OF_PERSON = '(email_key = any($1::text[]) or phone_key = any($2::text[]))';

export async function countOptOutRequests(client: Queryable, keys: readonly StoredPersonKey[]) {
  const { rows } = await client.query<{ requests: number }>(
    `select count(*)::int as requests from opt_out_requests where ${OF_PERSON}`,
    keysOfKinds(keys),
  );
  return rows[0]?.requests ?? 0;
}

/** Removes the personal data of a person's requests. */
export const emptyOptOutRequests = (client: Queryable, keys: readonly StoredPersonKey[]) =>
  emptyRequests(client, OF_PERSON, keysOfKinds(keys));

/** Removes the personal data of at most `most` requests that were received before a time. */
export function expireOptOutRequests(client: Queryable, before: Date, most: number) {
  const batch = `select id from opt_out_requests
    where received_at < $1 and (email <> '' or phone <> '') order by received_at limit $2`;
  return emptyRequests(client, `id = any(array(${batch}))`, [before, most]);
}

async function emptyRequests(client: Queryable, condition: string, values: unknown[]) {
  const { rows } = await client.query<{ id: string }>(
    `update opt_out_requests set name = '', email = '', phone = '', state = '', ip = null, user_agent = null,
       address_key = null, email_key = null, phone_key = null
     where ${condition} returning id`,
    values,
  );
  const subjects = rows.map(({ id }) => requestSubject(id));
  await forgetReasonsOf(client, subjects);
  return rows.length;
}
