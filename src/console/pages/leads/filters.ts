/** The filters of the list: their names, their values, and how they stand in the address. */
import { disqualifications } from '../../../contract/console/disqualifications.ts';
import {
  type LeadFilter,
  type LeadFilterKey,
  leadFilterKeys,
  NO_VALUE,
  suggestedKeys,
} from '../../../contract/console/leads.ts';
import type { Item } from '../../parts/controls.tsx';

/** The filters of the menu, in its order. The period and the search have places of their own. */
export type ChipKey = Exclude<LeadFilterKey, 'from' | 'to' | 'by' | 'q'>;

/** What each filter is called. */
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
/** The keys of the menu. */
export const chipKeys = Object.keys(filterNames) as ChipKey[];

/** The values of the filters whose values are always the same. */
const fixedValues: Readonly<Partial<Record<ChipKey, readonly Item[]>>> = {
  lead: [
    { id: 'accepted', label: 'accepted' },
    { id: 'held', label: 'held', note: 'Kept back until somebody releases it' },
    { id: 'dismissed', label: 'dismissed', note: 'Closed by somebody, and not sent' },
    { id: 'erased', label: 'erased' },
  ],
  delivery: [
    { id: 'waiting', label: 'waiting' },
    { id: 'sending', label: 'sending' },
    { id: 'retrying', label: 'retrying', note: 'Failed, and will be tried again' },
    { id: 'delivered', label: 'delivered' },
    { id: 'rejected', label: 'rejected', note: 'The buyer did not want it' },
    { id: 'dead', label: 'dead', note: 'Failed for good' },
    { id: 'uncertain', label: 'uncertain', note: 'Nobody knows whether it arrived' },
    { id: 'no_destination', label: 'no destination' },
    { id: 'held', label: 'held' },
    { id: 'suppressed', label: 'suppressed', note: 'The person asked not to be contacted' },
  ],
  outcome: [
    { id: 'delivered', label: 'a buyer took it' },
    { id: 'rejected', label: 'all refused it' },
    { id: 'unsold', label: 'unsold', note: 'No buyer was set up for it' },
  ],
  device: [
    { id: 'phone', label: 'phone' },
    { id: 'tablet', label: 'tablet' },
    { id: 'desktop', label: 'desktop' },
  ],
  qualified: [
    { id: 'yes', label: 'yes' },
    { id: 'no', label: 'no' },
  ],
  tests: [
    { id: 'with', label: 'included' },
    { id: 'only', label: 'only' },
  ],
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

type Address = Readonly<Record<string, string | undefined>>;

/** Returns the filter that an address holds. */
export function filterOfAddress(address: Address): LeadFilter {
  const pairs = leadFilterKeys.map((key) => [key, address[key]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined && value !== ''));
}

/** Returns the address with another filter; its other keys stay. */
export function addressWith(address: Address, filter: LeadFilter): Address {
  return { ...address, ...Object.fromEntries(leadFilterKeys.map((key) => [key, filter[key]])) };
}
