import { type LeadFilter, NO_VALUE } from './leads.ts';
import type { Dimension, Period, TotalName } from './numbers.ts';

/** A value of a dimension, such as the source `google`. */
export type Segment = { readonly dimension: Dimension; readonly value: string };

/** Maps the totals that count leads to a filter for these leads. */
const filters: Readonly<Partial<Record<TotalName, LeadFilter>>> = {
  accepted: { lead: 'accepted' },
  held: { lead: 'held' },
  qualified: { qualified: 'yes' },
  delivered: { outcome: 'delivered' },
  rejected: { outcome: 'rejected' },
};

/** The server counts all rare values under this value. */
const OTHER = 'other';

export function hasLeads(name: TotalName): boolean {
  return filters[name] !== undefined;
}

/** Returns a filter for the leads that a total counts. */
export function leadsBehind(
  name: TotalName,
  given: Period & { readonly survey: string; readonly segment?: Segment | undefined },
): LeadFilter | undefined {
  const { from, to, survey, segment } = given;
  if (filters[name] === undefined || segment?.value === OTHER) return undefined;
  if (segment?.dimension === 'buyer') return behindBuyer(name, given, segment.value);
  return {
    from,
    to,
    by: 'visit',
    ...(survey !== '' && { survey }),
    ...(segment && { [segment.dimension]: segment.value || NO_VALUE }),
    ...filters[name],
  };
}

/** Returns a filter for the leads that a buyer took or refused. Other totals of it have no filter. */
function behindBuyer(
  name: TotalName,
  { from, to, survey }: Period & { readonly survey: string },
  destination: string,
): LeadFilter | undefined {
  if (destination === '' || (name !== 'delivered' && name !== 'rejected')) return undefined;
  return { from, to, by: 'visit', ...(survey !== '' && { survey }), destination, delivery: name };
}
