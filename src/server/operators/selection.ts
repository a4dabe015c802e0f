/** Selects the leads that an operator asks about, and reads them in portions. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type pg from 'pg';
import { persistently, type Queryable } from '../storage/database.ts';
import type { ClickRow, DeliveryRow, LeadRevisionRow, LeadRow, Schema } from '../storage/schema.ts';
import { OperatorError } from './operator-error.ts';
import { estimateRows } from './portions.ts';

export type LeadSelection = {
  since?: Date | undefined;
  until?: Date | undefined;
  survey?: string | undefined;
  /** State of the lead or of one of its deliveries. */
  state?: string | undefined;
  qualified?: boolean | undefined;
};

/** Only what lists and exports show is read: a row costs the client about a microsecond a column. */
const LEAD_COLUMNS = [
  ...(['id', 'survey', 'flow', 'language', 'state', 'revision', 'is_test', 'qualified'] as const),
  ...(['dq_reason', 'lead_is_qualified', 'do_not_send_to_dq', 'variants'] as const),
  ...(['created_at', 'submitted_at'] as const),
] as const;
const DELIVERY_COLUMNS = [
  ...(['lead_id', 'destination', 'event_key', 'state', 'attempts', 'due_at'] as const),
  ...(['finished_at', 'external_id', 'last_message', 'end_reason'] as const),
] as const;

type ListedDelivery = Pick<DeliveryRow, (typeof DELIVERY_COLUMNS)[number]>;

/** A lead with its newest revision's fields and its deliveries. */
export type ListedLead = Pick<LeadRow, (typeof LEAD_COLUMNS)[number]> &
  Pick<LeadRevisionRow, 'fields' | 'problems'> & {
    /** The query parameters of its click; null: unknown, or no longer kept. */
    click: ClickRow['params'] | null;
    /** The time of arrival to the microsecond, as PostgreSQL writes it. */
    place: string;
    deliveries: ListedDelivery[];
  };

/** A lead's place among all, by its arrival. */
export type LeadPlace = Pick<ListedLead, 'place' | 'id'>;

/** The states that a selection accepts, of leads and of deliveries. */
export const SELECTABLE_STATES = [
  'accepted',
  'held',
  'dismissed',
  'erased',
  'waiting',
  'sending',
  'retrying',
  'delivered',
  'rejected',
  'dead',
  'uncertain',
  'no_destination',
  'suppressed',
] as const;

const LEAD_STATES: readonly string[] = ['accepted', 'held', 'dismissed', 'erased'];

/** Returns the selection as an SQL condition on `leads`. */
export function selected(selection: LeadSelection): RawBuilder<SqlBool> {
  const { since, until, survey = null, state, qualified = null } = selection;
  return sql<SqlBool>`(leads.created_at >= ${since ?? '-infinity'}::timestamptz
    and leads.created_at < ${until ?? 'infinity'}::timestamptz
    and (${survey}::text is null or leads.survey = ${survey})
    and (${qualified}::boolean is null or leads.qualified = ${qualified})
    and ${isIn(state)})`;
}

/**
 * Returns the part of a selection beyond a lead, as an SQL condition on `leads`. The place replaces the bound that it
 * lies beyond. With both, PostgreSQL takes the rest for smaller than a portion, and reads and sorts all of it.
 */
export function selectedBeyond(
  selection: LeadSelection,
  after: LeadPlace | undefined,
  comparison: '>' | '>=' | '<',
): RawBuilder<SqlBool> {
  if (after === undefined) return selected(selection);
  const passed = { [comparison === '<' ? 'until' : 'since']: undefined };
  return sql<SqlBool>`(${selected({ ...selection, ...passed })}
    and (leads.created_at, leads.id) ${sql.raw(comparison)} (${after.place}::timestamptz, ${after.id}::uuid))`;
}

/** SQL: whether a lead, or one of its deliveries, has the state. Deliveries are held with their lead only. */
function isIn(state: string | undefined): RawBuilder<SqlBool> {
  if (state === undefined) return sql`true`;
  if (LEAD_STATES.includes(state)) return sql`leads.state = ${state}`;
  // Few leads have most of these states: an index of deliveries finds them.
  return sql`leads.id in (select lead_id from deliveries where deliveries.state = ${state})`;
}

