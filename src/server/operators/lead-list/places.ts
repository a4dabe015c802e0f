/** Finds the places of leads in the list. */
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import { isConnectionError, isPassingError } from '../../storage/database-error.ts';
import type { Schema } from '../../storage/schema.ts';
import { OperatorError } from '../operator-error.ts';
import { dayNumber, type FilterContext, type FilterParts, filterParts } from './condition.ts';

/** How many leads a walk looks at, at least, and for each lead of a longer page. */
const WALK = 5_000;
const WALK_PER_LEAD = 4;
/** Up to so many leads of a filter are read and sorted at once. */
const FEW = 2_000;
/** When each of the two statements behind the walk ends. */
const FIND_MS = 100;
/** Enough for one bit per lead that an index finds; else PostgreSQL would examine whole pages of leads. */
const BITMAP_MEMORY = '32MB';

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

/** A part of the list: a number of leads after a place. */
type ListPart = {
  readonly after: ListPlace | undefined;
  readonly direction: 'older' | 'newer';
  readonly limit: number;
};

/**
 * Finds the next leads of a filter. Walks the nearest leads first: most filters fill a page within a few hundred. The
 * leads of a filter that does not are few, which the indexes find at once, or far away, and the index of facets finds
 * them day by day.
 */
export async function findPlaces(
  database: Transaction<Schema>,
  context: FilterContext,
  filter: LeadFilter,
  part: ListPart,
): Promise<ListPlace[]> {
  const asked = askedOf(context, filter, part);
  const { places, lookedTo } = await walk(database, asked);
  return lookedTo === undefined ? places : lookUp(database, asked);
}

/** The leads that were found. `lookedTo`: the place beyond which nothing is known. */
type FoundPlaces = {
  readonly places: ListPlace[];
  readonly lookedTo?: ListPlace;
};

/**
 * Finds leads as `findPlaces`, but for a bounded time: then the page is what the walk has found, perhaps nothing, and
 * the next page walks on from `lookedTo`.
 */
export async function findPlacesInTime(
  database: Transaction<Schema>,
  context: FilterContext,
  filter: LeadFilter,
  part: ListPart,
): Promise<FoundPlaces> {
  const asked = askedOf(context, filter, part);
  const walked = await walk(database, asked);
  if (walked.lookedTo === undefined) return walked;
  const places = await within(database, FIND_MS, () => lookUp(database, asked));
  return places === undefined ? walked : { places };
}

/**
 * Runs reads whose statements each end after a time.
 *
 * @returns undefined if one was ended
 */
export async function within<Result>(
  database: Transaction<Schema>,
  ms: number,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const goBack = () => sql`rollback to savepoint within_time`.execute(database);
  await sql`savepoint within_time`.execute(database);
  await sql`set local statement_timeout = ${sql.lit(ms)}`.execute(database);
  try {
    return await work();
  } catch (error) {
    if (isConnectionError(error) || !isPassingError(error)) throw error;
    return undefined;
  } finally {
    // Takes back the settings of the work, too. On a busy machine the way back may itself run out of time.
    await goBack().catch(goBack);
  }
}

