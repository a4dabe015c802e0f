/** Reads the list of leads page by page, and counts it. Contact details are masked. */
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type {
  LeadCountAnswer,
  LeadFilter,
  LeadListAnswer,
  LeadRowAnswer,
} from '../../../contract/console/leads.ts';
import type { Schema } from '../../storage/schema.ts';
import { maskEmail, maskName, maskPhone } from '../mask.ts';
import { OperatorError } from '../operator-error.ts';
import {
  dayNumber,
  type FilterContext,
  type FilterParts,
  filterParts,
  leadFilterCondition,
} from './condition.ts';

/** A database, and what filters depend on. */
export type LeadListContext = FilterContext & { readonly db: Kysely<Schema> };

/** How many leads the newest-first walk looks at before the index of facets is asked. */
const WALK = 20_000;
/** Counting stops here: the console says "more than". */
export const COUNT_LIMIT = 10_000;
const NEWER_LIMIT = 100;
const STATEMENT_TIMEOUT_MS = 5_000;

/** A place in the list: the time of arrival in microseconds since 1970, and the lead's id. */
export type ListPlace = { readonly micros: string; readonly leadId: string };

/** Reads the text of a place. @throws OperatorError `usage` */
export function readPlace(text: string): ListPlace {
  const [, micros, leadId] =
    /^(\d{1,17})_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(text) ?? [];
  if (micros === undefined || leadId === undefined) {
    throw new OperatorError('usage', 'That is no place in the list of leads.');
  }
  return { micros, leadId };
}

/** Writes a place as text for `readPlace`. */
export function placeText({ micros, leadId }: ListPlace): string {
  return `${micros}_${leadId}`;
}

/** Returns one page of the list, newest leads first, with the place after which the next page begins. */
export function listLeads(
  context: LeadListContext,
  filter: LeadFilter,
  page: { readonly after?: ListPlace | undefined; readonly limit: number },
): Promise<LeadListAnswer> {
  return briefly(context.db, async (database) => {
    const { limit, after } = page;
    const asOf = await countedUntil(database);
    const found = await findPlaces(database, context, filter, {
      ...{ after, direction: 'older', limit: limit + 1 },
    });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      rows: await rowsOf(database, shown),
      first: shown[0] === undefined ? null : placeText(shown[0]),
      next: last === undefined ? null : placeText(last),
      asOf,
    };
  });
}

/** Counts the leads of a filter, up to `COUNT_LIMIT`. */
export function countLeads(context: LeadListContext, filter: LeadFilter): Promise<LeadCountAnswer> {
  return briefly(context.db, async (database) => {
    await sql`set local enable_seqscan = off`.execute(database);
    const { rows } = await sql<{ found: number }>`
      select count(*)::integer as found from (
        select 1 from visit_summaries where ${leadFilterCondition(filter, context)}
        limit ${COUNT_LIMIT + 1}) as bounded`.execute(database);
    const found = rows[0]?.found ?? 0;
    return { count: Math.min(found, COUNT_LIMIT), isExact: found <= COUNT_LIMIT };
  });
}

/** Counts the leads of a filter that arrived after a place in the list, up to 100. */
export function countNewer(
  context: LeadListContext,
  filter: LeadFilter,
  after: ListPlace | undefined,
): Promise<LeadCountAnswer> {
  return briefly(context.db, async (database) => {
    const part = { after, direction: 'newer', limit: NEWER_LIMIT + 1 } as const;
    const { length } = await findPlaces(database, context, filter, part);
    return { count: Math.min(length, NEWER_LIMIT), isExact: length <= NEWER_LIMIT };
  });
}

/** A part of the list: a number of leads after a place. */
type ListPart = {
  readonly after: ListPlace | undefined;
  readonly direction: 'older' | 'newer';
  readonly limit: number;
};

/**
 * Finds the next leads of a filter. Walks the nearest leads first: most filters fill a page within a few hundred. The
 * leads of a filter that does not are rare or far away, and the index of facets finds them day by day. A search
 * finds few leads at once.
 */
export async function findPlaces(
  database: Transaction<Schema>,
  context: FilterContext,
  filter: LeadFilter,
  part: ListPart,
): Promise<ListPlace[]> {
  const parts = filterParts(filter, context);
  const place = beyond(part.after, part.direction);
  const run = async (statement: RawBuilder<ListPlace>) => (await statement.execute(database)).rows;
  if (parts.search === undefined) {
    const walked = await run(walkStatement(parts, place, part));
    if (walked.length === part.limit) return walked;
  }
  // The planner would walk the time index, which takes seconds if the leads are far away.
  await sql`set local enable_seqscan = off`.execute(database);
  return run(
    parts.search ? searchStatement(parts, place, part) : daysStatement(parts, place, part),
  );
}

const PLACE = sql`(extract(epoch from received_at) * 1000000)::bigint::text as micros, lead_id as "leadId"`;

/** Returns the order of a list by its time index. */
function inOrder({ direction }: ListPart): RawBuilder<unknown> {
  return direction === 'older'
    ? sql`order by received_at desc, lead_id desc`
    : sql`order by received_at, lead_id`;
}

