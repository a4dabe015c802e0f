/** What the overview counts, as its address says it, the lists behind its numbers, and their words. */
import {
  hasLeads,
  leadsBehind,
  type Segment,
} from '../../../../model/messages/console/leads-behind.ts';
import {
  type Dimension,
  dimensions,
  type TotalName,
  totalNames,
} from '../../../../model/messages/console/numbers.ts';
import { addressOf } from '../../api.ts';
import { useAddress } from '../../parts/address.tsx';
import { periodKeysOf, usePeriod } from '../../parts/period.tsx';

type TotalWords = {
  readonly label: string;
  readonly means: string;
  /** The total that it is a share of. */
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

export const dimensionLabels: Readonly<Record<Dimension, string>> = {
  survey: 'Survey',
  source: 'Source',
  campaign: 'Campaign',
  sub: 'Sub id',
  affiliate: 'Affiliate',
  state: 'State',
  language: 'Language',
  device: 'Device',
  code: 'Rejection code',
  variant: 'Variant',
};

const languages: Readonly<Record<string, string>> = { en: 'English', es: 'Spanish' };

/** Writes a value of a dimension for people. */
export function valueLabel(dimension: Dimension, value: string): string {
  if (value === '') return dimension === 'source' ? 'direct' : 'none';
  return dimension === 'language' ? (languages[value] ?? value) : value;
}

/** The dimensions of the breakdown. The funnels and surveys pages show variants. */
export const shownDimensions = dimensions.filter((name) => name !== 'variant');

/** The dimensions that are also counted within one survey, and by which funnels can be filtered. */
const withinSurvey: readonly Dimension[] = ['source', 'language', 'device'];

export function canBreakDown(dimension: Dimension, survey: string): boolean {
  return survey === '' || withinSurvey.includes(dimension);
}

/**
 * Reads from the address what the page shows. `survey` is alone counted (empty: all); `segment` is the only other
 * filter, since counts are kept by one dimension beside the survey; `metric` is the number of the chart, and `by`
 * the dimension of the table.
 */
export function useSelection() {
  const { from, to, isCompared } = usePeriod();
  const [address] = useAddress();
  const { survey = '', value = '' } = address;
  const dimension = shownDimensions.find((name) => name === address.dimension);
  const segment: Segment | undefined =
    dimension && dimension !== 'survey' ? { dimension, value } : undefined;
  const by = shownDimensions.find((name) => name === address.by) ?? 'source';
  return {
    from,
    to,
    isCompared,
    survey,
    segment,
    metric: totalNames.find((name) => name === address.metric) ?? 'visits',
    by: canBreakDown(by, survey) ? by : 'source',
  };
}

/**
 * Returns the path of the list behind a number: leads, or a survey's funnel for numbers of visits. Those of all
 * surveys lead to the table by survey.
 */
export function useBehind(): (name: TotalName, segment?: Segment) => string | undefined {
  const { from, to, survey, segment: own } = useSelection();
  const [address] = useAddress();
  const period = periodKeysOf(address);
  return (name, segment = own) => {
    const filter = leadsBehind(name, { from, to, survey, segment });
    if (filter !== undefined) return addressOf('/leads', filter);
    if (hasLeads(name)) return undefined;
    if (segment && !['survey', ...withinSurvey].includes(segment.dimension)) return undefined;
    const keys = { ...period, survey, ...(segment && { [segment.dimension]: segment.value }) };
    if (keys.survey !== '') return addressOf('/funnels', keys);
    return segment ? undefined : addressOf('/', { ...period, by: 'survey' });
  };
}
