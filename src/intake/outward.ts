/** Stage 5: the fields as buyers get them, and where the browser had come to something else. */
import { type BuyerList, oneToOneFields } from '../domain/buyers.ts';
import { fieldSetWhere, fieldsWhere } from '../domain/lead/lead-fields.ts';
import { type FieldChange, type SubmitRules, submitFields } from '../domain/lead/submit-rules.ts';
import type { LeadDifference } from './lead-record.ts';
import type { Posted } from './read.ts';

/** What an outward lead is made of, the later over the earlier. */
export type OutwardParts = {
  readonly posted: Posted;
  /** The answers as rules leave them, and what follows from them. */
  readonly derived: Posted;
  readonly place: Posted;
  /** Tracking fields and ids. */
  readonly routed: Posted;
  /** What the server knows itself: request, survey, checks, consent. */
  readonly own: Posted;
  /** Undefined: not a one-to-one survey. */
  readonly buyerList: BuyerList | undefined;
  /** The survey posts no `lawyer_redirect_reason`. */
  readonly removesLawyerReason: boolean;
  /** What the flow changes when its lead is sent. */
  readonly submit: SubmitRules['fields'];
};

const emptyLead: Posted = Object.fromEntries(
  fieldsWhere((field) => field.goesOut === 'always').map((name) => [name, '']),
);
/** Answers reach the lead through the rules, and one-to-one consent through the buyer list. */
const passedOn = fieldSetWhere(
  ({ posted, goesOut, from }) =>
    posted !== 'ignored' &&
    goesOut !== 'never' &&
    !['visitor', 'visitor_or_rule', 'buyer_list'].includes(from),
);
const madeOfBuyerList = fieldSetWhere((field) => field.from === 'buyer_list');
const compared = fieldsWhere((field) => field.isCompared);

/** Puts a lead together. What the flow renames or removes is no difference to the browser's. */
export function outward(parts: OutwardParts): {
  fields: Record<string, string>;
  changes: readonly FieldChange[];
  differences: readonly LeadDifference[];
} {
  const { posted, derived, buyerList } = parts;
  const fields: Record<string, string> = { ...emptyLead };
  for (const name of Object.keys(posted)) {
    if (passedOn.has(name)) fields[name] = posted[name] as string;
  }
  for (const name of Object.keys(derived)) {
    if (!madeOfBuyerList.has(name)) fields[name] = derived[name] as string;
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
