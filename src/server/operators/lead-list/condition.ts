/** Translates the filter of leads to SQL. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type LeadFilter, NO_VALUE } from '../../../contract/console/leads.ts';
import type { PersonKey } from '../../../intake/person-key.ts';
import type { Settings } from '../../config/settings.ts';
import { sameKey } from '../../storage/contact-keys.ts';
import { isBuyer } from '../lead-page/words.ts';
import { idRange } from '../selection.ts';
import { deliveryStates } from './filter.ts';
import { type LeadSearch, readSearch } from './search.ts';

/** The parameters of a click that identify it at a tracker or an advertising network. */
const clickIdNames = [
  ...['sub5', '_ef_transaction_id', 'transaction_id', 'gclid', 'gbraid', 'wbraid', 'fbclid'],
  ...['ttclid', 'msclkid', 'li_fat_id', 'twclid', 'rdt_cid'],
];

/** What a filter's condition depends on beside the filter. */
export type FilterContext = {
  /** The operators' time zone; days begin at its midnight. */
  readonly timeZone: string;
  readonly personKey: PersonKey;
  /** The names of all destinations, configured or not. */
  readonly destinationNames: readonly string[];
};

/** Returns what filters depend on, from the settings. */
export function filterContext(
  settings: Pick<Settings, 'operatorsTimeZone' | 'destinations'>,
  personKey: PersonKey,
): FilterContext {
  return {
    timeZone: settings.operatorsTimeZone,
    personKey,
    destinationNames: settings.destinations.map(({ definition }) => definition.name),
  };
}

/** The parts of a filter's condition on `visit_summaries`. All must hold. */
export type FilterParts = {
  /** The period, which the time index answers. */
  readonly period: RawBuilder<SqlBool>;
  /** Everything else. */
  readonly plain: RawBuilder<SqlBool>;
  /** What few leads match: a search for an address or a number, the days of an end. Undefined: no such condition. */
  readonly few: RawBuilder<SqlBool> | undefined;
  /** Follows from `plain`, in the form that the index of facets answers. */
  readonly facets: RawBuilder<SqlBool>;
  /** As `facets`, for the leads of one day: `dayNumber` of the time of arrival. */
  facetsOn(day: RawBuilder<unknown>): RawBuilder<SqlBool>;
  /** Whether an index other than that of the times narrows the leads. */
  readonly isNarrowed: boolean;
};

/** Returns the days since 1970 (UTC) of a time in SQL. */
export function dayNumber(at: RawBuilder<unknown>): RawBuilder<number> {
  return sql`((${at} at time zone 'UTC')::date - date '1970-01-01')`;
}

/** Returns the filter as one condition on the table `visit_summaries`: leads only, and without tests by default. */
export function leadFilterCondition(
  filter: LeadFilter,
  context: FilterContext,
): RawBuilder<SqlBool> {
  const { period, plain, few, facets } = filterParts(filter, context);
  return both([period, plain, facets, ...(few === undefined ? [] : [few])]);
}

/** Returns the parts of a filter's condition, for statements that choose their way by them. */
export function filterParts(filter: LeadFilter, context: FilterContext): FilterParts {
  const { destinationNames } = context;
  const search = filter.q === undefined ? undefined : readSearch(filter.q);
  const isPerson = search !== undefined && isOfFew(search);
  const searched = search === undefined ? [] : [searchCondition(search, context)];
  const ended = filter.by === 'end' ? [endCondition(filter, context.timeZone)] : [];
  const few = [...ended, ...(isPerson ? searched : [])];
  const facets = facetConditions(filter, destinationNames);
  return {
    period: periodCondition(filter, context.timeZone),
    plain: both([plainCondition(filter, destinationNames), ...(isPerson ? [] : searched)]),
    few: few.length > 0 ? both(few) : undefined,
    facets: both(facets),
    facetsOn: (day) => both(facetConditions(filter, destinationNames, day)),
    // The beginning of an id may be that of every lead.
    isNarrowed: facets.length > 0 || (search !== undefined && search.kind !== 'id'),
  };
}

function periodCondition(filter: LeadFilter, timeZone: string): RawBuilder<SqlBool> {
  const isLead = sql<SqlBool>`visit_summaries.received_at is not null`;
  if (filter.by === 'end') return isLead;
  const column = filter.by === 'visit' ? 'began_at' : 'received_at';
  return both([isLead, daysCondition(sql.ref(`visit_summaries.${column}`), filter, timeZone)]);
}

