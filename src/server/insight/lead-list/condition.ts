/** Translates the filter of leads to SQL. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PersonKey } from '../../../model/lead/person-key.ts';
import { type LeadFilter, NO_VALUE } from '../../../model/messages/console/leads.ts';
import { deliveryStates } from '../../../model/messages/vocabulary.ts';
import { idRange } from '../../leads/find-lead.ts';
import { sameKey } from '../../platform/database/contact-keys.ts';
import type { Settings } from '../../settings/settings.ts';
import { isBuyer } from '../lead-page/words.ts';
import { type LeadSearch, readSearch } from './filter.ts';

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

/** Returns the filter as one condition on the table `visit_summaries`: leads only, and without tests by default. */
export function leadFilterCondition(
  filter: LeadFilter,
  context: FilterContext,
): RawBuilder<SqlBool> {
  const { tests, lead, outcome, qualified, q } = filter;
  const conditions = [
    sql<SqlBool>`visit_summaries.received_at is not null`,
    ...periodConditions(filter, context.timeZone),
    ...facetConditions(filter, context.destinationNames),
  ];
  if (tests === undefined) conditions.push(sql`not visit_summaries.is_test`);
  if (qualified === 'yes') conditions.push(sql`visit_summaries.qualified`);
  const sold = outcomes[outcome ?? ''];
  if (sold !== undefined) conditions.push(sold.condition);
  // Numbers leave erased leads out.
  if (lead === undefined && (qualified ?? outcome) !== undefined) {
    conditions.push(sql`visit_summaries.lead_state <> 'erased'`);
  }
  if (isOpen(filter)) conditions.push(openDelivery(filter));
  if (q !== undefined) conditions.push(searchCondition(readSearch(q), context));
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Returns the conditions that a time is in the filter's days: of the arrival, the visit, or a delivery's end. */
function periodConditions(filter: LeadFilter, timeZone: string): RawBuilder<SqlBool>[] {
  if (filter.by !== 'end') {
    const column = filter.by === 'visit' ? 'began_at' : 'received_at';
    return daysConditions(sql.ref(`visit_summaries.${column}`), filter, timeZone);
  }
  const ended = [
    sql`deliveries.destination = ${filter.destination} and deliveries.state = ${filter.delivery}`,
    sql`deliveries.event_key = ''`,
    ...daysConditions(sql`deliveries.finished_at`, filter, timeZone),
  ];
  return [
    sql`visit_summaries.lead_id in (
      select deliveries.lead_id from deliveries where ${sql.join(ended, sql` and `)})`,
  ];
}

function daysConditions(
  at: RawBuilder<unknown>,
  { from, to }: LeadFilter,
  timeZone: string,
): RawBuilder<SqlBool>[] {
  /** A day begins at its midnight, or at the next one. A moment is itself. */
  const moment = (text: string, daysLater: number) =>
    text.length > 'YYYY-MM-DD'.length
      ? sql`${text}::timestamptz`
      : sql`(${text}::date + ${daysLater}::integer)::timestamp at time zone ${timeZone}::text`;
  return [
    ...(from === undefined ? [] : [sql<SqlBool>`${at} >= ${moment(from, 0)}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`${at} < ${moment(to, 1)}`]),
  ];
}

/** What became of a lead at its buyers, and the state of its delivery. An `unsold` one waits for a buyer to be set up. */
const outcomes: Readonly<Record<string, { condition: RawBuilder<SqlBool>; state: string }>> = {
  delivered: { condition: sql`visit_summaries.is_delivered`, state: 'delivered' },
  rejected: { condition: sql`visit_summaries.is_rejected`, state: 'rejected' },
  unsold: {
    condition: sql`(visit_summaries.lead_state = 'accepted' and not visit_summaries.is_delivered)`,
    state: 'no_destination',
  },
};

/** The keys of a filter that are facets with their value. */
const NAMED_FACETS = [
  ...(['survey', 'lead', 'reason', 'source', 'affiliate', 'state'] as const),
  ...(['language', 'campaign', 'device', 'code'] as const),
];

/** Returns the conditions that the index of facets answers. */
function facetConditions(filter: LeadFilter, names: readonly string[]): RawBuilder<SqlBool>[] {
  const { tests, qualified, hold, variant, sub, outcome } = filter;
  const all = [
    ...NAMED_FACETS.flatMap((key) => {
      const value = filter[key];
      return value === undefined ? [] : [`${key}=${value === NO_VALUE ? '' : value}`];
    }),
    ...(tests === 'only' ? ['tests=only'] : []),
    ...(qualified === 'no' ? ['qualified=no'] : []),
    ...[hold, variant, sub].filter((each) => each !== undefined),
  ];
  const sold = outcomes[outcome ?? '']?.state;
  return [
    ...(all.length === 0 ? [] : [sql<SqlBool>`facets_of(visit_summaries) @> ${all}::text[]`]),
    ...anyOf(deliveriesOf(filter, names)),
    ...(sold === undefined ? [] : anyOf(names.filter(isBuyer).map((name) => `${name}:${sold}`))),
  ];
}

function anyOf(facets: readonly string[] | undefined): RawBuilder<SqlBool>[] {
  return facets === undefined ? [] : [sql`facets_of(visit_summaries) && ${facets}::text[]`];
}

/** Returns the facets of deliveries of which a lead must have one; undefined: they do not matter. */
function deliveriesOf(filter: LeadFilter, allNames: readonly string[]): string[] | undefined {
  const { delivery, destination } = filter;
  if (isOpen(filter) || (delivery === undefined && destination === undefined)) return undefined;
  const names = destination === undefined ? allNames : [destination];
  const states = delivery === undefined ? deliveryStates : [delivery];
  return names.flatMap((name) => states.map((state) => `${name}:${state}`));
}

/** Returns whether the filter asks for deliveries that still change: summaries may have an older state of them. */
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

/** Exactly the expression of the index `clicks_ids_idx` (migrations/001_schema.sql). */
const CLICK_IDS = sql`(array[
  ${sql.join(clickIdNames.map((name) => sql`params->>${sql.lit(name)}`))}])`;
/** Shorter beginnings of an id can be those of every lead. */
const LONG_ID = 12;

function searchCondition(search: LeadSearch, { personKey }: FilterContext): RawBuilder<SqlBool> {
  const { kind, value } = search;
  if (kind === 'id') {
    const [first, last] = idRange(value);
    if (value.length < LONG_ID) {
      return sql`visit_summaries.lead_id between ${first}::uuid and ${last}::uuid`;
    }
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
