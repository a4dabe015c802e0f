/** The filters of the list: their names, their values, and how they stand in the address. */

import {
  type LeadCountAnswer,
  type LeadFilter,
  type LeadFilterKey,
  leadFilterKeys,
  NO_VALUE,
  suggestedKeys,
} from '../../../../model/messages/console/leads.ts';
import { disqualifications } from '../../../../model/messages/vocabulary.ts';
import { count } from '../../format.ts';
import type { Address } from '../../parts/address.tsx';
import type { Item } from '../../parts/controls.tsx';

/** The filters of the menu, in its order. The period and the search have places of their own. */
export type ChipKey = Exclude<LeadFilterKey, 'from' | 'to' | 'by' | 'q'>;

export const filterNames: Readonly<Record<ChipKey, string>> = {
  lead: 'Lead',
  delivery: 'Delivery',
  destination: 'Destination',
  outcome: 'Buyers',
  qualified: 'Qualified',
  reason: 'Reason',
  hold: 'Held because',
  survey: 'Survey',
  source: 'Source',
  campaign: 'Campaign',
  sub: 'Sub id',
  affiliate: 'Affiliate',
  state: 'US state',
  language: 'Language',
  device: 'Device',
  code: 'Rejection code',
  variant: 'Variant',
  tests: 'Test leads',
};
export const chipKeys = Object.keys(filterNames) as ChipKey[];

const item = (id: string, note?: string, label = id.replaceAll('_', ' ')): Item => ({
  id,
  label,
  note,
});

const fixedValues: Readonly<Partial<Record<ChipKey, readonly Item[]>>> = {
  lead: [
    item('accepted'),
    item('held', 'Kept back until somebody releases it'),
    item('dismissed', 'Closed by somebody, and not sent'),
    item('erased'),
  ],
  delivery: [
    item('waiting'),
    item('sending'),
    item('retrying', 'Failed, and will be tried again'),
    item('delivered'),
    item('rejected', 'The buyer did not want it'),
    item('dead', 'Failed for good'),
    item('uncertain', 'Nobody knows whether it arrived'),
    item('no_destination'),
    item('held'),
    item('suppressed', 'The person asked not to be contacted'),
  ],
  outcome: [
    item('delivered', undefined, 'a buyer took it'),
    item('rejected', undefined, 'all refused it'),
    item('unsold', 'No buyer was set up for it'),
  ],
  device: [item('phone'), item('tablet'), item('desktop')],
  qualified: [item('yes'), item('no')],
  tests: [item('with', undefined, 'included'), item('only')],
};

/** Returns the fixed values of a filter; undefined: they depend on the leads. */
export function fixedValuesOf(key: ChipKey): readonly Item[] | undefined {
  return (suggestedKeys as readonly string[]).includes(key) ? undefined : fixedValues[key];
}

/** Returns a filter's value as people read it. */
export function valueText(key: ChipKey, value: string): string {
  if (value === NO_VALUE) return key === 'source' ? 'direct' : 'none';
  if (key === 'reason') return disqualifications[value]?.short ?? value.replace('|', ': ');
  if (key === 'hold') return value.replaceAll('_', ' ');
  return fixedValuesOf(key)?.find(({ id }) => id === value)?.label ?? value;
}

export function filterOfAddress(address: Address): LeadFilter {
  const pairs = leadFilterKeys.map((key) => [key, address[key]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value));
}

/** Returns the keys of the address for a filter; the others are removed. */
export function addressOfFilter(filter: LeadFilter): Address {
  return Object.fromEntries(leadFilterKeys.map((key) => [key, filter[key]]));
}

/** Returns a number of leads in words: `12 480 leads`, `more than 10 000 leads`, `an unknown number of leads`. */
export function countText(answer: LeadCountAnswer | undefined): string {
  if (answer === undefined) return 'all leads';
  if (answer.count === 0 && !answer.isExact) return 'an unknown number of leads';
  const leads = answer.count === 1 && answer.isExact ? 'lead' : 'leads';
  return `${answer.isExact ? '' : 'more than '}${count(answer.count)} ${leads}`;
}
