/** Reads the leads of a filter for lists, exports and bulk plans. */
import type {
  LeadCountAnswer,
  LeadFilter,
  LeadListAnswer,
  LeadRowAnswer,
  LeadValuesAnswer,
  SuggestedKey,
} from '../../model/messages/console/leads.ts';
import { NO_VALUE } from '../../model/messages/console/leads.ts';
import { readBuyerNames } from '../delivery/index.ts';
import { persistently, type Queryable } from '../platform/database/database.ts';
import { type Stored, storedColumns, wholeRevision } from '../platform/database/revisions.ts';
import type {
  ClickRow,
  DeliveryRow,
  LeadRevisionRow,
  LeadRow,
} from '../platform/database/schema.ts';
import { usage } from '../platform/operator-error.ts';
import { isoTime } from '../platform/time-format.ts';
import { type Bind, type LeadListContext, leadFilterCondition } from './lead-filter.ts';
import { maskEmail, maskName, maskPhone } from './masking.ts';
import { countedUntil } from './overview.ts';
import { type BuyerNames, deliveryOfRow } from './words.ts';

/** Counting stops at this number, so the console shows "more than" for larger counts. */
const COUNT_LIMIT = 10_000;
const VALUES_AMONG = 20_000;
const MOST_VALUES = 100;

/** A place in the list of leads: the lead's arrival time in microseconds since 1970, and its id. */
export type ListPlace = { readonly micros: string; readonly id: string };

/** Parses a place in the list. @throws OperatorError `usage` */
export function readPlace(text: string): ListPlace {
  const [, micros, id] = /^(\d{1,17})_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(text) ?? [];
  if (micros === undefined || id === undefined) {
    throw usage('That is no place in the list of leads.');
  }
  return { micros, id };
}

function placeText({ micros, id }: ListPlace): string {
  return `${micros}_${id}`;
}

/** A part of the list: at most `limit` leads after a place. */
export type ListPart = {
  readonly after?: ListPlace | undefined;
  /** Default: `older`. */
  readonly direction?: 'older' | 'newer';
  readonly limit: number;
};

const orderOf = (direction: ListPart['direction'], table = 'visit_summaries') =>
  direction === 'newer'
    ? `order by ${table}.received_at, ${table}.lead_id`
    : `order by ${table}.received_at desc, ${table}.lead_id desc`;

/** Reads a part of the list of leads that match a filter. */
async function readPart<Row extends object>(
  context: LeadListContext,
  filter: LeadFilter,
  { after, direction = 'older', limit }: ListPart,
  select: (part: string) => string,
): Promise<Row[]> {
  const isOlder = direction === 'older';
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  // `after` already limits the time. With two limits, PostgreSQL would choose a slow plan.
  const isPassed = after !== undefined && filter.by === undefined;
  const rest = isPassed ? { ...filter, [isOlder ? 'to' : 'from']: undefined } : filter;
  const beyond =
    after === undefined
      ? ''
      : `and (received_at, lead_id) ${isOlder ? '<' : '>'} ('epoch'::timestamptz
          + ${bind(after.micros)}::bigint * interval '1 microsecond', ${bind(after.id)}::uuid)`;
  const part = `select * from visit_summaries where ${leadFilterCondition(rest, context, bind)}
    ${beyond} ${orderOf(direction)} limit ${bind(limit)}`;
  return read(context.pool, select(`(${part})`), values);
}

/** Runs a query, and retries it if a standby server cancels the query. */
async function read<Row extends object>(
  pool: Queryable,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await persistently(() => pool.query<Row>(statement, values), {
    idempotent: true,
  });
  return rows;
}

/** Returns the ids of the leads in a part of the list. */
export async function leadIdsOf(
  context: LeadListContext,
  filter: LeadFilter,
  part: ListPart,
): Promise<string[]> {
  const select = (leads: string) => `select lead_id as id from ${leads} as part`;
  const rows = await readPart<{ id: string }>(context, filter, part, select);
  return rows.map(({ id }) => id);
}

/** A lead as the lead list shows it. */
export type ListedLead = Pick<
  LeadRow,
  | ('id' | 'flow' | 'state' | 'revision' | 'is_test' | 'qualified' | 'dq_reason' | 'survey')
  | ('language' | 'lead_is_qualified' | 'do_not_send_to_dq' | 'variants')
  | ('created_at' | 'submitted_at')
> &
  Pick<LeadRevisionRow, 'fields' | 'problems'> & {
    /** The time of arrival in microseconds since 1970. */
    readonly micros: string;
    readonly counted: Pick<
      LeadRowAnswer,
      ('survey' | 'language' | 'reason' | 'holds' | 'usState' | 'source' | 'affiliate') | 'variants'
    >;
    /** The query parameters of the ad click; null if there are none. */
    readonly click: ClickRow['params'] | null;
    readonly deliveries: readonly ListedDelivery[];
  };

type ListedDelivery = Pick<
  DeliveryRow,
  | ('destination' | 'event_key' | 'state' | 'attempts')
  | ('external_id' | 'last_message' | 'end_reason')
> & { readonly due_at: string | null; readonly finished_at: string | null };

