import type { Buyer } from '../rules/buyer-choice.ts';

/** `POST /api/mapping`: requests the lead's ingest account and stores it (docs/specification.md#mapping). */
export const mappingPath = '/api/mapping';
export type MappingAnswer = { readonly mapped: boolean };

/** `POST /api/buyers`: returns the buyers from which the visitor may choose (docs/specification.md#buyers). */
export const buyersPath = '/api/buyers';
export type BuyersAnswer = {
  /** Lead field `1_to_1_consent`: `yes` if the visitor can choose buyers. */
  readonly consent: 'yes' | 'no';
  /** Lead field `1_to_1_timeout`: `yes` if the call to the buyers service failed. */
  readonly timeout: 'yes' | 'no';
  readonly buyers: readonly Buyer[];
};
