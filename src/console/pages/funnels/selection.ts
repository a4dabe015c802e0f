/** What a funnel shows, as the page's address says it, and what can be chosen. */
import type { BreakdownAnswer, Period } from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { addDays } from '../../format.ts';
import type { Address } from '../../parts/address.tsx';

/** The keys of the address that narrow a selection; one at a time, as the counts are kept. */
const segmentKeys = ['source', 'device', 'language', 'variant'] as const;

/** Every visitor of the survey. */
export const ALL = 'all';
/** The period before, as the second selection. */
export const BEFORE = 'before';

export type Selection = Period & {
  readonly survey: string;
  /** `all`, or such as `source=google`. */
  readonly segment: string;
};

/** Returns the segment that the address names: `source=google` for `?source=google`. */
export function segmentOf(address: Address): string {
  const key = segmentKeys.find((each) => address[each]);
  return key === undefined ? ALL : `${key}=${address[key]}`;
}

/** Returns the keys of the address for a segment. The others are removed. */
export function segmentKeysOf(segment: string): Address {
  const [key, ...value] = segment.split('=');
  const own = (name: string) => (name === key ? value.join('=') : undefined);
  return Object.fromEntries(segmentKeys.map((name) => [name, own(name)]));
}

/**
 * Returns the second selection: the period of the same length before, or another segment in the same period.
 * Undefined: none is chosen.
 */
export function comparedWith(selection: Selection, other = ''): Selection | undefined {
  const { from, to, segment } = selection;
  if (other === '' || other === segment) return undefined;
  if (other !== BEFORE) return { ...selection, segment: other };
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { ...selection, from: addDays(from, -days), to: addDays(from, -1) };
}

/** Returns a segment, or the second selection, for people: `source google`. */
export function segmentWords(segment: string): string {
  if (segment === ALL) return 'all visitors';
  if (segment === BEFORE) return 'the period before';
  const [key = '', ...value] = segment.split('=');
  return `${key} ${value.join('=') || 'unknown'}`;
}

/** Returns the visits of each survey in a period; undefined while they are loading. */
export function useSurveyVisits(period: Period): ReadonlyMap<string, number> | undefined {
  const { data, error } = useApi<BreakdownAnswer>('/api/breakdown', {
    dimension: 'survey',
    ...period,
  });
  if (error) return new Map();
  return data && new Map(data.rows.map(({ value, totals }) => [value, totals.visits]));
}

/** A segment of a survey's visitors, such as `source=google`, with its visits in the period. */
export type SegmentCount = { readonly segment: string; readonly visits: number };

/**
 * Returns the segments that a survey's visitors had in a period, the largest of each kind first. Leaves out visitors
 * without a value: an address cannot name them.
 */
export function useSegments(asked: Period & { readonly survey: string }): SegmentCount[] {
  const options = { enabled: asked.survey !== '' };
  return segmentKeys.flatMap((dimension) => {
    // biome-ignore lint/correctness/useHookAtTopLevel: the keys are always the same
    const { data } = useApi<BreakdownAnswer>('/api/breakdown', { dimension, ...asked }, options);
    return (data?.rows ?? [])
      .filter(({ value, totals }) => value !== '' && totals.visits > 0)
      .map(({ value, totals }) => ({ segment: `${dimension}=${value}`, visits: totals.visits }));
  });
}
