/** Links from a number of the overview to the list of the leads that it counts. */
import { type LeadFilter, NO_VALUE } from './leads.ts';
import type { Dimension, Period, TotalName } from './numbers.ts';

/** One value of one dimension, such as source `google`. */
export type Segment = { readonly dimension: Dimension; readonly value: string };

/** The filter of each number that counts leads. Other numbers count visits, which may have no lead. */
const filters: Readonly<Partial<Record<TotalName, LeadFilter>>> = {
  accepted: { lead: 'accepted' },
  held: { lead: 'held' },
  qualified: { qualified: 'yes' },
  delivered: { outcome: 'delivered' },
  rejected: { outcome: 'rejected' },
};

/** The value that replaces rare values of a dimension in the counts. */
const OTHER = 'other';

/** Returns whether a number counts leads. */
export function hasLeads(name: TotalName): boolean {
  return filters[name] !== undefined;
}

/** Returns the filter of exactly the leads that a number counts. Undefined if there is no such filter. */
export function leadsBehind(
  name: TotalName,
  given: Period & { readonly survey: string; readonly segment?: Segment | undefined },
): LeadFilter | undefined {
  const { from, to, survey, segment } = given;
  if (filters[name] === undefined || segment?.value === OTHER) return undefined;
  return {
    from,
    to,
    by: 'visit',
    ...(survey !== '' && { survey }),
    ...(segment && { [segment.dimension]: segment.value || NO_VALUE }),
    ...filters[name],
  };
}
