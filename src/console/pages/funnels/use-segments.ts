import type { BreakdownAnswer } from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { type SegmentKey, segmentKeys } from './selection.ts';

/** A segment of a survey's visitors, such as `source=google`, with its visits in the period. */
export type SegmentCount = { readonly segment: string; readonly visits: number };

type Asked = { readonly survey: string; readonly from: string; readonly to: string };

/**
 * Returns the segments that a survey's visitors had in a period, the largest of each kind first. Leaves out visitors
 * without a value: an address cannot name them.
 */
export function useSegments(asked: Asked): readonly SegmentCount[] {
  const answers = {
    source: useBreakdown('source', asked),
    device: useBreakdown('device', asked),
    language: useBreakdown('language', asked),
    variant: useBreakdown('variant', asked),
  };
  return segmentKeys.flatMap((key) =>
    (answers[key]?.rows ?? [])
      .filter(({ value, totals }) => value !== '' && totals.visits > 0)
      .map(({ value, totals }) => ({ segment: `${key}=${value}`, visits: totals.visits })),
  );
}

function useBreakdown(dimension: SegmentKey, asked: Asked): BreakdownAnswer | undefined {
  return useApi<BreakdownAnswer>(
    '/api/breakdown',
    { dimension, ...asked },
    { enabled: asked.survey !== '' },
  ).data;
}
