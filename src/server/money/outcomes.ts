/** Takes what buyers report about leads that they got (docs/specification.md#outcomes-and-returns). */
import { hash } from 'node:crypto';
import type pg from 'pg';
import { calendarDate, formatIso } from '../../model/fields/dates.ts';
import type { OutcomeImport } from '../../model/messages/console/returns.ts';
import { outcomeKinds, returnReasons } from '../../model/messages/money.ts';
import { priceOf } from '../../model/rules/choose-buyers.ts';
import { type EventListener, planLeadEvents, readBuyers, usStateOf } from '../delivery/index.ts';
import { isReturned } from '../leads/index.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import type { Jobs, Turn } from '../platform/database/jobs.ts';
import { usage } from '../platform/operator-error.ts';
import { centsOf, dayIn, readTable } from './csv.ts';

/** What a buyer reports about one lead. A second outcome with the same message id changes nothing. */
export type NewOutcome = ReturnType<typeof readOutcome> & { readonly id: string };

/** Matches the id of a lead, but no e-mail address and no number such as 512-555-0100. */
const REFERENCE = /^(?!\d{3}[.-]\d{3}[.-]\d{4}$)[\w.:-]{1,100}$/;
const TIME_WITH_ZONE = /T.+(Z|[+-]\d\d:\d\d)$/;
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000;

/** Returns a text or number as text, '' for a missing value, and '?' for anything else. */
function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
  return value === undefined || value === null ? '' : '?';
}

/** Returns a code that may be written as words, such as `No contact`. */
const codeOf = (value: unknown) => textOf(value).toLowerCase().replaceAll(/[ -]+/g, '_');

/**
 * Reads an outcome from the object of a message or the row of an import. `sentAt` is the time of an
 * outcome that names none. The amount is in US dollars. @throws OperatorError `usage`, which does not quote the value
 */
export function readOutcome(given: unknown, now: Date, sentAt = now) {
  const values = (given ?? {}) as Readonly<Record<string, unknown>>;
  const { lead_id, external_id, outcome, reason, amount, at } = values;
  const reference = textOf(lead_id) || textOf(external_id);
  if (!REFERENCE.test(reference)) {
    throw usage(
      '"lead_id" or "external_id" must be an id of at most 100 letters, digits and "-_.:".',
    );
  }
  const kind = outcomeKinds.find((each) => each === codeOf(outcome));
  if (kind === undefined) throw usage(`"outcome" must be one of ${outcomeKinds.join(', ')}.`);
  const code = returnReasons.find((each) => each === codeOf(reason));
  if (code === undefined && (textOf(reason) !== '' || kind === 'returned' || kind === 'declined')) {
    throw usage(`"reason" must be one of ${returnReasons.join(', ')}.`);
  }
  const dollars = textOf(amount);
  const cents = dollars === '' ? null : (centsOf(dollars) ?? -1);
  if (cents !== null && cents < 0) throw usage('"amount" must be US dollars, such as 1250.00.');
  const time = textOf(at);
  const day = dayIn(time);
  if (time !== '' && day === undefined) {
    throw usage('"at" must be a day (2026-11-20) or a time with its zone (2026-11-20T14:30:00Z).');
  }
  const happened = day ? new Date(TIME_WITH_ZONE.test(time) ? time : `${day}T12:00Z`) : sentAt;
  if (!(happened.getTime() <= now.getTime() + MOST_AHEAD_MS)) throw usage('"at" is in the future.');
  // A day without a time means noon, which can be in the future.
  const past = happened > now ? now : happened;
  return { reference, kind, reason: code ?? ('' as const), amount: cents && cents / 100, at: past };
}

/** Returns SQL for our id of a lead in a text of a buyer. Null: the text is another id. */
export const leadIdIn = (text: string) =>
  `case when ${text} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`;

/** SQL: the delivery of the lead that an outcome names, if its buyer got that lead. */
const deliveryOf = (outcome: string) => `
select d.id, d.lead_id from deliveries d
where d.destination = ${outcome}.destination and d.event_key = '' and d.state in ('delivered', 'uncertain')
  and d.id in (
    select id from deliveries where external_id = ${outcome}.reference
    union all select id from deliveries
    where lead_id = ${leadIdIn(`${outcome}.reference`)})
order by d.finished_at, d.id limit 1`;

