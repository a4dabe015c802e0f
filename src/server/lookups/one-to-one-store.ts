import type { BuyerList } from '../../domain/buyers.ts';
import type { IngestAccount } from '../../domain/ingest-account.ts';
import type { OwnedLead } from '../base/owned-lead.ts';

/** Stores the look-ups of one-to-one surveys until the lead is posted. */
export type OneToOneStore = {
  /**
   * Stores a lead's account; the first one stays. Returns false if the lead has another secret.
   * @throws StoreUnavailableError
   */
  saveAccount(lead: OwnedLead, account: IngestAccount): Promise<boolean>;
  /**
   * Stores the buyer list of a zip code. Returns `refused` if the lead has another secret, `full` if it has
   * `most` lists already.
   * @throws StoreUnavailableError
   */
  saveBuyerList(
    lead: OwnedLead,
    zip: string,
    buyerList: BuyerList,
    most: number,
  ): Promise<'saved' | 'refused' | 'full'>;
  /**
   * Returns the buyer list of a zip code, only to the lead's owner.
   * @throws StoreUnavailableError
   */
  findBuyerList(lead: OwnedLead, zip: string): Promise<BuyerList | undefined>;
};
