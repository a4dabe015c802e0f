import type { DeliveryState, LeadState } from '../../model/messages/vocabulary.ts';
import { definitionOf, isBuyer } from '../delivery/destinations/index.ts';

/** Maps each service that receives contact details to the name that sentences use. */
const services: Readonly<Record<string, string>> = {
  phone: 'phone validation',
  email: 'e-mail validation',
  verification: 'pre-submit verification',
  save_data: 'progress mirror',
  sms: 'SMS codes',
};

/** The buyers' names in their terms, by destination. */
export type BuyerNames = ReadonlyMap<string, string>;

/** Returns a destination's name for a sentence: the buyer's name, else words such as `the exchange lead-data service`. */
export function destinationTitle(name: string, buyerNames?: BuyerNames): string {
  const buyer = buyerNames?.get(name);
  if (buyer !== undefined) return buyer;
  const title = definitionOf(name)?.title ?? services[name] ?? name;
  const short = /\(([^)]+)\)$/.exec(title)?.[1] ?? title;
  const [, account] = name.split('/', 2);
  return account === undefined ? short : `${account} (${short})`;
}

/** Capitalizes the first letter of a text. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a count with its noun: `1 lead`, `3 leads`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns a delivery's state for the console. */
export function shownState(lead: LeadState, state: DeliveryState): string {
  return lead === 'dismissed' && state === 'held' ? 'dismissed' : state;
}

/** Returns what a row of the lead list shows about a delivery. */
export function deliveryOfRow(
  lead: LeadState,
  { destination, state }: { readonly destination: string; readonly state: DeliveryState },
  buyerNames: BuyerNames,
) {
  return {
    state: shownState(lead, state),
    title: destinationTitle(destination, buyerNames),
    isBuyer: isBuyer(destination),
  };
}

/** Returns a delivery's state in the words of the console. */
export function stateText(state: string): string {
  if (state === 'passed_over') return 'left out';
  return state === 'dead' ? 'given up' : state.replaceAll('_', ' ');
}
