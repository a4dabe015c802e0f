import { askedFields } from './lead/asked-fields.ts';

/** Codes of the 50 states and DC. */
const allStates: readonly string[] = askedFields.state.values ?? [];

/**
 * The 25 most populous states (2020 census): the documents' "25-state list" of the group and Ep
 * variants, whose contents they do not show (readings, "Answers and rules").
 */
export const mostPopulousStates: readonly string[] =
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MD MO WI CO MN SC AL LA'.split(' ');

/**
 * The special states of a flow: the setting's where an operator has given one, else the flow's own
 * list, which is all states unless it says otherwise (document 2, section 9).
 */
export function specialStatesOf(
  flowList: 'most_populous' | undefined,
  setting: readonly string[] | undefined,
): readonly string[] {
  return setting ?? (flowList === 'most_populous' ? mostPopulousStates : allStates);
}
