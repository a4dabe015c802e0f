/**
 * Routing by state (docs/specification.md#special-states): a disqualified lead from a listed state
 * that may go to the buyer of disqualified leads gets that buyer's offer and affiliate ids. The
 * partner tab has a separate list (docs/specification.md#partner-tab).
 */
import type { Override } from './derive-fields.ts';
import type { RuleResult } from './qualification.ts';

export const SPECIAL_OFFER_ID = '1500';
export const SPECIAL_AFFILIATE_ID = '1000350';
const RULE = 'routing.special_state';

type RoutingFacts = {
  readonly qualified: boolean;
  readonly state: string | undefined;
  readonly do_not_send_to_dq: string | undefined;
  readonly oid: string;
  readonly affid: string;
};

/** Returns the special ids for a lead together with its own as `original_*`, or none if the rule does not apply. */
export function routeSpecially(
  lead: RoutingFacts,
  specialStates: readonly string[],
): { ids: Readonly<Record<string, string>>; changes: readonly Override[]; rule: RuleResult } {
  const { qualified, state, do_not_send_to_dq, oid, affid } = lead;
  const applies =
    !qualified &&
    do_not_send_to_dq === 'no' &&
    state !== undefined &&
    specialStates.includes(state);
  const rule: RuleResult = {
    rule: RULE,
    inputs: { state, qualified: qualified ? 'yes' : 'no', do_not_send_to_dq },
    result: applies,
  };
  if (!applies) return { ids: {}, changes: [], rule };
  return {
    ids: {
      oid: SPECIAL_OFFER_ID,
      affid: SPECIAL_AFFILIATE_ID,
      original_oid: oid,
      original_affid: affid,
    },
    changes: [
      { field: 'oid', answered: oid, becomes: SPECIAL_OFFER_ID, rule: RULE },
      { field: 'affid', answered: affid, becomes: SPECIAL_AFFILIATE_ID, rule: RULE },
    ],
    rule,
  };
}