const STORE = `
with given as (
  select $2 as destination, * from jsonb_to_recordset($1::jsonb)
    as o(id text, reference text, kind text, reason text, amount numeric, at timestamptz)
)
insert into outcomes (id, destination, reference, lead_id, delivery_id, kind, reason, amount, at, source)
select given.id, given.destination, reference, got.lead_id, got.id, kind, reason, amount, at, $3
from given left join lateral (${deliveryOf('given')}) as got on true
order by given.id
on conflict (id) do nothing
returning id, delivery_id`;

/** The numbers of outcomes of a message or a portion of an import. */
export type TakenOutcomes = Omit<OutcomeImport, 'refused'>;

/** Stores outcomes of one buyer, and records the sales that its terms owe at `signed`. */
export async function takeOutcomes(
  pool: pg.Pool,
  outcomes: readonly NewOutcome[],
  by: {
    /** The buyer. */
    readonly destination: string;
    readonly source: 'webhook' | 'import';
    readonly actor: string;
    readonly listeners: readonly EventListener[];
    readonly isDryRun?: boolean;
  },
): Promise<TakenOutcomes> {
  const rollback = new Error('A dry run ends with a rollback');
  let stored: { readonly id: string; readonly delivery_id: string | null }[] = [];
  const work = async (client: Queryable) => {
    const values = [JSON.stringify(outcomes), by.destination, by.source];
    ({ rows: stored } = await client.query(STORE, values));
    await recordSigned(client, stored, by.actor, by.listeners);
    if (by.isDryRun) throw rollback;
  };
  await inTransaction(pool, work, { idempotent: true }).catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return {
    stored: stored.length,
    repeated: outcomes.length - stored.length,
    unknown: stored.filter((one) => one.delivery_id === null).length,
  };
}

const HEADINGS = {
  lead_id: ['lead id', 'lead'],
  external_id: ['external id', 'id'],
  outcome: ['outcome', 'disposition', 'status'],
  reason: ['reason'],
  amount: ['amount'],
  at: ['at', 'date', 'time'],
};
const IMPORT_PORTION = 1_000;

/**
 * Stores the outcomes of a buyer's CSV file. A row that was imported before changes nothing.
 * @throws OperatorError `usage` if the file has too many lines or a column is missing
 */
export async function importOutcomes(
  pool: pg.Pool,
  csv: string,
  by: Omit<Parameters<typeof takeOutcomes>[2], 'source'>,
): Promise<OutcomeImport> {
  const { columns, lines, refused } = readTable(csv, HEADINGS, (cells): NewOutcome => {
    const row = hash('sha256', JSON.stringify(Object.values(cells)));
    return { id: `${by.destination} row ${row}`, ...readOutcome(cells, new Date()) };
  });
  if (!columns.outcome || !(columns.lead_id ?? columns.external_id)) {
    throw usage('The first line must name the columns "outcome" and "lead_id" or "external_id".');
  }
  const total = { stored: 0, repeated: 0, unknown: 0 };
  for (let at = 0; at < lines.length; at += IMPORT_PORTION) {
    const portion = lines.slice(at, at + IMPORT_PORTION);
    const taken = await takeOutcomes(pool, portion, { ...by, source: 'import' });
    for (const name of ['stored', 'repeated', 'unknown'] as const) total[name] += taken[name];
  }
  return { ...total, refused };
}

/** SQL: the leads that the outcomes $1 call signed, each with its earliest outcome. */
const SIGNED = `
select distinct on (d.id) d.id as "deliveryId", d.destination, o.at, l.id as "leadId", l.survey,
  coalesce(d.chosen_at, d.created_at) as "soldAt", ${usStateOf('r')} as state,
  not l.is_test and not ${isReturned('d')} as "isOwed"
from outcomes o join deliveries d on d.id = o.delivery_id join leads l on l.id = d.lead_id
join lead_revisions r on r.lead_id = l.id and r.revision = l.revision
where o.id = any($1) and o.kind = 'signed' order by d.id, o.at`;