function walkStatement(
  { period, plain }: FilterParts,
  place: RawBuilder<SqlBool>,
  part: ListPart,
): RawBuilder<ListPlace> {
  return sql`
    select ${PLACE} from (
      select * from visit_summaries where ${period} and ${place} ${inOrder(part)} limit ${WALK}
    ) visit_summaries where ${plain} ${inOrder(part)} limit ${part.limit}`;
}

function searchStatement(
  { period, plain, search, facets }: FilterParts,
  place: RawBuilder<SqlBool>,
  part: ListPart,
): RawBuilder<ListPlace> {
  return sql`
    with found as materialized (
      select received_at, lead_id from visit_summaries
      where ${period} and ${place} and ${plain} and ${facets} and ${search}
    )
    select ${PLACE} from found ${inOrder(part)} limit ${part.limit}`;
}

/**
 * Each day is found by the index of facets and sorted by itself, so that reading ends with the day that fills the page.
 * `offset 0` keeps the planner from walking the time index for each day instead.
 */
function daysStatement(
  { period, plain, facetsOn }: FilterParts,
  place: RawBuilder<SqlBool>,
  part: ListPart,
): RawBuilder<ListPlace> {
  const [first, last, step] = part.direction === 'older' ? ['max', 'min', -1] : ['min', 'max', 1];
  const end = (name: unknown) =>
    sql`(select ${dayNumber(sql`${sql.raw(String(name))}(received_at)`)} from visit_summaries
      where ${period} and ${place})`;
  return sql`
    select ${PLACE} from (
      select found.* from generate_series(${end(first)}, ${end(last)}, ${step}::integer) as days(day)
      cross join lateral (
        select * from (
          select received_at, lead_id from visit_summaries
          where ${facetsOn(sql`days.day`)} and ${period} and ${place} and ${plain} offset 0
        ) as of_day ${inOrder(part)} limit ${part.limit}
      ) as found limit ${part.limit}
    ) as page ${inOrder(part)}`;
}

/** Returns the condition on leads that come after a place. */
function beyond(place: ListPlace | undefined, direction: 'older' | 'newer'): RawBuilder<SqlBool> {
  if (place === undefined) return sql`true`;
  const comparison = sql.raw(direction === 'older' ? '<' : '>');
  return sql`(visit_summaries.received_at, visit_summaries.lead_id) ${comparison}
    ('epoch'::timestamptz + ${place.micros}::bigint * interval '1 microsecond', ${place.leadId}::uuid)`;
}

/** Returns the time up to which arrivals are certainly in the list; null: nothing was counted yet. */
async function countedUntil(database: Kysely<Schema>): Promise<string | null> {
  const { rows } = await sql<{ at: Date | null }>`select counted_until as at from counting`.execute(
    database,
  );
  return rows[0]?.at?.toISOString() ?? null;
}

type StoredRow = Omit<
  LeadRowAnswer,
  'receivedAt' | 'name' | 'phone' | 'email' | 'variants' | 'deliveries'
> & {
  readonly receivedAt: Date;
  readonly variants: readonly string[];
  readonly deliveries: readonly string[];
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
  readonly email: string | null;
};

/** Returns the masked rows of leads, in the order given. Open deliveries change often, so the ledger tells states. */
async function rowsOf(
  database: Kysely<Schema>,
  places: readonly ListPlace[],
): Promise<LeadRowAnswer[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<StoredRow>`
    select s.lead_id as id, s.received_at as "receivedAt", s.survey, s.language, s.lead_state as state,
      s.qualified, s.reason, s.holds, s.is_test as "isTest", s.us_state as "usState", s.source, s.affiliate,
      s.variants, s.revision, sent.deliveries, newest.fields->>'first_name' as "firstName",
      newest.fields->>'last_name' as "lastName", newest.fields->>'phone' as phone,
      newest.fields->>'email' as email
    from visit_summaries s left join lead_revisions newest
      on newest.lead_id = s.lead_id and newest.revision = s.revision
    cross join lateral (
      select coalesce(array_agg(destination || ':' || deliveries.state order by destination), '{}') as deliveries
      from deliveries where deliveries.lead_id = s.lead_id and event_key = ''
    ) as sent
    where s.lead_id = any(${places.map(({ leadId }) => leadId)}::uuid[])`.execute(database);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap(({ leadId }) => {
    const row = byId.get(leadId);
    return row === undefined ? [] : [maskedRow(row)];
  });
}

function maskedRow({ firstName, lastName, ...row }: StoredRow): LeadRowAnswer {
  return {
    ...row,
    receivedAt: row.receivedAt.toISOString(),
    name: maskName(firstName ?? '', lastName ?? ''),
    phone: maskPhone(row.phone ?? ''),
    email: maskEmail(row.email ?? ''),
    variants: row.variants.join(' '),
    deliveries: row.deliveries.map((entry) => {
      const at = entry.lastIndexOf(':');
      return { destination: entry.slice(0, at), state: entry.slice(at + 1) };
    }),
  };
}

/** Runs reads in one transaction whose statements end after 5 s; then it throws a passing error. */
export function briefly<Result>(
  db: Kysely<Schema>,
  work: (database: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT_MS)}`.execute(transaction);
    return work(transaction);
  });
}
