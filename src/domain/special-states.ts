import { askedFields } from './asked-fields.ts';

/** Codes of the 50 states and DC. */
const allStates: readonly string[] = askedFields.state.values ?? [];

/**
 * The 25 most populous states (2020 census): the 25 states of the group and Ep variants, which the
 * brief does not name (docs/specification.md#special-states).
 */
export const mostPopulousStates: readonly string[] =
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MD MO WI CO MN SC AL LA'.split(' ');

/** Which states a flow names for its disqualified visitors; undefined: none of its own. */
type FlowList = 'most_populous' | undefined;

/**
 * The states whose disqualified leads are routed: the setting's where an operator has given a list,
 * else the flow's own, which is all states unless it says otherwise
 * (docs/specification.md#special-states).
 */
export function specialStatesOf(
  flowList: FlowList,
  setting: readonly string[] | undefined,
): readonly string[] {
  return setting ?? (flowList === 'most_populous' ? mostPopulousStates : allStates);
}

/**
 * The states whose disqualified visitors get no partner tab: the setting's where an operator has given
 * a list, else the flow's own, which is empty unless it says otherwise
 * (docs/specification.md#partner-tab).
 */
export function partnerClosedStatesOf(
  flowList: FlowList,
  setting: readonly string[] | undefined,
): readonly string[] {
  return setting ?? (flowList === 'most_populous' ? mostPopulousStates : []);
}
