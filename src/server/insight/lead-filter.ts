/** Parses the filter of leads, and translates the filter to SQL. */

import type pg from 'pg';
import { parseIso } from '../../model/fields/dates.ts';
import type { PersonKey } from '../../model/lead/person-key.ts';
import {
  filterChoices,
  type LeadFilter,
  type LeadFilterKey,
  leadFilterKeys,
  NO_VALUE,
} from '../../model/messages/console/leads.ts';
import { deliveryStates } from '../../model/messages/vocabulary.ts';
import { buysLeads, isBuyer } from '../delivery/destinations/index.ts';
import type { SaleRules } from '../delivery/index.ts';
import { idRange } from '../leads/index.ts';
import { sameKey } from '../platform/database/contact-keys.ts';
import { usage } from '../platform/operator-error.ts';
import { midnight } from '../platform/time-format.ts';
import { contactOf } from '../privacy/index.ts';
import type { Settings } from '../settings/settings.ts';

const LONGEST = 200;

/** Parses a filter of leads. @throws OperatorError `usage` */
export function parseLeadFilter(
  given: Readonly<Partial<Record<LeadFilterKey, string | undefined>>>,
): LeadFilter {
  const filter: Record<string, string> = {};
  for (const key of leadFilterKeys) {
    const text = given[key]?.trim();
    if (!text) continue;
    checkFilterText(key, text);
    filter[key] = text;
  }
  const { from, to } = filter;
  if (from !== undefined && to !== undefined && from.slice(0, 10) > to.slice(0, 10)) {
    throw usage('The period ends before it begins.');
  }
  if (filter.by === 'end' && (filter.delivery === undefined || filter.destination === undefined)) {
    throw usage('The days of an end need the state and the destination of a delivery.');
  }
  return filter;
}

function checkFilterText(key: string, text: string): void {
  if (text.length > LONGEST)
    throw usage(`The filter "${key}" is longer than ${LONGEST} characters.`);
  // PostgreSQL cannot compare a text with a NUL character.
  if (text.includes('\0')) throw usage(`The filter "${key}" has a character that no lead has.`);
  const allowed = filterChoices[key];
  if (allowed !== undefined && !allowed.includes(text)) {
    throw usage(`The filter "${key}" must be one of ${allowed.join(', ')}.`);
  }
  if ((key === 'from' || key === 'to') && !parseIso(text) && !isMoment(text)) {
    throw usage(
      `The filter "${key}" must be a day such as 2026-07-01, or a moment with its time zone.`,
    );
  }
  if (key === 'q') readSearch(text);
}

/** Returns whether a text is a time in the format of `toISOString`. */
function isMoment(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}

/** Returns whether the filter has a search text that may identify a person. */
export function namesPerson({ q }: LeadFilter): boolean {
  return q !== undefined && readSearch(q).kind !== 'id';
}

/** Returns the filter for the audit log, plans and views, without a search text about a person. */
export function recordedFilter(filter: LeadFilter): LeadFilter {
  if (!namesPerson(filter)) return filter;
  return { ...filter, q: `(${readSearch(filter.q ?? '').kind})` };
}

type LeadSearch =
  /** A search text with its kind. `ref` is a click id, or the id that a buyer gave to the lead. */
  | { readonly kind: 'email' | 'phone' | 'ref' | 'name'; readonly value: string }
  /** The beginning of a lead id: hexadecimal digits without hyphens. */
  | { readonly kind: 'id'; readonly value: string; readonly text: string };

/** Matches the beginning of a lead id, but not a short name such as "Ada". */
const LOOKS_LIKE_ID = /^(?=.*\d|[0-9a-f]{8})[0-9a-f]{1,32}$/;

/** Matches a click id or a buyer's id of a lead: at least one digit, no white space. */
const LOOKS_LIKE_REF = /^(?=.*\d)[\w.:|~-]{6,200}$/;

