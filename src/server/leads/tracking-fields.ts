/** The tracking fields of a posted lead and their defaults (document 1, section 9; document 2, section 9). */
import { DEFAULT_SUB_ID, isPlaceholder } from '../../domain/tracking.ts';
import type { Survey } from '../../flows/surveys.ts';

/** What the affiliate id becomes when the post brings none and the path has none of its own. */
const AFFILIATE_ID_AT_POST = '10';
/** The affiliate id of a survey without one of its own. */
const DEFAULT_AFFILIATE_ID = 1;

/** Tracking fields that are empty unless the visit brought them. */
const passedOn = [
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'click_id',
  'ef_transaction_id',
  'gclid',
  'fbclid',
  'trusted_form_cert_id',
  'leadid_token',
] as const;

/** A value of the visit's address: an unfilled template placeholder counts as empty. */
function given(posted: Readonly<Record<string, string>>, name: string): string {
  const value = posted[name]?.trim() ?? '';
  return isPlaceholder(value) ? '' : value;
}

/**
 * - `oid`: the visit's own (query parameter `oid`), else the survey's; an override keeps the survey's
 *   as `original_oid`
 * - `affid`: the visit's own, else the survey's; 10 where the post has none and the survey has only the
 *   general default of 1
 * - `lp_s2`: `sub_id2`, under the name that the ingest service's forerunners know
 * - `sub_id`: 1 by default; `lp_subid1` is the original one
 */
export function trackingFields(
  posted: Readonly<Record<string, string>>,
  survey: Pick<Survey, 'offerId' | 'affiliateId'>,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of passedOn) fields[name] = given(posted, name);
  fields.lp_s2 = given(posted, 'sub_id2');
  fields.sub_id = given(posted, 'sub_id') || DEFAULT_SUB_ID;
  fields.lp_subid1 = given(posted, 'lp_subid1') || fields.sub_id;
  fields.affid =
    given(posted, 'affid') ||
    (survey.affiliateId === DEFAULT_AFFILIATE_ID
      ? AFFILIATE_ID_AT_POST
      : String(survey.affiliateId));
  const ownOffer = String(survey.offerId);
  fields.oid = given(posted, 'oid') || ownOffer;
  if (fields.oid !== ownOffer) fields.original_oid = ownOffer;
  return fields;
}

/** A click's id: the visit's transaction id (ours or the tracker's), else one made of the lead's id. */
export function clickIdOf(fields: Readonly<Record<string, string>>, leadId: string): string {
  const transactionId = fields.ef_transaction_id ?? '';
  return /^[\w-]{1,100}$/.test(transactionId) ? transactionId : leadId.replaceAll('-', '');
}
