/** Decides why a lead is held for an operator's review (docs/specification.md#holds). */
import { contactFields, contactFlow } from '../../model/fields/contact-form.ts';
import { changedFields } from '../../model/lead/body.ts';
import type { BuiltLead } from '../../model/lead/build-lead.ts';
import type { AcceptedLead, StoredLead } from '../../model/lead/lead-record.ts';
import { mayBeSold, saleRuleOf } from '../../model/lead/sale.ts';
import type { HoldReason } from '../../model/messages/vocabulary.ts';

type Body = Readonly<Record<string, unknown>>;

/** The fields on which the rules of states depend. */
const sale = [
  ...['state', 'state_choice', 'zip_code', 'visitor_state', 'state_accident_occurred'],
  ...['survey', 'selected_buyers', '1_to_1_consent'],
];

const person = ['phone', 'phoneNumber', 'email'];
/** The fields of the consent, and the fields that identify the person. */
const consent = [
  ...person,
  ...['tcpa', 'consent_version', 'consent_shown_at', 'submitted_at'],
  ...['survey', 'language', 'zip_code', '1_to_1_consent', 'selected_buyers'],
];

/** Maps a hold reason to the fields that can cause the hold. Default: `consent`. */
const fieldsBehind: Readonly<Partial<Record<HoldReason, readonly string[]>>> = {
  over_address_limit: person,
  same_person: person,
  unknown_survey: ['survey'],
  no_usable_phone: person,
  state_rule: sale,
  form_incomplete: contactFields,
};

/** Returns the hold reasons that follow from a lead's values. */
export function holdReasons(built: BuiltLead, isForSale: boolean): HoldReason[] {
  const reasons: HoldReason[] = [];
  if (built.flow === '') reasons.push('unknown_survey');
  if (built.flow === contactFlow && built.problems.some(({ problem }) => problem === 'bad_value')) {
    reasons.push('form_incomplete');
  }
  if (built.phoneKey === null) reasons.push('no_usable_phone');
  if (built.fields.tcpa === '') reasons.push('no_consent');
  else if (built.consentHold) reasons.push(built.consentHold);
  if (isForSale && !mayBeSold(saleRuleOf(built.decisions))) reasons.push('state_rule');
  const authorization = built.decisions.find(({ rule }) => rule === 'health_authorization');
  if (authorization && authorization.result !== 'yes') reasons.push('no_authorization');
  return reasons;
}

/** Returns the state of a later revision, and the hold reasons that remain. */
export function laterHolds(
  stored: Pick<StoredLead, 'state' | 'problems' | 'merged'>,
  merged: Body,
  own: readonly HoldReason[],
): { reasons: readonly HoldReason[]; state: AcceptedLead['state'] } {
  const before = stored.problems.flatMap(({ problem, reason }) =>
    problem === 'held' ? [reason as HoldReason] : [],
  );
  const changed = new Set(changedFields(stored.merged, merged));
  const isSame = (reason: HoldReason) =>
    !(fieldsBehind[reason] ?? consent).some((field) => changed.has(field));
  const lasting = before.filter(
    (reason) =>
      reason === 'over_address_limit' ||
      (reason === 'same_person' && isSame(reason)) ||
      // A rule that allows the sale meanwhile does not reopen a dismissed lead.
      (reason === 'state_rule' && stored.state === 'dismissed' && isSame(reason)),
  );
  const reasons = [...new Set([...lasting, ...own])];
  // A release under an older rule does not cover a rule that refuses now.
  const isCovered = (reason: HoldReason) =>
    before.includes(reason) &&
    isSame(reason) &&
    !(reason === 'state_rule' && stored.state === 'accepted');
  if (reasons.length === 0) return { reasons, state: 'accepted' };
  const reviewed = stored.state === 'erased' ? 'held' : stored.state;
  return { reasons, state: reasons.every(isCovered) ? reviewed : 'held' };
}
