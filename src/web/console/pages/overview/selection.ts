import {
  hasLeads,
  leadsBehind,
  type Segment,
} from '../../../../model/messages/console/leads-behind.ts';
import {
  type Dimension,
  dimensions,
  type MoneyName,
  moneyNames,
  surveyDimensions,
  type TotalName,
  totalNames,
} from '../../../../model/messages/console/numbers.ts';
import { addressOf } from '../../api.ts';
import { useUrlQuery } from '../../parts/address.tsx';
import { periodKeysOf, usePeriod } from '../../parts/period.tsx';

type TotalWords = {
  readonly label: string;
  readonly means: string;
  /** The other figure that is the 100 % of this figure. */
  readonly of?: TotalName;
};

export const totalWords: Readonly<Record<TotalName, TotalWords>> = {
  visits: { label: 'Visits', means: 'Saw at least one step' },
  firstAnswers: { label: 'First answers', means: 'Answered a question', of: 'visits' },
  completed: { label: 'Completed', means: 'Pressed the last button', of: 'visits' },
  accepted: { label: 'Accepted', means: 'Their lead was accepted', of: 'completed' },
  held: { label: 'Held', means: 'Their lead is held now', of: 'completed' },
  qualified: { label: 'Qualified', means: 'The rules accept the lead', of: 'completed' },
  delivered: { label: 'Delivered', means: 'At least one buyer took the lead', of: 'accepted' },
  rejected: { label: 'Rejected', means: 'No buyer took it, one or more refused', of: 'accepted' },
  refusals: {
    label: 'Visitors with a rejected entry',
    means: 'Met a field that was refused',
    of: 'visits',
  },
  pageErrors: { label: 'Page errors', means: 'Met an error of the page', of: 'visits' },
};

export const moneyWords: Readonly<Record<MoneyName, { label: string; means: string }>> = {
  revenue: { label: 'Revenue', means: 'What these days’ visits brought, net of returns' },
  cost: { label: 'Cost', means: 'What visits cost: clicks, imported days and payouts' },
  margin: { label: 'Margin', means: 'Revenue less cost' },
  returned: { label: 'Returned', means: 'Leads of these visits that buyers sent back' },
};

/** The dimensions that the overview page offers. */
export const shownDimensions = dimensions.filter((name) => name !== 'variant');

const withinSurvey: readonly Dimension[] = surveyDimensions;

/** Returns whether the server can count visits of a survey by this dimension. */
export function canBreakDown(dimension: Dimension, survey: string): boolean {
  return survey === '' || withinSurvey.includes(dimension);
}

/** Returns the survey, the period, the segment and the totals that the URL selects. */
export function useSelection() {
  const { from, to } = usePeriod();
  const [address] = useUrlQuery();
  const { survey = '', value = '' } = address;
  const dimension = shownDimensions.find((name) => name === address.dimension);
  const segment: Segment | undefined =
    dimension && dimension !== 'survey' ? { dimension, value } : undefined;
  const by = shownDimensions.find((name) => name === address.by) ?? 'source';
  return {
    from,
    to,
    survey,
    segment,
    metric: [...totalNames, ...moneyNames].find((name) => name === address.metric) ?? 'visits',
    by: canBreakDown(by, survey) ? by : 'source',
  };
}

/** Returns a function that returns the URL of a list of the leads or visits that a total counts. */
export function useBehind(): (name: TotalName, segment?: Segment) => string | undefined {
  const { from, to, survey, segment: own } = useSelection();
  const [address] = useUrlQuery();
  const period = periodKeysOf(address);
  return (name, segment = own) => {
    const filter = leadsBehind(name, { from, to, survey, segment });
    if (filter !== undefined) return addressOf('/leads', filter);
    if (hasLeads(name)) return undefined;
    if (segment?.dimension === 'survey') {
      return addressOf('/funnels', { ...period, survey: segment.value });
    }
    if (!segment && survey === '') return addressOf('/', { ...period, by: 'survey' });
    if (survey === '' || (segment && !withinSurvey.includes(segment.dimension))) return undefined;
    const of = segment && `${segment.dimension}=${segment.value}`;
    return addressOf('/funnels', { ...period, survey, of });
  };
}
