/**
 * The tracking fields of a posted lead and their defaults
 * (docs/specification.md#offer-and-affiliate-ids).
 */

import { fieldsWhere } from './lead-fields.ts';
import { DEFAULT_SUB_ID, isPlaceholder } from './tracking.ts';

/** What the affiliate id becomes when the post brings none and the survey has none of its own. */
const AFFILIATE_ID_AT_POST = '10';
/** The affiliate id of a survey without one of its own. */
const DEFAULT_AFFILIATE_ID = 1;

const templated = fieldsWhere((field) => field.isTemplated === true);

/**
 * Every field that an ad network's template fills in, empty where it brought nothing or a placeholder.
 * - `oid`: the visit's own (query parameter `oid`), else the survey's; an override keeps the survey's
 *   as `original_oid`
 * - `affid`: the visit's own, else the survey's; 10 where the post has none and the survey has only the
 *   general default of 1
 * - `lp_s2`: `sub_id2`, under the name that the ingest service's forerunners know
 * - `sub_id`: 1 by default; `lp_subid1` is the original one
 */
export function trackingFields(
  posted: Readonly<Record<string, string>>,
  survey: { readonly offerId: number; readonly affiliateId: number },
): Record<string, string> & { oid: string; affid: string } {
  const given: Record<string, string> = {};
  for (const name of templated) {
    const value = posted[name] ?? '';
    given[name] = isPlaceholder(value) ? '' : value;
  }
  const { affiliateId } = survey;
  const ownAffiliate =
    affiliateId === DEFAULT_AFFILIATE_ID ? AFFILIATE_ID_AT_POST : String(affiliateId);
  const ownOffer = String(survey.offerId);
  const sub_id = given.sub_id || DEFAULT_SUB_ID;
  const oid = given.oid || ownOffer;
  return {
    ...given,
    sub_id,
    lp_s2: given.sub_id2 ?? '',
    lp_subid1: given.lp_subid1 || sub_id,
    affid: given.affid || ownAffiliate,
    oid,
    ...(oid !== ownOffer && { original_oid: ownOffer }),
  };
}

/** A click's id: the visit's transaction id (ours or the tracker's), else one made of the lead's id. */
export function clickIdOf(fields: Readonly<Record<string, string>>, leadId: string): string {
  const transactionId = fields.ef_transaction_id ?? '';
  return /^[\w-]{1,100}$/.test(transactionId) ? transactionId : leadId.replaceAll('-', '');
}
