/** Stores the accounts and buyer lists of visits in PostgreSQL. */
import type pg from 'pg';
import type { BuyerList } from '../../domain/buyers.ts';
import type { OneToOneStore } from '../lookups/one-to-one.ts';
import { storeErrors } from './leads-errors.ts';

/** Each statement checks who owns the visit, since any of them may be the first contact. */
const IS_OWN = `visits.secret_sha256 is not distinct from excluded.secret_sha256
  and visits.erased_at is null`;

/** The first account stays, because the lead may have been sent with it. */
const SAVE_ACCOUNT = `
insert into visits (lead_id, secret_sha256, account) values ($1, $2, $3::jsonb)
on conflict (lead_id) do update set account = coalesce(visits.account, excluded.account), seen_at = now()
where ${IS_OWN}`;

/**
 * Adds the buyer list of a zip code. Lists of other zip codes stay: visitors go back, and calls overtake each
 * other. $4: the most lists.
 */
const SAVE_BUYER_LIST = `
insert into visits (lead_id, secret_sha256, offers) values ($1, $2, $3::jsonb)
on conflict (lead_id) do update set offers = visits.offers || excluded.offers, seen_at = now()
where ${IS_OWN} and (select count(*) from jsonb_object_keys(visits.offers || excluded.offers)) <= $4`;

const IS_OWNER = `select 1 from visits
where lead_id = $1 and secret_sha256 is not distinct from $2 and erased_at is null`;

const FIND_BUYER_LIST = `select offers->$3 as buyers from visits
where lead_id = $1 and secret_sha256 is not distinct from $2`;

export function createOneToOneStore(pool: pg.Pool): OneToOneStore {
  return {
    saveAccount: ({ leadId, secretSha256 }, account) =>
      storeErrors(async () => {
        const { rowCount } = await pool.query({
          name: 'visit-account-save',
          text: SAVE_ACCOUNT,
          values: [leadId, secretSha256, JSON.stringify(account)],
        });
        return rowCount === 1;
      }),
    saveBuyerList: ({ leadId, secretSha256 }, zip, buyerList, most) =>
      storeErrors(async () => {
        const { rowCount } = await pool.query({
          name: 'visit-buyer-list-save',
          text: SAVE_BUYER_LIST,
          values: [leadId, secretSha256, JSON.stringify({ [zip]: buyerList }), most],
        });
        if (rowCount === 1) return 'saved';
        const owner = await pool.query(IS_OWNER, [leadId, secretSha256]);
        return owner.rowCount === 1 ? 'full' : 'refused';
      }),
    findBuyerList: ({ leadId, secretSha256 }, zip) =>
      storeErrors(async () => {
        const { rows } = await pool.query<{ buyers: BuyerList | null }>({
          name: 'visit-buyer-list-find',
          text: FIND_BUYER_LIST,
          values: [leadId, secretSha256, zip],
        });
        return rows[0]?.buyers ?? undefined;
      }),
  };
}
