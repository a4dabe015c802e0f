/**
 * The state-based special handling (document 2, section 9; readings, "Answers and rules"): a
 * disqualified lead of a listed state that may go to the buyer of disqualified leads is posted under
 * that buyer's offer and affiliate id. Its visitor sees no partner tab for the same reason.
 */
import type { RuleResult } from '../../domain/qualification.ts';
import type { LeadOverride } from './lead-record.ts';

export const SPECIAL_OFFER_ID = '1500';
export const SPECIAL_AFFILIATE_ID = '1000350';
const RULE = 'routing.special_state';

/** The fields with the special ids, if the rule applies; the ids that they replace are kept beside. */
export function routeSpecially(
  fields: Readonly<Record<string, string>>,
  lead: { qualified: boolean; specialStates: readonly string[] },
): { fields: Readonly<Record<string, string>>; overrides: LeadOverride[]; rule: RuleResult } {
  const { state, do_not_send_to_dq, oid = '', affid = '' } = fields;
  const applies =
    !lead.qualified &&
    do_not_send_to_dq === 'no' &&
    state !== undefined &&
    lead.specialStates.includes(state);
  const rule: RuleResult = {
    rule: RULE,
    inputs: { state, qualified: lead.qualified ? 'yes' : 'no', do_not_send_to_dq },
    result: applies,
  };
  if (!applies) return { fields, overrides: [], rule };
  return {
    fields: {
      ...fields,
      oid: SPECIAL_OFFER_ID,
      affid: SPECIAL_AFFILIATE_ID,
      original_oid: oid,
      original_affid: affid,
    },
    overrides: [
      { field: 'oid', answered: oid, becomes: SPECIAL_OFFER_ID, rule: RULE },
      { field: 'affid', answered: affid, becomes: SPECIAL_AFFILIATE_ID, rule: RULE },
    ],
    rule,
  };
}
