/** Stores the accounts and buyer lists of visits in PostgreSQL. */
import type pg from 'pg';
import type { IngestAccount } from '../../model/fields/ingest-account.ts';
import type { BuyerList } from '../../model/rules/buyers.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';

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

export type OneToOneStore = ReturnType<typeof createOneToOneStore>;

/** Stores the look-ups of one-to-one surveys until the lead is posted. Throws a `StoreUnavailableError`. */
export function createOneToOneStore(pool: pg.Pool) {
  return {
    /** Stores a lead's account. Returns false if the lead has another secret. */
    saveAccount: ({ leadId, secretSha256 }: OwnedLead, account: IngestAccount): Promise<boolean> =>
      storeErrors(async () => {
        const values = [leadId, secretSha256, JSON.stringify(account)];
        const query = { name: 'visit-account-save', text: SAVE_ACCOUNT, values };
        return (await pool.query(query)).rowCount === 1;
      }),
    /**
     * Stores the buyer list of a zip code. Returns `refused` if the lead has another secret, `full` if it has
     * `most` lists already.
     */
    saveBuyerList: (
      { leadId, secretSha256 }: OwnedLead,
      zip: string,
      buyerList: BuyerList,
      most: number,
    ): Promise<'saved' | 'refused' | 'full'> =>
      storeErrors(async () => {
        const values = [leadId, secretSha256, JSON.stringify({ [zip]: buyerList }), most];
        const query = { name: 'visit-buyer-list-save', text: SAVE_BUYER_LIST, values };
        if ((await pool.query(query)).rowCount === 1) return 'saved';
        const owner = await pool.query(IS_OWNER, [leadId, secretSha256]);
        return owner.rowCount === 1 ? 'full' : 'refused';
      }),
    /** Returns the buyer list of a zip code, only to the lead's owner. */
    findBuyerList: (
      { leadId, secretSha256 }: OwnedLead,
      zip: string,
    ): Promise<BuyerList | undefined> =>
      storeErrors(async () => {
        const values = [leadId, secretSha256, zip];
        const query = { name: 'visit-buyer-list-find', text: FIND_BUYER_LIST, values };
        const { rows } = await pool.query<{ buyers: BuyerList | null }>(query);
        return rows[0]?.buyers ?? undefined;
      }),
  };
}
