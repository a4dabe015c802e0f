import type { Buyer } from '../domain/buyer-choice.ts';

/**
 * `POST /api/mapping`, body `{ lead_id, survey, affid, oid }`: the ingest account of this visitor's
 * lead is looked up and kept with the lead (docs/specification.md#mapping). The page only hears whether
 * it worked; it goes on in any case.
 */
export const mappingPath = '/api/mapping';
export type MappingAnswer = { readonly mapped: boolean };

/**
 * `POST /api/buyers`, body `{ lead_id, survey, zip_code, … }` with the answers so far and the ids of the
 * click: the buyers that this visitor may choose from (docs/specification.md#buyers).
 */
export const buyersPath = '/api/buyers';
export type BuyersAnswer = {
  /** `1_to_1_consent`: whether there is anybody to choose. */
  readonly consent: 'yes' | 'no';
  /** `1_to_1_timeout`: the buyers service could not be asked. */
  readonly timeout: 'yes' | 'no';
  readonly buyers: readonly Buyer[];
};