/** Reads the leads in a part of the list. */
export async function readLeads(
  context: LeadListContext,
  filter: LeadFilter,
  part: ListPart,
): Promise<ListedLead[]> {
  const select = (leads: string) => `
    select l.id, l.survey, l.flow, l.language, l.state, l.revision, l.is_test, l.qualified, l.dq_reason,
      l.lead_is_qualified, l.do_not_send_to_dq, l.variants, l.created_at, l.submitted_at,
      (extract(epoch from s.received_at) * 1000000)::bigint::text as micros,
      json_build_object('survey', s.survey, 'language', s.language, 'reason', s.reason, 'holds', s.holds,
        'usState', s.us_state, 'source', s.source, 'affiliate', s.affiliate,
        'variants', array_to_string(s.variants, ' ')) as counted,
      ${storedColumns('newest')}, newest.problems, click.params as click,
      (select coalesce(json_agg(d order by destination, event_key), '[]') from (
        select destination, event_key, state, attempts, ${isoTime('due_at')} as due_at,
          ${isoTime('finished_at')} as finished_at, external_id, last_message, end_reason
        from deliveries where lead_id = s.lead_id
          and (event is null or deliveries.state not in ('waiting', 'sending', 'delivered'))
      ) as d) as deliveries
    from ${leads} as s
    join leads l on l.id = s.lead_id
    join lead_revisions newest on newest.lead_id = l.id and newest.revision = l.revision
    left join clicks click on click.lead_id = l.id and click.id = l.click_id
    ${orderOf(part.direction, 's')}`;
  const leads = await readPart<Stored<ListedLead>>(context, filter, part, select);
  return leads.map(wholeRevision).map(({ body: _, merged: __, ...lead }) => lead);
}

/** Returns a page of the lead list with masked contact details. */
export async function listLeads(
  context: LeadListContext,
  filter: LeadFilter,
  page: ListPart,
): Promise<LeadListAnswer> {
  const { limit } = page;
  const asOf = await countedUntil(context.pool);
  const buyerNames = await readBuyerNames(context.pool);
  const leads = await readLeads(context, filter, { ...page, limit: limit + 1 });
  const shown = leads.slice(0, limit);
  const [first, last] = [shown[0], leads.length > limit ? shown.at(-1) : undefined];
  return {
    rows: shown.map((lead) => maskedRow(lead, buyerNames)),
    first: first === undefined ? null : placeText(first),
    next: last === undefined ? null : placeText(last),
    asOf: asOf?.toISOString() ?? null,
  };
}

function maskedRow(
  { fields, counted, ...lead }: ListedLead,
  buyerNames: BuyerNames,
): LeadRowAnswer {
  const { first_name, last_name, phone, email } = fields as Readonly<
    Record<string, string | undefined>
  >;
  return {
    ...counted,
    id: lead.id,
    state: lead.state,
    qualified: lead.qualified,
    revision: lead.revision,
    receivedAt: lead.created_at.toISOString(),
    holds: lead.state === 'held' ? counted.holds : [],
    isTest: lead.is_test,
    name: maskName(first_name ?? '', last_name ?? ''),
    phone: maskPhone(phone ?? ''),
    email: maskEmail(email ?? ''),
    deliveries: lead.deliveries
      .filter(({ event_key }) => event_key === '')
      .map((delivery) => deliveryOfRow(lead.state, delivery, buyerNames))
      .toSorted((one, other) => Number(other.isBuyer) - Number(one.isBuyer)),
  };
}

/** Counts the leads of a filter, up to 10,000. */
export async function countLeads(
  context: LeadListContext,
  filter: LeadFilter,
  part: ListPart = { limit: COUNT_LIMIT },
): Promise<LeadCountAnswer> {
  const { limit } = part;
  const select = (leads: string) => `select count(*)::integer as count from ${leads} as part`;
  const over = { ...part, limit: limit + 1 };
  const [row] = await readPart<{ count: number }>(context, filter, over, select);
  const count = row?.count ?? 0;
  return { count: Math.min(count, limit), isExact: count <= limit };
}

/** SQL expressions for the filter keys that have no column in `visit_summaries`. */
const valueColumns: Readonly<Partial<Record<SuggestedKey, string>>> = {
  sub: 'unnest(sub_ids)',
  state: 'us_state',
  hold: 'unnest(holds)',
  variant: 'unnest(variants)',
  destination: `unnest(array(select distinct split_part(one, ':', 1) from unnest(deliveries) as one))`,
};
/** Filter keys that can also select the leads without a value. */
const CAN_BE_NONE: readonly SuggestedKey[] = ['source', 'campaign', 'affiliate', 'state'];

/** Returns the most frequent values of a filter key among the newest leads. */
export async function leadValues(
  { pool }: LeadListContext,
  key: SuggestedKey,
): Promise<LeadValuesAnswer> {
  const rows = await read<{ value: string; leads: number }>(
    pool,
    `select value, count(*)::integer as leads from (
      select ${valueColumns[key] ?? key} as value from (
        select * from visit_summaries where received_at is not null
        order by received_at desc, lead_id desc limit ${VALUES_AMONG}
      ) newest
    ) every_value
    where value <> '' or ${CAN_BE_NONE.includes(key)}
    group by value order by leads desc, value limit ${MOST_VALUES}`,
  );
  return {
    values: rows.map(({ value, leads }) => ({ value: value === '' ? NO_VALUE : value, leads })),
    of: VALUES_AMONG,
  };
}
