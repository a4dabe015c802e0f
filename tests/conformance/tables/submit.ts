import type { FlowName } from './paths-and-ids.ts';

/** D2 9: the ids of the state-based special handling and of a prior alcohol offence. */
export const SPECIAL_STATE_IDS = { oid: '1500', affid: '1000350' };
export const PRIOR_OFFENCE_IDS = { oid: '136', affid: '1' };

/** D1 3, "Survey lead fields (core set)" without the two that are kept locally. */
export const coreLeadFields: readonly string[] = [
  'physical_injury',
  'with_Lawyer',
  'interested_in_psf',
  'settled_case',
  'prior_funding',
  'at_Fault',
  'doctor_treatment',
  'enough_words',
  'is_gibberish',
  'accident_limit_exceeded',
  'bad_words',
  'injury_year',
  'injury_month',
  'incident_date',
  'case_description',
  'email',
  'phone',
  'first_name',
  'last_name',
  'city',
  'state',
  'state_long',
  'county',
  'zip_code',
  'ip_address',
  'user_agent',
  'trusted_form_cert_id',
  'leadid_token',
  'ef_transaction_id',
  'affid',
  'sub_id',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'click_id',
  'gclid',
  'fbclid',
  'landing_page',
  'tcpa',
  'dq_reason',
];

/** D1 4, "Thank-you query". */
export const thankYouFields = [
  'email',
  'city',
  'state',
  'zip_code',
  'phone',
  'state_long',
  'ef_transaction_id',
  'affid',
  'sub_id',
  'q',
] as const;

/** What a flow's thank-you query has besides, or instead (D1 4; D2 2, 4 and 7). */
export type ThankYouRow = {
  /** The fields of the query, in place of `thankYouFields`. */
  readonly fields: readonly string[];
  /**
   * `is_disqualified=true` and `dq_reason` for the disqualified: with a lawyer's reason (VW3), or
   * "in some variants", which the documents do not name.
   */
  readonly reason: 'of a lawyer' | 'open' | 'never';
  /** `qualified=yes` for the qualified. */
  readonly qualifiedYes?: true;
  /** `referer`. */
  readonly referer?: true;
};

/** The thank-you query of a flow. */
export function thankYouRow(flow: FlowName): ThankYouRow {
  switch (flow) {
    case 'vw3':
      return { fields: thankYouFields, reason: 'of a lawyer' };
    case 'one-page':
      return { fields: ['affid', 'sub_id', 'q'], reason: 'never' };
    case 'ticket':
      return { fields: thankYouFields.filter((field) => field !== 'q'), reason: 'never' };
    case 'progress-bar':
      return { fields: thankYouFields, reason: 'open', qualifiedYes: true };
    case 'three-step':
      return { fields: thankYouFields, reason: 'open', referer: true };
    default:
      return { fields: thankYouFields, reason: 'open' };
  }
}

/**
 * Flows whose disqualified visitors get no partner tab: D1 4 names variants A to C, of the five; a
 * ticket is not decided on at all (its query has no q).
 */
export const flowsWithoutPartnerTab: readonly FlowName[] = ['D', 'E', 'ticket', 'benefits'];

/** Flows that post no lead (R, "Steps"). */
export const flowsWithoutLead: readonly FlowName[] = ['benefits'];

/** D2 7: flows whose leads go to the ingest service "too"; R: the others when it is configured. */
export const ingestFlows: readonly FlowName[] = ['short', 'ticket'];

/** D2 7: what is removed from a ticket before it is sent to the ingest service. */
export const removedFromTicket = [
  'accident_within_last_year',
  'state_long',
  'accident_limit_exceeded',
];
