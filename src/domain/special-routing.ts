/**
 * The state-based special handling (docs/specification.md#special-states): a disqualified lead of a
 * listed state that may go to the buyer of disqualified leads is posted under that buyer's offer and
 * affiliate id. Whether its visitor sees a partner tab is another list's to say
 * (docs/specification.md#partner-tab).
 */
import type { RuleResult } from './qualification.ts';
import type { FieldChange } from './submit-rules.ts';

export const SPECIAL_OFFER_ID = '1500';
export const SPECIAL_AFFILIATE_ID = '1000350';
const RULE = 'routing.special_state';

/** What the rule looks at. */
export type RoutingFacts = {
  readonly qualified: boolean;
  /** Undefined while there is none. */
  readonly state: string | undefined;
  readonly do_not_send_to_dq: string | undefined;
  readonly oid: string;
  readonly affid: string;
};

/** The ids to post a lead under in place of its own, which stay beside; none if the rule does not apply. */
export function routeSpecially(
  lead: RoutingFacts,
  specialStates: readonly string[],
): { ids: Readonly<Record<string, string>>; changes: readonly FieldChange[]; rule: RuleResult } {
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