/** Keeps the planner from walking the time index, which takes seconds if the leads are far away. */
export async function onlyBitmaps(database: Transaction<Schema>): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
    set_config('work_mem', ${BITMAP_MEMORY}, true)`.execute(database);
}

type Asked = ListPart & { readonly parts: FilterParts; readonly place: RawBuilder<SqlBool> };

function askedOf(context: FilterContext, filter: LeadFilter, part: ListPart): Asked {
  const place = beyond(part.after, part.direction);
  return { ...part, place, parts: filterParts(filter, context) };
}

async function run<Row>(database: Transaction<Schema>, statement: RawBuilder<Row>): Promise<Row[]> {
  return (await statement.execute(database)).rows;
}

/** Looks at the nearest leads. What few leads match has an index, which is faster than a walk. */
async function walk(database: Transaction<Schema>, asked: Asked): Promise<FoundPlaces> {
  if (asked.parts.few !== undefined) return { places: await lookUp(database, asked) };
  const places = await run(database, walkStatement(asked));
  if (places.length === asked.limit) return { places };
  const [lookedTo] = await run(database, edgeStatement(asked));
  return lookedTo === undefined ? { places } : { places, lookedTo };
}

async function lookUp(database: Transaction<Schema>, asked: Asked): Promise<ListPlace[]> {
  const [days] = await run(database, daysOf(asked));
  await onlyBitmaps(database);
  const few = await run(database, fewStatement(asked));
  if ((few[0]?.found ?? 0) <= FEW || days === undefined) return few;
  return run(database, daysStatement(asked, days));
}

const PLACE = sql`(extract(epoch from received_at) * 1000000)::bigint::text as micros, lead_id as "leadId"`;

/** Returns the order of a list by its time index. */
function inOrder({ direction }: ListPart): RawBuilder<unknown> {
  return direction === 'older'
    ? sql`order by received_at desc, lead_id desc`
    : sql`order by received_at, lead_id`;
}

function walkOf({ limit }: ListPart): number {
  return Math.max(WALK, WALK_PER_LEAD * limit);
}

function walkStatement(asked: Asked): RawBuilder<ListPlace> {
  const { parts, place, limit } = asked;
  return sql`
    select ${PLACE} from (
      select * from visit_summaries where ${parts.period} and ${place}
      ${inOrder(asked)} limit ${walkOf(asked)}
    ) visit_summaries where ${parts.plain} ${inOrder(asked)} limit ${limit}`;
}

/** Returns the last place of the walk. No row: the walk has seen every lead. */
function edgeStatement(asked: Asked): RawBuilder<ListPlace> {
  const { parts, place } = asked;
  return sql`
    select ${PLACE} from visit_summaries where ${parts.period} and ${place}
    ${inOrder(asked)} limit 1 offset ${walkOf(asked) - 1}`;
}

function fewStatement(asked: Asked): RawBuilder<ListPlace & { readonly found: number }> {
  const { parts, place, limit } = asked;
  const { period, plain, facets, few = sql<SqlBool>`true` } = parts;
  return sql`
    with found as materialized (
      select received_at, lead_id from visit_summaries
      where ${period} and ${place} and ${plain} and ${facets} and ${few} limit ${FEW + 1}
    )
    select ${PLACE}, (count(*) over ())::integer as found from found ${inOrder(asked)} limit ${limit}`;
}

type Days = { readonly first: number; readonly last: number };

/** Returns the days of the first and the last lead of a period. */
function daysOf({ parts, place, direction }: Asked): RawBuilder<Days> {
  const day = (end: 'min' | 'max') => sql`(select ${dayNumber(sql`${sql.raw(end)}(received_at)`)}
    from visit_summaries where ${parts.period} and ${place})`;
  const [first, last] = direction === 'older' ? [day('max'), day('min')] : [day('min'), day('max')];
  return sql`select ${first} as first, ${last} as last`;
}

/** Each day is found by the index of facets and sorted by itself, so that reading ends with the day that fills the page. */
function daysStatement(asked: Asked, { first, last }: Days): RawBuilder<ListPlace> {
  const { parts, place, limit, direction } = asked;
  const { period, plain, facetsOn, few = sql<SqlBool>`true` } = parts;
  const step = direction === 'older' ? -1 : 1;
  return sql`
    select ${PLACE} from (
      select found.* from generate_series(${first}::integer, ${last}::integer, ${step}::integer) as days(day)
      cross join lateral (
        select received_at, lead_id from visit_summaries
        where ${facetsOn(sql`days.day`)} and ${period} and ${place} and ${plain} and ${few}
        ${inOrder(asked)} limit ${limit}
      ) as found limit ${limit}
    ) as page ${inOrder(asked)}`;
}

/** Returns the condition on leads that come after a place. */
function beyond(place: ListPlace | undefined, direction: 'older' | 'newer'): RawBuilder<SqlBool> {
  if (place === undefined) return sql`true`;
  const comparison = sql.raw(direction === 'older' ? '<' : '>');
  return sql`(visit_summaries.received_at, visit_summaries.lead_id) ${comparison}
    ('epoch'::timestamptz + ${place.micros}::bigint * interval '1 microsecond', ${place.leadId}::uuid)`;
}
