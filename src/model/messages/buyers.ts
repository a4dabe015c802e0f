import type { Buyer } from '../rules/buyer-choice.ts';
import type { BuyerList } from '../rules/buyers.ts';

/** Path at which the server stores the lead's ingest account (docs/specification.md#mapping). */
export const mappingPath = '/api/mapping';
export type MappingAnswer = { readonly mapped: boolean };

/** Path that returns the law firms to choose from (docs/specification.md#buyers). */
export const buyersPath = '/api/buyers';
export type BuyersAnswer = Pick<BuyerList, 'consent' | 'timeout'> & {
  readonly buyers: readonly Buyer[];
};