type SignedLead = Record<'deliveryId' | 'destination' | 'leadId' | 'survey' | 'state', string> &
  Record<'at' | 'soldAt', Date> & { isOwed: boolean };

/** SQL: locks the deliveries of signed leads, so that a sale and the acceptance of its return wait for each other. */
const LOCK_SIGNED = `
select 1 from deliveries where id in (select delivery_id from outcomes where id = any($1) and kind = 'signed')
order by id for no key update`;

const ADD_SALES = `
insert into money_entries (id, key, kind, amount, at, lead_id, delivery_id, destination, source, reason, actor)
select gen_random_uuid(), 'signed ' || "deliveryId", 'sale', value, at, "leadId", "deliveryId", destination, 'outcome', 'signed', $2
from jsonb_to_recordset($1::jsonb)
  as sale("leadId" uuid, "deliveryId" uuid, destination text, at timestamptz, value numeric)
where value is not null order by "deliveryId"
on conflict (key) do nothing`;

/** Adds a sale for each signed lead that is owed at `signed` and was not returned, and plans the event `lead.signed`. */
async function recordSigned(
  client: Queryable,
  outcomes: readonly { readonly id: string }[],
  actor: string,
  listeners: readonly EventListener[],
): Promise<void> {
  const ids = outcomes.map(({ id }) => id);
  const { rowCount } = await client.query(LOCK_SIGNED, [ids]);
  if (rowCount === 0) return;
  const { rows } = await client.query<SignedLead>(SIGNED, [ids]);
  const buyers = await readBuyers(client);
  const sales = rows.map(({ isOwed, soldAt, ...lead }) => {
    const terms = buyers.find((buyer) => buyer.destination === lead.destination)?.terms;
    const day = formatIso(calendarDate(soldAt, terms?.timeZone ?? 'UTC'));
    const price = terms && isOwed && priceOf(terms, { ...lead, day, owedAt: 'signed' });
    return { ...lead, value: price || null };
  });
  await client.query(ADD_SALES, [JSON.stringify(sales), actor]);
  const events = sales.map(({ leadId, deliveryId: delivery_id, destination, value }) => {
    const about = { delivery_id, destination, value, currency: 'USD' } as const;
    return { leadId, event: { type: 'lead.signed' as const, ...about } };
  });
  await planLeadEvents(client, events, listeners);
}

const JOB = 'outcomes';
const MATCH_EVERY_MS = 60_000;

const UNKNOWN = `
select unknown.id, got.lead_id, got.id as delivery_id
from outcomes as unknown cross join lateral (${deliveryOf('unknown')}) as got
where unknown.lead_id is null and received_at > now() - interval '7 days'
  and not exists (select 1 from set_aside where job = '${JOB}' and item = unknown.id and retry_at > now())
order by received_at, unknown.id limit 500`;

const MATCH = `
update outcomes o set lead_id = got.lead_id, delivery_id = got.delivery_id
from jsonb_to_recordset($1::jsonb) as got(id text, lead_id uuid, delivery_id uuid)
where o.id = got.id and o.lead_id is null`;

/** Matches at most 500 unknown outcomes with deliveries that have ended since. Returns how many it matched. */
export async function matchOutcomes(
  turn: Pick<Turn, 'pool' | 'doItems'>,
  listeners: readonly EventListener[],
): Promise<number> {
  const { rows } = await turn.pool.query<{ readonly id: string }>(UNKNOWN);
  await turn.doItems(
    rows,
    (one) => one.id,
    async (client, items) => {
      await client.query(MATCH, [JSON.stringify(items)]);
      await recordSigned(client, items, JOB, listeners);
    },
  );
  return rows.length;
}

/** Starts the job that matches unknown outcomes. Calls `wake` after it planned deliveries. */
export function startOutcomes(jobs: Jobs, listeners: readonly EventListener[], wake: () => void) {
  jobs.start({
    name: JOB,
    everyMs: MATCH_EVERY_MS,
    restFactor: 20,
    async run(turn) {
      if ((await matchOutcomes(turn, listeners)) > 0) wake();
    },
  });
}
