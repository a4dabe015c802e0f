import { askedFields } from './asked-fields.ts';

/** Codes of the 50 states and DC. */
const allStates: readonly string[] = askedFields.state.values ?? [];

/**
 * The 25 most populous states (2020 census). The brief gives the group and Ep variants 25 states without
 * naming them (docs/specification.md#special-states).
 */
export const mostPopulousStates: readonly string[] =
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MD MO WI CO MN SC AL LA'.split(' ');

/** A flow's own list of states for disqualified visitors, if any. */
type FlowList = 'most_populous' | undefined;

/**
 * Returns the states whose disqualified leads are routed: the operator's setting, else the flow's list,
 * else all states (docs/specification.md#special-states).
 */
export function specialStatesOf(
  flowList: FlowList,
  setting: readonly string[] | undefined,
): readonly string[] {
  return setting ?? (flowList === 'most_populous' ? mostPopulousStates : allStates);
}

/**
 * Returns the states whose disqualified visitors get no partner tab: the operator's setting, else the
 * flow's list, else none (docs/specification.md#partner-tab).
 */
export function partnerClosedStatesOf(
  flowList: FlowList,
  setting: readonly string[] | undefined,
): readonly string[] {
  return setting ?? (flowList === 'most_populous' ? mostPopulousStates : []);
}
