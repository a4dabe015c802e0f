/** Reads and checks the filter of the list of leads, of its counts, exports and bulk actions. */

import { parseIso } from '../../model/fields/dates.ts';
import {
  filterChoices,
  type LeadFilter,
  leadFilterKeys,
} from '../../model/messages/console/leads.ts';
import { usage } from '../platform/operator-error.ts';
import { contactOf } from '../privacy/index.ts';

const LONGEST = 200;

/**
 * Returns the filter of a query or body. Ignores other keys and empty values.
 * @throws OperatorError `usage` with a sentence on the first wrong value
 */
export function parseLeadFilter(given: Readonly<Record<string, unknown>>): LeadFilter {
  const filter: Record<string, string> = {};
  for (const key of leadFilterKeys) {
    const value = given[key];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') throw usage(`The filter "${key}" needs one text.`);
    const text = value.trim();
    if (text === '') continue;
    checkValue(key, text);
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

function checkValue(key: string, text: string): void {
  if (text.length > LONGEST)
    throw usage(`The filter "${key}" is longer than ${LONGEST} characters.`);
  // PostgreSQL stores no such text, and refuses to compare with it.
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

/** Returns whether a text is a moment as `toISOString` writes it. */
function isMoment(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}

/** Returns whether a filter searches for a person rather than for a lead id. */
export function namesPerson({ q }: LeadFilter): boolean {
  return q !== undefined && readSearch(q).kind !== 'id';
}

/**
 * Returns the filter as it may be stored in the audit log, in plans and in views: a search for a person is
 * replaced by its kind, as nothing of a person may outlive an erasure.
 */
export function recordedFilter(filter: LeadFilter): LeadFilter {
  if (!namesPerson(filter)) return filter;
  return { ...filter, q: `(${readSearch(filter.q ?? '').kind})` };
}

/** What a search text names. */
export type LeadSearch =
  /**
   * `ref`: an id of a click, or the id that a buyer gave to a lead. `name`: the beginning of a last name, in lower
   * case.
   */
  | { readonly kind: 'email' | 'phone' | 'ref' | 'name'; readonly value: string }
  /** The beginning of a lead id: hexadecimal digits without hyphens. */
  | { readonly kind: 'id'; readonly value: string; readonly text: string };

/** Hexadecimal digits with at least one of 0 to 9, or eight of them: "Ada" and "Dee" are names. */
const LOOKS_LIKE_ID = /^(?=.*\d|[0-9a-f]{8})[0-9a-f]{1,32}$/;

/** An id with a digit, without white space. */
const LOOKS_LIKE_REF = /^(?=.*\d)[\w.:|~-]{6,200}$/;

/**
 * Reads a search text. Ten digits are a phone number, as in `findPerson`.
 * @throws OperatorError `usage`
 */
export function readSearch(text: string): LeadSearch {
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
