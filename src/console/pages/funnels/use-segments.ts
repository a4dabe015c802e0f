import { useMemo } from 'react';
import type { BreakdownAnswer } from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { type SegmentKey, segmentKeys } from './selection.ts';

type Days = { readonly from: string; readonly to: string };

/** Returns the visits of each survey in a period; undefined while they are loading. */
export function useSurveyVisits(days: Days): ReadonlyMap<string, number> | undefined {
  const { data, error } = useApi<BreakdownAnswer>('/api/breakdown', {
    dimension: 'survey',
    ...days,
  });
  return useMemo(() => {
    if (error) return new Map();
    return data && new Map(data.rows.map(({ value, totals }) => [value, totals.visits]));
  }, [data, error]);
}

/** A segment of a survey's visitors, such as `source=google`, with its visits in the period. */
export type SegmentCount = { readonly segment: string; readonly visits: number };

type Asked = Days & { readonly survey: string };

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
