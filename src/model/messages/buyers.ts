import type { Buyer } from '../rules/buyer-choice.ts';

/** `POST /api/mapping`: requests and stores the lead's ingest account (docs/specification.md#mapping). */
export const mappingPath = '/api/mapping';
export type MappingAnswer = { readonly mapped: boolean };

/** `POST /api/buyers`: returns the buyers that the visitor may choose from (docs/specification.md#buyers). */
export const buyersPath = '/api/buyers';
export type BuyersAnswer = {
  /** The field `1_to_1_consent`: yes if the visitor can choose buyers. */
  readonly consent: 'yes' | 'no';
  /** The field `1_to_1_timeout`: yes if the call to the buyers service failed. */
  readonly timeout: 'yes' | 'no';
  readonly buyers: readonly Buyer[];
};
