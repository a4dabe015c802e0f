/** Reads the list of leads page by page, and counts it. Contact details are masked. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type {
  LeadCountAnswer,
  LeadFilter,
  LeadListAnswer,
  LeadRowAnswer,
} from '../../../contract/console/leads.ts';
import { persistently } from '../../storage/database.ts';
import type { LeadRevisionRow, Schema } from '../../storage/schema.ts';
import { deliveryOfRow } from '../lead-page/words.ts';
import { maskEmail, maskName, maskPhone } from '../mask.ts';
import { type FilterContext, filterParts, leadFilterCondition } from './condition.ts';
import { findPlacesInTime, type ListPlace, onlyBitmaps, placeText, within } from './places.ts';

/** A database, and what filters depend on. */
export type LeadListContext = FilterContext & { readonly db: Kysely<Schema> };

/** Counting stops here, or when its time is up: the console says "more than". */
export const COUNT_LIMIT = 10_000;
const COUNT_MS = 120;
/** So many of the newest leads are counted first: of a common filter they are enough. */
const COUNTED_FIRST = 12_000;
/** The leads that are counted between two looks at the time. */
const COUNTED_AT_ONCE = 1_000;
const NEWER_LIMIT = 100;
const STATEMENT_TIMEOUT_MS = 5_000;

/** Returns one page of the list, newest or oldest leads first, with the place after which the next page begins. */
export function listLeads(
  context: LeadListContext,
  filter: LeadFilter,
  page: {
    readonly after?: ListPlace | undefined;
    readonly limit: number;
    readonly isOldestFirst?: boolean;
  },
): Promise<LeadListAnswer> {
  return briefly(context.db, async (database) => {
    const { limit, after, isOldestFirst = false } = page;
    const asOf = await countedUntil(database);
    const { places, lookedTo } = await findPlacesInTime(database, context, filter, {
      ...{ after, direction: isOldestFirst ? 'newer' : 'older', limit: limit + 1 },
    });
    const shown = places.slice(0, limit);
    const last = places.length > limit ? shown.at(-1) : lookedTo;
    return {
      rows: await rowsOf(database, shown),
      first: shown[0] === undefined ? null : placeText(shown[0]),
      next: last === undefined ? null : placeText(last),
      asOf,
    };
  });
}

/** Counts the leads of a filter, up to `COUNT_LIMIT` and for a bounded time. */
export function countLeads(context: LeadListContext, filter: LeadFilter): Promise<LeadCountAnswer> {
  return briefly(context.db, async (database) => {
    const newest = await countNewest(database, context, filter);
    const isEnough = newest.looked < COUNTED_FIRST || newest.count > COUNT_LIMIT;
    const all = isEnough ? newest : await countAll(database, context, filter);
    const count = Math.max(newest.count, all.count);
    const isExact = all.isExact && count <= COUNT_LIMIT;
    return { count: Math.min(count, COUNT_LIMIT), isExact };
  });
}

async function countNewest(
  database: Transaction<Schema>,
  context: FilterContext,
  filter: LeadFilter,
): Promise<LeadCountAnswer & { readonly looked: number }> {
  const { period, plain, few } = filterParts(filter, context);
  // Few leads match, and an index finds them.
  if (few !== undefined) return { looked: COUNTED_FIRST, count: 0, isExact: false };
  const { rows } = await sql<{ looked: number; count: number }>`
    select count(*)::integer as looked, (count(*) filter (where ${plain}))::integer as count from (
      select * from visit_summaries where ${period}
      order by received_at desc, lead_id desc limit ${COUNTED_FIRST}
    ) visit_summaries`.execute(database);
  const { looked = 0, count = 0 } = rows[0] ?? {};
  return { looked, count, isExact: looked < COUNTED_FIRST };
}

async function countAll(
  database: Transaction<Schema>,
  context: FilterContext,
  filter: LeadFilter,
): Promise<LeadCountAnswer> {
  const endMs = performance.now() + COUNT_MS;
  let count = 0;
  let isExact = false;
  await within(database, COUNT_MS, async () => {
    if (filterParts(filter, context).isNarrowed) await onlyBitmaps(database);
    else await sql`set local enable_seqscan = off`.execute(database);
    await sql`declare counted no scroll cursor for
      select 1 from visit_summaries where ${leadFilterCondition(filter, context)}`.execute(
      database,
    );
    while (!isExact && count <= COUNT_LIMIT && performance.now() < endMs) {
      const { rows } = await sql`fetch ${sql.lit(COUNTED_AT_ONCE)} from counted`.execute(database);
      count += rows.length;
      isExact = rows.length < COUNTED_AT_ONCE;
    }
  });
  return { count, isExact };
}

/** Counts the leads of a filter that arrived after a place in the list, up to 100. */
export function countNewer(
  context: LeadListContext,
  filter: LeadFilter,
  after: ListPlace | undefined,
): Promise<LeadCountAnswer> {
  return briefly(context.db, async (database) => {
    const part = { after, direction: 'newer', limit: NEWER_LIMIT + 1 } as const;
    const { places, lookedTo } = await findPlacesInTime(database, context, filter, part);
    const count = Math.min(places.length, NEWER_LIMIT);
    return { count, isExact: places.length <= NEWER_LIMIT && lookedTo === undefined };
  });
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
  readonly fields: LeadRevisionRow['fields'] | null;
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
      s.variants, s.revision, sent.deliveries, newest.fields
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

function maskedRow({ fields, ...row }: StoredRow): LeadRowAnswer {
  const { first_name, last_name, phone, email } = (fields ?? {}) as Readonly<
    Record<string, string | undefined>
  >;
  return {
    ...row,
    receivedAt: row.receivedAt.toISOString(),
    name: maskName(first_name ?? '', last_name ?? ''),
    phone: maskPhone(phone ?? ''),
    email: maskEmail(email ?? ''),
    variants: row.variants.join(' '),
    deliveries: row.deliveries
      .map((entry) => {
        const at = entry.lastIndexOf(':');
        return deliveryOfRow(entry.slice(0, at), entry.slice(at + 1));
      })
      .toSorted((one, other) => Number(other.isBuyer) - Number(one.isBuyer)),
  };
}

/** Runs reads in one transaction whose statements end after 5 s; then it throws a passing error. */
export function briefly<Result>(
  db: Kysely<Schema>,
  work: (database: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  const reads = db.transaction().setIsolationLevel('repeatable read');
  const read = () =>
    reads.execute(async (transaction) => {
      await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT_MS)}`.execute(
        transaction,
      );
      return work(transaction);
    });
  // A standby cancels reads of rows that its primary removes.
  return persistently(read, { idempotent: true });
}
