/** What a funnel shows, as the page's address says it. */
import { addDays } from '../../format.ts';

/** The keys of the address that narrow a selection; one at a time, as the counts are kept. */
export const segmentKeys = ['source', 'device', 'language', 'variant'] as const;
export type SegmentKey = (typeof segmentKeys)[number];

/** Every visitor of the survey. */
export const ALL = 'all';

export type Selection = {
  readonly survey: string;
  readonly from: string;
  readonly to: string;
  /** `all`, or such as `source=google`. */
  readonly segment: string;
};

type Search = Readonly<Record<string, unknown>>;

/** Returns the segment that the address names: `source=google` for `?source=google`. */
export function segmentOf(search: Search): string {
  const key = segmentKeys.find((each) => String(search[each] ?? '') !== '');
  return key === undefined ? ALL : `${key}=${search[key]}`;
}

/** Returns the keys of the address for a segment. The others are removed. */
export function segmentSearch(segment: string): Readonly<Record<SegmentKey, string | undefined>> {
  const [key, ...value] = segment.split('=');
  const own = (name: SegmentKey) => (name === key ? value.join('=') : undefined);
  return {
    source: own('source'),
    device: own('device'),
    language: own('language'),
    variant: own('variant'),
  };
}

/** The period before, as the second selection. */
export const BEFORE = 'before';

/**
 * Returns the second selection: the period before, or another segment in the same period. Undefined: none is
 * chosen.
 */
export function comparedWith(selection: Selection, other: unknown): Selection | undefined {
  const chosen = String(other ?? '');
  if (chosen === '' || chosen === selection.segment) return undefined;
  return chosen === BEFORE
    ? { ...selection, ...periodBefore(selection) }
    : { ...selection, segment: chosen };
}

/** Returns the period of the same length that ends on the day before. */
export function periodBefore({ from, to }: { readonly from: string; readonly to: string }) {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { from: addDays(from, -days), to: addDays(from, -1) };
}

/** Returns a segment for people: `source google`. */
export function segmentWords(segment: string): string {
  if (segment === ALL) return 'all visitors';
  const [key = '', ...value] = segment.split('=');
  return `${key} ${value.join('=') || 'unknown'}`;
}
