import { fieldsWhere } from './lead-fields.ts';
import { DEFAULT_SUB_ID, isPlaceholder } from './tracking.ts';

/** The affiliate id of a lead without any other affiliate id. */
const AFFILIATE_ID_AT_POST = '10';
/** The affiliate id of a survey without an affiliate. */
const DEFAULT_AFFILIATE_ID = 1;

const templated = fieldsWhere((field) => field.isTemplated === true && field.goesOut !== 'never');

/** Returns the outgoing tracking fields (docs/specification.md#offer-and-affiliate-ids). */
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

/** Returns the id of the ad click from which a lead came. */
export function clickIdOf(fields: Readonly<Record<string, string>>, leadId: string): string {
  const transactionId = fields.ef_transaction_id ?? '';
  return /^[\w-]{1,100}$/.test(transactionId) ? transactionId : leadId.replaceAll('-', '');
}

/** An account at the ingest service. The `key` is secret. */
export type IngestAccount = {
  readonly campaignId: string;
  readonly supplierId: string;
  readonly key: string;
};