/**
 * Reads leads of a selection with their deliveries. Event deliveries are included only if something went wrong. Reads
 * again after a passing error: a standby cancels reads of rows that its primary removes.
 *
 * @param page.order by time of arrival.
 * @param page.after the last lead of the previous portion.
 */
export async function selectLeads(
  db: Kysely<Schema>,
  selection: LeadSelection,
  page: Page,
): Promise<ListedLead[]> {
  const read = async () => withDeliveries(db, await findLeads(db, selection, page));
  return persistently(read, AGAIN);
}

const AGAIN = { idempotent: true };

type FoundLead = Omit<ListedLead, 'deliveries'>;
type Page = {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly after?: LeadPlace | undefined;
};

function findLeads(
  db: Kysely<Schema>,
  selection: LeadSelection,
  { limit, order, after }: Page,
): Promise<FoundLead[]> {
  const beyond = selectedBeyond(selection, after, order === 'asc' ? '>' : '<');
  return leadsWithFields(db)
    .where(beyond)
    .orderBy('leads.created_at', order)
    .orderBy('leads.id', order)
    .limit(limit)
    .execute();
}

/** Reads leads by their ids, oldest first. Ids without a lead are passed over. */
export async function leadsById(db: Kysely<Schema>, ids: readonly string[]): Promise<ListedLead[]> {
  const leads = await leadsWithFields(db)
    .where(sql<SqlBool>`leads.id = any(${ids}::uuid[])`)
    .orderBy('leads.created_at')
    .orderBy('leads.id')
    .execute();
  return withDeliveries(db, leads);
}

function leadsWithFields(db: Kysely<Schema>) {
  return db
    .selectFrom('leads')
    .innerJoin('lead_revisions as newest', (join) =>
      join.onRef('newest.lead_id', '=', 'leads.id').onRef('newest.revision', '=', 'leads.revision'),
    )
    .select(LEAD_COLUMNS.map((name) => `leads.${name}` as const))
    .leftJoin('clicks as click', (join) =>
      join.onRef('click.lead_id', '=', 'leads.id').onRef('click.id', '=', 'leads.click_id'),
    )
    .select([
      'newest.fields',
      'newest.problems',
      'click.params as click',
      sql<string>`leads.created_at::text`.as('place'),
    ]);
}

async function withDeliveries(
  db: Kysely<Schema>,
  leads: readonly FoundLead[],
): Promise<ListedLead[]> {
  if (leads.length === 0) return [];
  const deliveries = await db
    .selectFrom('deliveries')
    .select(DELIVERY_COLUMNS)
    .where(sql<SqlBool>`lead_id = any(${leads.map((lead) => lead.id)}::uuid[])`)
    .where(sql<SqlBool>`(event is null or state not in ('waiting', 'sending', 'delivered'))`)
    .orderBy('destination')
    .orderBy('event_key')
    .execute();
  const byLead = Map.groupBy(deliveries, (delivery) => delivery.lead_id);
  return leads.map((lead) => ({ ...lead, deliveries: byLead.get(lead.id) ?? [] }));
}

/** How a long read is stopped. */
export type ReadOptions = {
  /** Stops before the next portion, by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Reads only what follows this lead. */
  readonly after?: LeadPlace | undefined;
  /** Default: 50 leads. Garbage collection takes longer over larger ones than the database over more of them. */
  readonly portion?: number;
};

/** So many portions are read while the caller works on one, so that it never waits for the database. */
const AHEAD = 2;

/**
 * Yields every lead of a selection in portions, oldest first, and reads ahead. No transaction stays open: a lost
 * connection costs one portion, which is read again.
 */
export async function* leadPortions(
  db: Kysely<Schema>,
  selection: LeadSelection,
  { signal, after: first, portion: limit = 50 }: ReadOptions = {},
): AsyncGenerator<readonly ListedLead[]> {
  const find = async (before?: Promise<FoundLead[]>): Promise<FoundLead[]> => {
    const last = await before;
    if (last !== undefined && last.length < limit) return [];
    const page = { limit, order: 'asc', after: last?.at(-1) ?? first } as const;
    return persistently(() => findLeads(db, selection, page), AGAIN);
  };
  const read = (before?: Reading): Reading => {
    const found = find(before?.found);
    const leads = found.then((all) => persistently(() => withDeliveries(db, all), AGAIN));
    // Awaited below; this prevents an unhandled rejection until then.
    leads.catch(() => undefined);
    return { found, leads };
  };
  const readings = [read()];
  for (;;) {
    while (readings.length <= AHEAD) readings.push(read(readings.at(-1)));
    const leads = (await readings.shift()?.leads) ?? [];
    signal?.throwIfAborted();
    if (leads.length > 0) yield leads;
    if (leads.length < limit) return;
  }
}

