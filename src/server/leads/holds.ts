/** Why a lead is held until an operator has looked at it (docs/specification.md#holds). */
import { contactFields, contactFlow } from '../../domain/contact-form.ts';
import { changedFields } from '../../domain/lead/merge-bodies.ts';
import type { BuiltLead } from '../../intake/build-lead.ts';
import type { StoredLead } from '../../intake/lead-record.ts';

export type HoldReason =
  /** The address has sent leads of more persons than it may: the store decides. */
  | 'over_address_limit'
  /** The address has written more bytes than it may. */
  | 'over_address_bytes'
  /** Only a part of the post was stored, for the same reason. */
  | 'cut_short'
  /** There is no such survey, so nobody has agreed where its leads go. */
  | 'unknown_survey'
  /** No number of ten digits: nobody could be called, and no buyer's format takes it. */
  | 'no_usable_phone'
  /** A contact form in which something is missing or cannot be right. */
  | 'form_incomplete'
  /** No consent text came with it. */
  | 'no_consent'
  /** The consent text is not ours, or was not shown to this visitor at that time. */
  | ConsentHold
  /** It came under the id of a lead without the secret of the browser that began that lead. */
  | 'unproven_claim';

type ConsentHold = NonNullable<BuiltLead['consentHold']>;
type Body = Readonly<Record<string, unknown>>;

const person = ['phone', 'phoneNumber', 'email'];
/** With the person: whom an operator has looked at, nobody else has agreed to be called. */
const consent = [
  ...person,
  ...['tcpa', 'consent_version', 'consent_shown_at', 'submitted_at'],
  ...['survey', 'language', 'zip_code', '1_to_1_consent', 'selected_buyers'],
];

/** The fields of a body that a reason rests on. Default: those of the consent, with its person. */
const restsOn: Readonly<Partial<Record<HoldReason, readonly string[]>>> = {
  over_address_limit: person,
  cut_short: [],
  unknown_survey: ['survey'],
  no_usable_phone: person,
  form_incomplete: contactFields,
};

/** Returns every reason to hold a lead that can be read off the lead itself. */
export function holdReasons(built: BuiltLead): HoldReason[] {
  const reasons: HoldReason[] = [];
  if (built.flow === '') reasons.push('unknown_survey');
  if (built.flow === contactFlow && built.problems.some(({ problem }) => problem === 'bad_value')) {
    reasons.push('form_incomplete');
  }
  if (built.phoneKey === null) reasons.push('no_usable_phone');
  // Nobody may be called on the strength of a lead without its consent.
  if (built.fields.tcpa === '') reasons.push('no_consent');
  else if (built.consentHold) reasons.push(built.consentHold);
  return reasons;
}

/**
 * Returns the reasons that mark a later revision, and whether an operator's release covers them all. A
 * release covers the reasons that the operator looked at, for as long as what they rest on is unchanged.
 *
 * @param stored the newest revision; it is released if it is accepted and carries reasons
 * @param merged the body of the later revision
 * @param own the reasons that the later revision has by itself
 * @param isWhole the later post says its whole survey
 */
export function laterHolds(
  stored: Pick<StoredLead, 'state' | 'problems' | 'merged'>,
  merged: Body,
  own: readonly HoldReason[],
  isWhole: boolean,
): { reasons: readonly HoldReason[]; isReleased: boolean } {
  const before = stored.problems.flatMap(({ problem, reason }) =>
    problem === 'held' ? [reason as HoldReason] : [],
  );
  // Only the store counts persons, and what was cut off comes back with a whole post only.
  const kept = before.filter(
    (reason) => reason === 'over_address_limit' || (reason === 'cut_short' && !isWhole),
  );
  const reasons = [...kept, ...own];
  const changed = new Set(changedFields(stored.merged, merged));
  const isCovered = (reason: HoldReason) =>
    before.includes(reason) && !(restsOn[reason] ?? consent).some((field) => changed.has(field));
  return { reasons, isReleased: stored.state === 'accepted' && reasons.every(isCovered) };
}
