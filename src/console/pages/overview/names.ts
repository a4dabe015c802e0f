import type { Dimension, TotalName } from '../../../contract/console/numbers.ts';

/** What the totals are called, and the total that each is a share of. */
export const totalWords: Readonly<
  Record<TotalName, { readonly label: string; readonly means: string; readonly of?: TotalName }>
> = {
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

/** What a total is called as the whole of a share. */
export const wholeWords: Readonly<Partial<Record<TotalName, string>>> = {
  visits: 'visits',
  completed: 'leads',
  accepted: 'accepted',
};

/** The totals that follow from each other, in their order: how visits become delivered leads. */
export const mainTotals: readonly TotalName[] = ['visits', 'completed', 'accepted', 'delivered'];

/** What the dimensions are called. */
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