/** Returns the condition on the deliveries that ended in the filter's days. */
function endCondition(filter: LeadFilter, timeZone: string): RawBuilder<SqlBool> {
  return sql`visit_summaries.lead_id in (
    select deliveries.lead_id from deliveries
    where deliveries.destination = ${filter.destination} and deliveries.state = ${filter.delivery}
      and deliveries.event_key = ''
      and ${daysCondition(sql`deliveries.finished_at`, filter, timeZone)})`;
}

/** Returns the condition that a time is in the filter's days. */
function daysCondition(
  at: RawBuilder<unknown>,
  { from, to }: LeadFilter,
  timeZone: string,
): RawBuilder<SqlBool> {
  const midnight = (day: string, later: number) =>
    sql`(${day}::date + ${later}::integer)::timestamp at time zone ${timeZone}::text`;
  const conditions: RawBuilder<SqlBool>[] = [];
  if (from !== undefined) conditions.push(sql`${at} >= ${midnight(from, 0)}`);
  if (to !== undefined) conditions.push(sql`${at} < ${midnight(to, 1)}`);
  return both(conditions);
}

function plainCondition(
  filter: LeadFilter,
  destinationNames: readonly string[],
): RawBuilder<SqlBool> {
  const { tests, lead, outcome, qualified, hold, variant, sub } = filter;
  const conditions: RawBuilder<SqlBool>[] = [];
  for (const { key, value } of compared(filter)) {
    conditions.push(sql`${sql.ref(`visit_summaries.${columns[key]}`)} = ${value}`);
  }
  if (tests === undefined) conditions.push(sql`not visit_summaries.is_test`);
  if (tests === 'only') conditions.push(sql`visit_summaries.is_test`);
  if (qualified !== undefined) {
    conditions.push(sql`visit_summaries.qualified = ${qualified === 'yes'}::boolean`);
  }
  if (outcome !== undefined) conditions.push(outcomes[outcome as keyof typeof outcomes]);
  // Numbers leave erased leads out.
  if (lead === undefined && (qualified ?? outcome) !== undefined) {
    conditions.push(sql`visit_summaries.lead_state <> 'erased'`);
  }
  if (hold !== undefined) conditions.push(sql`visit_summaries.holds @> ${[hold]}::text[]`);
  if (variant !== undefined) conditions.push(sql`visit_summaries.variants @> ${[variant]}::text[]`);
  if (sub !== undefined) conditions.push(sql`visit_summaries.sub_ids @> ${[sub]}::text[]`);
  for (const read of [deliveriesOf, buyersOf]) {
    const deliveries = read(filter, destinationNames);
    if (deliveries === undefined) continue;
    conditions.push(sql`visit_summaries.deliveries && ${deliveries}::text[]`);
  }
  if (isOpen(filter)) conditions.push(openDelivery(filter));
  return both(conditions);
}

/** What became of a lead at its buyers. An `unsold` one waits for a buyer to be set up. */
const outcomes = {
  delivered: sql<SqlBool>`visit_summaries.is_delivered`,
  rejected: sql<SqlBool>`visit_summaries.is_rejected`,
  unsold: sql<SqlBool>`(visit_summaries.lead_state = 'accepted' and not visit_summaries.is_delivered)`,
} as const;
const stateOfOutcome = {
  ...{ delivered: 'delivered', rejected: 'rejected', unsold: 'no_destination' },
} as const;

/** Returns the entries of `deliveries` that match the filter's outcome. A lead needs one of them. */
function buyersOf({ outcome }: LeadFilter, names: readonly string[]): string[] | undefined {
  if (outcome === undefined) return undefined;
  const state = stateOfOutcome[outcome as keyof typeof stateOfOutcome];
  return names.filter(isBuyer).map((name) => `${name}:${state}`);
}

/** Tells whether the filter asks for deliveries that still change. Summaries may have an older state of them. */
function isOpen({ delivery }: LeadFilter): boolean {
  return delivery === 'waiting' || delivery === 'sending' || delivery === 'retrying';
}

/** Returns the condition on the ledger's open deliveries, which are few and have an index. */
function openDelivery({ delivery, destination }: LeadFilter): RawBuilder<SqlBool> {
  return sql`visit_summaries.lead_id in (
    select deliveries.lead_id from deliveries
    where deliveries.state in ('waiting', 'sending', 'retrying') and deliveries.state = ${delivery}
      and (${destination ?? null}::text is null or deliveries.destination = ${destination ?? null})
      and deliveries.event_key = '')`;
}

/** The columns that are compared with a key's value as they are. */
const columns = {
  survey: 'survey',
  lead: 'lead_state',
  reason: 'reason',
  source: 'source',
  affiliate: 'affiliate',
  state: 'us_state',
  language: 'language',
  device: 'device',
  campaign: 'campaign',
  code: 'code',
} as const;

