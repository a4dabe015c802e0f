import { isYes } from '../fields/answers.ts';
import { formatUs, parseIso } from '../fields/dates.ts';
import { fieldSetWhere, fieldsWhere } from '../fields/lead-fields.ts';
import { type BuyerList, oneToOneFields } from '../rules/buyers.ts';
import type { Override } from '../rules/derive-fields.ts';
import type { FieldMapping } from '../rules/submit-rules.ts';
import type { LeadDifference } from './lead-record.ts';
import type { Posted } from './read.ts';

/** The sources of the outgoing fields, in increasing order of priority. */
export type OutwardParts = {
  readonly posted: Posted;
  /** The answers as the rules changed them, with the derived fields. */
  readonly derived: Posted;
  readonly place: Posted;
  readonly routed: Posted;
  /** The values that the server sets. */
  readonly own: Posted;
  readonly buyerList: BuyerList | undefined;
  readonly removesLawyerReason: boolean;
  readonly submit: FieldMapping | undefined;
};

const emptyLead: Posted = Object.fromEntries(
  fieldsWhere((field) => field.goesOut === 'always').map((name) => [name, '']),
);
/** The posted fields that buyers receive unchanged. */
const passedOn = fieldSetWhere(
  ({ posted, goesOut, from }) =>
    posted !== 'ignored' &&
    goesOut !== 'never' &&
    !['visitor', 'visitor_or_rule', 'buyer_list'].includes(from),
);
/** The posted answers that buyers do not receive. */
const withheld = fieldSetWhere(({ goesOut, from }) => goesOut === 'never' || from === 'buyer_list');
const compared = fieldsWhere((field) => field.isCompared);

/** Returns the outgoing fields of a lead. */
export function outward(parts: OutwardParts): {
  fields: Record<string, string>;
  changes: readonly Override[];
  differences: readonly LeadDifference[];
} {
  const { posted, derived, buyerList } = parts;
  const fields: Record<string, string> = { ...emptyLead };
  for (const name of Object.keys(posted)) {
    if (passedOn.has(name)) fields[name] = posted[name] as string;
  }
  for (const name of Object.keys(derived)) {
    if (!withheld.has(name)) fields[name] = derived[name] as string;
  }
  Object.assign(fields, parts.place, parts.routed, parts.own);
  if (buyerList) Object.assign(fields, oneToOneFields(buyerList, derived.selected_buyers));
  const submitted = submitFields(fields, parts.submit);
  if (parts.removesLawyerReason) delete submitted.fields.lawyer_redirect_reason;
  return { ...submitted, differences: differences(posted, fields) };
}

function differences(posted: Posted, fields: Posted): LeadDifference[] {
  const found: LeadDifference[] = [];
  for (const field of compared) {
    const browser = posted[field];
    if (browser === undefined) continue;
    const server = fields[field] ?? '';
    if (browser.toLowerCase() !== server.toLowerCase()) found.push({ field, browser, server });
  }
  return found;
}

export type Rerouted = { fields: Record<string, string>; changes: readonly Override[] };

/** Replaces the ids of offer and affiliate, and keeps the original ones. */
export function rerouted(
  fields: Posted,
  to: { readonly oid: string; readonly affid: string },
  rule: string,
): Rerouted {
  const { oid = '', affid = '' } = fields;
  return {
    fields: { ...fields, ...to, original_oid: oid, original_affid: affid },
    changes: [
      { field: 'oid', answered: oid, becomes: to.oid, rule },
      { field: 'affid', answered: affid, becomes: to.affid, rule },
    ],
  };
}

/** Applies the flow's changes to outgoing fields (docs/specification.md#fields-added-at-submit). */
export function submitFields(given: Posted, mapping: FieldMapping | undefined): Rerouted {
  const { reroute, sets = {}, copies = {}, dateAccidentOccurred, removes = [] } = mapping ?? {};
  const { fields, changes } =
    reroute && isYes(given[reroute.whenYes])
      ? rerouted(given, reroute.to, 'routing.after_yes')
      : { fields: { ...given }, changes: [] };
  Object.assign(fields, sets);
  for (const [name, source] of Object.entries(copies)) fields[name] = given[source] ?? '';
  if (dateAccidentOccurred) {
    const { injury_year, injury_month, injury_day } = fields;
    const date = parseIso(`${injury_year}-${injury_month}-${injury_day}`);
    if (date) fields.date_accident_occurred = formatUs(date);
  }
  for (const name of removes) delete fields[name];
  return { fields, changes };
}
