/** What the overview counts, as its address says it, and the lists behind its numbers. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { NO_VALUE } from '../../../contract/console/leads.ts';
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

/** One value of one dimension, such as source `google`. */
export type Segment = { readonly dimension: Dimension; readonly value: string };

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

/** The leads behind a number, as keys of the list. Null: it counts visits, which may have no lead. */
const leadKeys: Readonly<Record<TotalName, Address | null>> = {
  visits: null,
  firstAnswers: null,
  completed: {},
  accepted: { lead: 'accepted' },
  held: { lead: 'held' },
  qualified: { qualified: 'yes' },
  delivered: { delivery: 'delivered' },
  rejected: { delivery: 'rejected' },
  refusals: null,
  pageErrors: null,
};

/** The dimensions by which the funnels page can be filtered. */
const funnelDimensions: readonly Dimension[] = ['survey', 'source', 'language', 'device'];

/**
 * Returns the path of the list behind a number: leads, or a survey's funnel for numbers of visits. Those of all
 * surveys lead to the table by survey.
 */
export function useBehind(): (name: TotalName, segment?: Segment) => string | undefined {
  const { survey, segment: own } = useSelection();
  const address: Address = useSearch({ strict: false });
  const period = Object.fromEntries(periodKeys.map((key) => [key, address[key]]));
  return (name, segment = own) => {
    const keys = leadKeys[name];
    const filter = {
      ...period,
      survey,
      ...(segment && { [segment.dimension]: segment.value }),
    };
    if (keys === null) {
      if (segment && !funnelDimensions.includes(segment.dimension)) return undefined;
      if (filter.survey !== '') return addressOf('/funnels', filter);
      return segment ? undefined : addressOf('/', { ...period, by: 'survey' });
    }
    // Leads are not kept by device.
    if (segment?.dimension === 'device') return undefined;
    const none = segment?.value === '' && { [segment.dimension]: NO_VALUE };
    return addressOf('/leads', { ...filter, ...none, ...keys });
  };
}
