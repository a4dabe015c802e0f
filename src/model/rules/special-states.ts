import { askedFields } from '../fields/asked-fields.ts';
import { SPECIAL_AFFILIATE_ID, SPECIAL_OFFER_ID } from '../fields/thresholds.ts';
import type { Override } from './derive-fields.ts';
import type { RuleResult } from './qualification.ts';
import type { SubmitRules } from './submit-rules.ts';

/** Codes of the 50 states and DC. */
export const allStates: readonly string[] = askedFields.state.values ?? [];

/**
 * The 25 most populous states (2020 census). The brief gives the group and Ep variants 25 states without
 * naming them (docs/specification.md#special-states).
 */
const mostPopulousStates: readonly string[] =
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MD MO WI CO MN SC AL LA'.split(' ');

/**
 * Returns the states of a rule for disqualified visitors: the operator's setting, else the flow's list, else the
 * usual ones. The rules are the routing of leads (docs/specification.md#special-states; usually all states) and
 * the closed partner tab (docs/specification.md#partner-tab; usually none).
 */
export function disqualifiedStates(
  { specialStates }: Pick<SubmitRules, 'specialStates'> = {},
  setting: readonly string[] | undefined,
  usual: readonly string[],
): readonly string[] {
  return setting ?? (specialStates === 'most_populous' ? mostPopulousStates : usual);
}

const RULE = 'routing.special_state';

/**
 * Routing by state (docs/specification.md#special-states): a disqualified lead from a listed state that may go to
 * the buyer of disqualified leads gets that buyer's ids, and its own as `original_*`. Any other lead gets none.
 */
export function routeSpecially(
  lead: {
    readonly qualified: boolean;
    readonly state: string | undefined;
    readonly do_not_send_to_dq: string | undefined;
    readonly oid: string;
    readonly affid: string;
  },
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