/** Parses a search text. @throws OperatorError `usage` */
function readSearch(text: string): LeadSearch {
  const given = text.trim();
  const contact = contactOf(given);
  if (contact) return contact;
  const id = given.toLowerCase().replaceAll('-', '');
  if (LOOKS_LIKE_ID.test(id)) return { kind: 'id', value: id, text: given };
  const name = given.toLowerCase().replace(/\s+/g, ' ');
  if (/^\p{L}[\p{L}\p{M}' .-]+$/u.test(name)) return { kind: 'name', value: name };
  if (LOOKS_LIKE_REF.test(given)) return { kind: 'ref', value: given };
  throw usage(
    'Search for an e-mail address, a phone number of ten digits, a lead id, a click id, a buyer’s id, or at least two letters of a last name.',
  );
}

/** Click parameters that identify the click at a tracker or an advertising network. */
const clickIdNames = [
  ...['sub5', '_ef_transaction_id', 'transaction_id', 'gclid', 'gbraid', 'wbraid', 'fbclid'],
  ...['ttclid', 'msclkid', 'li_fat_id', 'twclid', 'rdt_cid'],
];

/** Adds a value to a statement's parameters. Returns the placeholder, such as `$2`. */
export type Bind = (value: unknown) => string;

export type LeadListContext = ReturnType<typeof leadListOf>;

/** Returns the database of the lead list, and the names and the time zone that filters need. */
export function leadListOf(
  pool: pg.Pool,
  settings: Pick<Settings, 'operatorsTimeZone' | 'destinations' | 'stateRules' | 'timeZone'>,
  personKey: PersonKey,
) {
  const { operatorsTimeZone, destinations } = settings;
  const saleRules: SaleRules = settings;
  /** The names of all destinations. */
  const destinationNames = destinations.map(({ definition }) => definition.name);
  return { pool, timeZone: operatorsTimeZone, personKey, destinationNames, saleRules };
}

/** Returns the filter as an SQL condition on `visit_summaries`. */
export function leadFilterCondition(
  filter: LeadFilter,
  context: LeadListContext,
  bind: Bind,
): string {
  const { tests, lead, outcome, qualified, by, q } = filter;
  const sold = outcomes[outcome ?? ''];
  const conditions = [
    'received_at is not null',
    ...periodConditions(filter, context.timeZone, bind),
    ...facetConditions(filter, context.destinationNames, bind),
    ...(tests === undefined ? ['not is_test'] : []),
    ...(qualified === 'yes' ? ['qualified'] : []),
    ...(sold === undefined ? [] : [sold.condition]),
  ];
  // Excludes erased leads, because the overview's counts do not include erased leads.
  if (lead === undefined && ((qualified ?? outcome) !== undefined || by === 'visit')) {
    conditions.push(`lead_state <> 'erased'`);
  }
  if (isOpen(filter)) conditions.push(openDelivery(filter, bind));
  if (q !== undefined) conditions.push(searchCondition(readSearch(q), context.personKey, bind));
  return conditions.join('\n  and ');
}

/** Returns SQL conditions for the filter's days. */
function periodConditions(filter: LeadFilter, timeZone: string, bind: Bind): string[] {
  if (filter.by !== 'end') {
    const column = filter.by === 'visit' ? 'began_at' : 'received_at';
    return daysConditions(column, filter, timeZone, bind);
  }
  const ended = [
    `destination = ${bind(filter.destination)} and state = ${bind(filter.delivery)}`,
    `event_key = ''`,
    ...daysConditions('finished_at', filter, timeZone, bind),
  ];
  return [`lead_id in (select lead_id from deliveries where ${ended.join(' and ')})`];
}

function daysConditions(
  column: string,
  { from, to }: LeadFilter,
  timeZone: string,
  bind: Bind,
): string[] {
  /** Returns SQL for midnight at the start of a day. */
  const moment = (text: string, daysLater: number) =>
    text.length > 'YYYY-MM-DD'.length
      ? `${bind(text)}::timestamptz`
      : midnight(bind(text), bind(timeZone), daysLater);
  return [
    ...(from === undefined ? [] : [`${column} >= ${moment(from, 0)}`]),
    ...(to === undefined ? [] : [`${column} < ${moment(to, 1)}`]),
  ];
}

const OTHER_STATES = deliveryStates
  .filter((state) => state !== 'passed_over' && state !== 'no_destination')
  .map((state) => `'${state}'`);

/** Returns SQL that is true if no delivery to a buyer has one of these states. */
const noneOf = (states: string) => `not exists (select 1 from unnest(deliveries) as one
      where split_part(one, ':', 2) in (${states}) and ${buysLeads(`split_part(one, ':', 1)`)})`;

/** Maps each outcome of a lead to its SQL condition. */
const outcomes: Readonly<Record<string, { condition: string; state: string }>> = {
  delivered: { condition: 'is_delivered', state: 'delivered' },
  rejected: { condition: 'is_rejected', state: 'rejected' },
  unsold: {
    condition: `lead_state = 'accepted' and not is_delivered and ${noneOf(`'waiting'`)}`,
    state: 'no_destination',
  },
  passed_over: {
    condition: `lead_state = 'accepted' and ${noneOf(OTHER_STATES.join())}`,
    state: 'passed_over',
  },
};

const NAMED_FACETS = [
  ...(['survey', 'lead', 'reason', 'source', 'affiliate', 'state'] as const),
  ...(['language', 'campaign', 'device', 'code'] as const),
];

/** Returns SQL conditions on `facets_of(visit_summaries)`, which has an index. */
function facetConditions(filter: LeadFilter, names: readonly string[], bind: Bind): string[] {
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
  const alternatives = [
    ...deliveriesOf(filter, names),
    ...(sold ? [names.filter(isBuyer).map((name) => `${name}:${sold}`)] : []),
  ];
  return [
    ...(all.length === 0 ? [] : [`facets_of(visit_summaries) @> ${bind(all)}::text[]`]),
    ...alternatives.map((facets) => `facets_of(visit_summaries) && ${bind(facets)}::text[]`),
  ];
}

/** Returns the filtered deliveries, such as `ingest:dead` or `ingest:cap_reached`. A matching lead has one of each list. */
function deliveriesOf(filter: LeadFilter, allNames: readonly string[]): string[][] {
  const { delivery, destination, leftOut } = filter;
  if (isOpen(filter)) return [];
  const named = [delivery, leftOut].filter((state) => state !== undefined).map((state) => [state]);
  const lists = named.length === 0 && destination !== undefined ? [deliveryStates] : named;
  const names = destination === undefined ? allNames : [destination];
  return lists.map((states) => names.flatMap((name) => states.map((state) => `${name}:${state}`)));
}

function isOpen({ delivery }: LeadFilter): boolean {
  return delivery === 'waiting' || delivery === 'sending' || delivery === 'retrying';
}

/** Returns an SQL condition for leads with an open delivery. */
function openDelivery({ delivery, destination, leftOut }: LeadFilter, bind: Bind): string {
  const of = destination === undefined ? '' : `and destination = ${bind(destination)}`;
  const kind =
    leftOut === undefined
      ? `state in ('waiting', 'sending', 'retrying') and not is_unrouted and event_key = ''`
      : `is_unrouted and end_reason = ${bind(leftOut)}`;
  return `lead_id in (
    select lead_id from deliveries where ${kind} and state = ${bind(delivery)} ${of})`;
}

/** Must equal the expression of the index `clicks_ids_idx` (migrations/001_schema.sql). */
const CLICK_IDS = `(array[${clickIdNames.map((name) => `params->>'${name}'`).join(', ')}])`;
/** An id prefix of this many hexadecimal digits matches few leads. */
const LONG_ID = 12;

function searchCondition(search: LeadSearch, personKey: PersonKey, bind: Bind): string {
  const { kind, value } = search;
  if (kind === 'id') {
    const [first, last] = idRange(value).map((id) => `${bind(id)}::uuid`);
    if (value.length < LONG_ID) return `lead_id between ${first} and ${last}`;
    return `lead_id = any(array(select id from leads where id between ${first} and ${last})
      || array(select lead_id from deliveries where external_id = ${bind(search.text)}))`;
  }
  if (kind === 'ref') {
    return `lead_id in (
      select lead_id from clicks where ${CLICK_IDS} @> ${bind([value])}::text[]
      union select lead_id from deliveries where external_id = ${bind(value)})`;
  }
  if (kind === 'name') return `name_key like ${bind(`${value.replace(/[\\%_]/g, '\\$&')}%`)}`;
  return `lead_id in (
    select lead_id from lead_revisions join (select ${bind(personKey(kind, value))}::text as key) as given
      on ${sameKey(`${kind}_key`, 'given.key')})`;
}
