/** What the overview counts, as its address says it, and the lists behind its numbers. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { hasLeads, leadsBehind, type Segment } from '../../../contract/console/leads-behind.ts';
import {
  type Dimension,
  dimensions,
  type TotalName,
  totalNames,
} from '../../../contract/console/numbers.ts';
import { addressOf } from '../../api.ts';
import { periodKeys, usePeriod } from '../../shell/period.tsx';

type Address = Readonly<Record<string, string | undefined>>;

/** The dimensions of the breakdown. The funnels and experiments pages show variants. */
export const shownDimensions = dimensions.filter((name) => name !== 'variant');

/** The dimensions that are also counted within one survey. */
const withinSurvey: readonly Dimension[] = ['source', 'language', 'device'];

/** What the page shows. */
export type Selection = {
  readonly from: string;
  readonly to: string;
  readonly isCompared: boolean;
  /** The survey that alone is counted; empty: all. */
  readonly survey: string;
  /** The only other filter: counts are kept by one dimension at a time beside the survey. */
  readonly segment: Segment | undefined;
  /** The number that the chart shows. */
  readonly metric: TotalName;
  /** The dimension of the table. */
  readonly by: Dimension;
};

/** Reads the selection from the address. */
export function useSelection(): Selection {
  const { from, to, isCompared } = usePeriod();
  const address: Address = useSearch({ strict: false });
  const { survey = '', dimension, value = '' } = address;
  const filtered = shownDimensions.find((name) => name === dimension && name !== 'survey');
  const segment = filtered && { dimension: filtered, value };
  const by = shownDimensions.find((name) => name === address.by) ?? 'source';
  return {
    ...{ from, to, isCompared, survey, segment },
    metric: totalNames.find((name) => name === address.metric) ?? 'visits',
    by: canBreakDown(by, survey) ? by : 'source',
  };
}

/** Tells whether numbers are kept by this dimension. */
export function canBreakDown(dimension: Dimension, survey: string): boolean {
  return survey === '' || withinSurvey.includes(dimension);
}

/** Returns what changes keys of the address; all others stay. */
export function useChange(): (keys: Address) => void {
  const navigate = useNavigate();
  return (keys) => {
    const search = (now: Address) => ({ ...now, ...keys });
    void navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
  };
}

/** The dimensions by which the funnels page can be filtered. */
const funnelDimensions: readonly Dimension[] = ['survey', 'source', 'language', 'device'];

/**
 * Returns the path of the list behind a number: leads, or a survey's funnel for numbers of visits. Those of all
 * surveys lead to the table by survey.
 */
export function useBehind(): (name: TotalName, segment?: Segment) => string | undefined {
  const { from, to, survey, segment: own } = useSelection();
  const address: Address = useSearch({ strict: false });
  const period = Object.fromEntries(periodKeys.map((key) => [key, address[key]]));
  return (name, segment = own) => {
    const filter = leadsBehind(name, { from, to, survey, segment });
    if (filter !== undefined) return addressOf('/leads', filter);
    if (hasLeads(name)) return undefined;
    if (segment && !funnelDimensions.includes(segment.dimension)) return undefined;
    const keys = { ...period, survey, ...(segment && { [segment.dimension]: segment.value }) };
    if (keys.survey !== '') return addressOf('/funnels', keys);
    return segment ? undefined : addressOf('/', { ...period, by: 'survey' });
  };
}