/** A portion that is being read. */
type Reading = { readonly found: Promise<FoundLead[]>; readonly leads: Promise<ListedLead[]> };

/** Returns a lead's place and the time of its arrival; undefined: there is no such lead. */
export async function findPlace(
  db: Kysely<Schema>,
  leadId: string,
): Promise<(LeadPlace & Pick<LeadRow, 'created_at'>) | undefined> {
  const query = db
    .selectFrom('leads')
    .select(['id', 'created_at', sql<string>`created_at::text`.as('place')])
    .where('id', '=', leadId);
  return persistently(() => query.executeTakeFirst(), AGAIN);
}

/** Returns about how many leads a selection has. */
export function estimateLeads(
  { pool, db }: { readonly pool: pg.Pool; readonly db: Kysely<Schema> },
  selection: LeadSelection,
): Promise<number | undefined> {
  return estimateRows(pool, sql`select 1 from leads where ${selected(selection)}`.compile(db));
}

/**
 * Finds the one lead whose id begins with `prefix`; hyphens are optional.
 *
 * @throws OperatorError `usage` when the prefix is malformed or ambiguous, `not_found` when no lead matches.
 */
export async function findLead(client: Queryable, prefix: string): Promise<LeadRow> {
  const digits = prefix.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{1,32}$/.test(digits)) {
    throw new OperatorError('usage', `"${prefix.slice(0, 40)}" is not the beginning of a lead id.`);
  }
  // A range of ids, which the primary key's index can answer.
  const { rows } = await client.query<LeadRow>(
    'select * from leads where id between $1 and $2 limit 2',
    [...idRange(digits)],
  );
  const [lead, another] = rows;
  if (lead === undefined) throw new OperatorError('not_found', `There is no lead ${prefix}.`);
  if (another !== undefined) {
    throw new OperatorError(
      'usage',
      `More than one lead begins with ${prefix}: give more of the id.`,
    );
  }
  return lead;
}

/** Returns the first and last id that begin with these hexadecimal digits. */
export function idRange(digits: string): readonly [string, string] {
  return [uuidOf(digits.padEnd(32, '0')), uuidOf(digits.padEnd(32, 'f'))];
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns a lead as JSON for lists and exports, without its history. */
export function listedJson(lead: ListedLead): Record<string, unknown> {
  return {
    lead_id: lead.id,
    received_at: lead.created_at,
    submitted_at: lead.submitted_at,
    survey: lead.survey,
    flow: lead.flow,
    language: lead.language,
    state: lead.state,
    revision: lead.revision,
    is_test: lead.is_test,
    qualified: lead.qualified,
    dq_reason: lead.dq_reason,
    lead_is_qualified: lead.lead_is_qualified,
    do_not_send_to_dq: lead.do_not_send_to_dq,
    variants: lead.variants,
    problems: lead.problems,
    fields: lead.fields,
    click: lead.click,
    deliveries: lead.deliveries.map((delivery) => ({
      destination: deliveryName(delivery),
      state: delivery.state,
      attempts: delivery.attempts,
      next_attempt_at: nextAttemptAt(delivery),
      finished_at: delivery.finished_at,
      external_id: delivery.external_id,
      message: delivery.last_message,
      end_reason: delivery.end_reason,
    })),
  };
}

/** Returns a delivery's name, unique within its lead: `ingest`, `webhook lead.accepted`. */
export function deliveryName({
  destination,
  event_key,
}: Pick<DeliveryRow, 'destination' | 'event_key'>): string {
  return `${destination} ${event_key}`.trim();
}

/** Returns the time of the next attempt, or null if none is planned. */
export function nextAttemptAt({
  state,
  due_at,
}: Pick<DeliveryRow, 'state' | 'due_at'>): Date | null {
  return state === 'waiting' || state === 'retrying' ? due_at : null;
}