/** Returns the keys of `columns` that the filter has, with the value of the column. */
function compared(filter: LeadFilter) {
  return (Object.keys(columns) as (keyof typeof columns)[]).flatMap((key) => {
    const value = filter[key];
    return value === undefined ? [] : [{ key, value: value === NO_VALUE ? '' : value }];
  });
}

/** Returns the entries of `deliveries` of which a lead must have one; undefined: they do not matter. */
function deliveriesOf(
  filter: LeadFilter,
  destinationNames: readonly string[],
): string[] | undefined {
  const { delivery, destination } = filter;
  if (isOpen(filter) || (delivery === undefined && destination === undefined)) return undefined;
  const names = destination === undefined ? destinationNames : [destination];
  const states = delivery === undefined ? deliveryStates : [delivery];
  return names.flatMap((name) => states.map((state) => `${name}:${state}`));
}

/** Exactly the expression of the index `visit_summaries_facets_idx` (migrations/001_schema.sql). */
const FACETS = sql`(array[
  'survey=' || visit_summaries.survey, 'lead=' || visit_summaries.lead_state,
  'reason=' || visit_summaries.reason, 'source=' || visit_summaries.source,
  'affiliate=' || visit_summaries.affiliate, 'state=' || visit_summaries.us_state,
  'language=' || visit_summaries.language, 'campaign=' || visit_summaries.campaign,
  'device=' || visit_summaries.device, 'code=' || visit_summaries.code,
  'day=' || ${dayNumber(sql`visit_summaries.received_at`)}::text,
  case when visit_summaries.is_test then 'tests=only' end,
  case when not visit_summaries.qualified then 'qualified=no' end
] || visit_summaries.holds || visit_summaries.deliveries || visit_summaries.variants || visit_summaries.sub_ids)`;

function facetConditions(
  filter: LeadFilter,
  destinationNames: readonly string[],
  day?: RawBuilder<unknown>,
): RawBuilder<SqlBool>[] {
  const { tests, qualified, hold, variant, sub } = filter;
  const all = compared(filter).map(({ key, value }) => `${key}=${value}`);
  if (tests === 'only') all.push('tests=only');
  if (qualified === 'no') all.push('qualified=no');
  if (hold !== undefined) all.push(hold);
  if (variant !== undefined) all.push(variant);
  if (sub !== undefined) all.push(sub);
  const conditions: RawBuilder<SqlBool>[] = [];
  if (day !== undefined) {
    conditions.push(sql`${FACETS} @> (${all}::text[] || ('day=' || ${day}::text))`);
  } else if (all.length > 0) conditions.push(sql`${FACETS} @> ${all}::text[]`);
  for (const read of [deliveriesOf, buyersOf]) {
    const deliveries = read(filter, destinationNames);
    if (deliveries !== undefined) conditions.push(sql`${FACETS} && ${deliveries}::text[]`);
  }
  return conditions;
}

/** Exactly the expression of the index `clicks_ids_idx` (migrations/001_schema.sql). */
const CLICK_IDS = sql`(array[
  ${sql.join(clickIdNames.map((name) => sql`params->>${sql.lit(name)}`))}])`;

/** Returns whether few leads match a search. Shorter beginnings of an id can be those of every lead. */
function isOfFew({ kind, value }: LeadSearch): boolean {
  return ['email', 'phone', 'ref'].includes(kind) || (kind === 'id' && value.length >= 12);
}

function searchCondition(search: LeadSearch, { personKey }: FilterContext): RawBuilder<SqlBool> {
  const { kind, value } = search;
  if (kind === 'id') {
    const [first, last] = idRange(value);
    if (!isOfFew(search))
      return sql`visit_summaries.lead_id between ${first}::uuid and ${last}::uuid`;
    return sql`visit_summaries.lead_id = any(
      array(select id from leads where id between ${first}::uuid and ${last}::uuid)
      || array(select lead_id from deliveries where external_id = ${search.text}))`;
  }
  if (kind === 'ref') {
    return sql`visit_summaries.lead_id in (
      select lead_id from clicks where ${CLICK_IDS} @> ${[value]}::text[]
      union select lead_id from deliveries where external_id = ${value})`;
  }
  if (kind === 'name') {
    return sql`visit_summaries.name_key like ${`${value.replace(/[\\%_]/g, '\\$&')}%`}`;
  }
  const isOfPerson = sql.raw(sameKey(`${kind}_key`, 'given.key'));
  return sql`visit_summaries.lead_id in (
    select lead_id from lead_revisions join (select ${personKey(kind, value)}::text as key) as given
      on ${isOfPerson})`;
}

function both(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  if (conditions.length === 0) return sql`true`;
  return sql`(${sql.join(conditions, sql` and `)})`;
}
