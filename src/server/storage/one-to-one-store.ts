/** Accounts and buyer offers of leads in PostgreSQL. */
import type pg from 'pg';
import type { BuyerOffer } from '../../domain/buyers.ts';
import type { OneToOneStore } from '../leads/ports.ts';
import { storeErrors } from './leads-errors.ts';

/** A lead's account stays: it may have been sent under it. */
const SAVE_ACCOUNT = `
insert into lead_accounts (lead_id, campaign_id, supplier_id, key) values ($1, $2, $3, $4)
on conflict (lead_id) do nothing`;

/**
 * Offers by zip code: a visitor may go back and give another one, and the slower of two calls must not
 * take the place of the other.
 */
const SAVE_OFFER = `
insert into buyer_offers (lead_id, offer) values ($1, $2::jsonb)
on conflict (lead_id) do update set offer = buyer_offers.offer || excluded.offer, created_at = now()`;

const FIND_OFFER = 'select offer from buyer_offers where lead_id = $1';

export function createOneToOneStore(pool: pg.Pool): OneToOneStore {
  return {
    saveAccount: (leadId, { campaignId, supplierId, key }) =>
      storeErrors(async () => {
        await pool.query({
          name: 'lead-account-save',
          text: SAVE_ACCOUNT,
          values: [leadId, campaignId, supplierId, key],
        });
      }),
    saveOffer: (leadId, zip, offer) =>
      storeErrors(async () => {
        await pool.query({
          name: 'buyer-offer-save',
          text: SAVE_OFFER,
          values: [leadId, JSON.stringify({ [zip]: offer })],
        });
      }),
    findOffer: (leadId, zip) =>
      storeErrors(async () => {
        const { rows } = await pool.query<{ offer: Record<string, BuyerOffer> }>({
          name: 'buyer-offer-find',
          text: FIND_OFFER,
          values: [leadId],
        });
        return rows[0]?.offer[zip];
      }),
  };
}
