/** One-to-one consent: stores the ingest account and the shown buyers of each visit. */
import type pg from 'pg';
import {
  fieldsWhere,
  isImpersonalAnswer,
  isLeadField,
  isReserved,
} from '../../model/fields/lead-fields.ts';
import { parseLeadFields } from '../../model/fields/parse-lead-fields.ts';
import { type IngestAccount, trackingFields } from '../../model/fields/tracking-fields.ts';
import type { SurveyTable } from '../../model/flows/survey-table.ts';
import type { Survey } from '../../model/flows/surveys.ts';
import type { Visitor } from '../../model/lead/context.ts';
import type { BuyersAnswer, MappingAnswer } from '../../model/messages/buyers.ts';
import type { ZipAnswer } from '../../model/messages/checks.ts';
import {
  type AvailableBuyers,
  type BuyerList,
  type BuyerListSettings,
  failedStep,
  fetchedBuyerList,
  fixedBuyerList,
} from '../../model/rules/buyers.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import { ifUnavailable, OverLimitError } from '../platform/errors.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';
import type { AskCheck } from './check.ts';

/** SQL: true if the request has the secret of the stored visit, and the visit is not erased. */
const IS_OWN = `visits.secret_sha256 is not distinct from excluded.secret_sha256
  and visits.erased_at is null`;

/** SQL: stores a lead's ingest account, unless the lead already has an ingest account. */
const SAVE_ACCOUNT = `
insert into visits (lead_id, secret_sha256, account) values ($1, $2, $3::jsonb)
on conflict (lead_id) do update set account = coalesce(visits.account, excluded.account), seen_at = now()
where ${IS_OWN}`;

/** SQL: adds the buyers for a zip code to the visit. */
const SAVE_BUYER_LIST = `
insert into visits (lead_id, secret_sha256, offers) values ($1, $2, $3::jsonb)
on conflict (lead_id) do update set offers = visits.offers || excluded.offers, seen_at = now()
where ${IS_OWN} and (select count(*) from jsonb_object_keys(visits.offers || excluded.offers)) <= $4`;

const IS_OWNER = `select 1 from visits
where lead_id = $1 and secret_sha256 is not distinct from $2 and erased_at is null`;

const FIND_BUYER_LIST = `select offers->$3 as buyers from visits
where lead_id = $1 and secret_sha256 is not distinct from $2`;

export type OneToOneStore = ReturnType<typeof createOneToOneStore>;

/** Creates the store of one-to-one consent. Its functions throw StoreUnavailableError. */
export function createOneToOneStore(pool: pg.Pool) {
  const query = <Row extends object>(name: string, text: string, values: unknown[]) =>
    storeErrors(() => pool.query<Row>({ name, text, values }));
  return {
    /** Stores a lead's ingest account. Returns false if the secret is wrong. */
    async saveAccount(lead: OwnedLead, account: IngestAccount): Promise<boolean> {
      const values = [lead.leadId, lead.secretSha256, JSON.stringify(account)];
      return (await query('visit-account-save', SAVE_ACCOUNT, values)).rowCount === 1;
    },
    /** Stores the list of buyers for a visitor's zip code. */
    async saveBuyerList(
      { leadId, secretSha256 }: OwnedLead,
      zip: string,
      buyerList: BuyerList,
      most: number,
    ): Promise<'saved' | 'refused' | 'full'> {
      const values = [leadId, secretSha256, JSON.stringify({ [zip]: buyerList }), most];
      const saved = await query('visit-buyer-list-save', SAVE_BUYER_LIST, values);
      if (saved.rowCount === 1) return 'saved';
      const owner = await query('visit-owner', IS_OWNER, [leadId, secretSha256]);
      return owner.rowCount === 1 ? 'full' : 'refused';
    },
    /** Returns the stored list of buyers for a zip code; undefined if no list is stored. */
    async findBuyerList(lead: OwnedLead, zip: string): Promise<BuyerList | undefined> {
      const values = [lead.leadId, lead.secretSha256, zip];
      type Row = { buyers: BuyerList | null };
      const { rows } = await query<Row>('visit-buyer-list-find', FIND_BUYER_LIST, values);
      return rows[0]?.buyers ?? undefined;
    },
  };
}

/** Creates the check that finds a lead's ingest account (docs/specification.md#mapping). */
export function createMapLead(options: {
  readonly ask: AskCheck<{ affid: number; oid: number }, IngestAccount> | undefined;
  readonly store: Pick<OneToOneStore, 'saveAccount'>;
  readonly surveys: SurveyTable;
}) {
  const { ask, store, surveys } = options;
  return async (
    visit: OwnedLead & { readonly survey: string; readonly affid: number; readonly oid: number },
  ): Promise<MappingAnswer> => {
    const { leadId, secretSha256, survey, affid, oid } = visit;
    if (!ask || surveys(survey)?.survey.buyers === undefined) return { mapped: false };
    if (isReserved('affid', String(affid)) || isReserved('oid', String(oid))) {
      return { mapped: false };
    }
    const lead = { leadId: leadId.toLowerCase(), secretSha256 };
    const account = await ask({ affid, oid }, lead);
    if (!account) return { mapped: false };
    return { mapped: await store.saveAccount(lead, account).catch(ifUnavailable(false)) };
  };
}

const clickFields = fieldsWhere((field) => field.from === 'click' && field.goesOut !== 'never');

/** Returns the lead's click ids, except empty and reserved ids. */
function trackingIds(
  posted: Readonly<Record<string, string>>,
  survey: Survey,
): Readonly<Record<string, string>> {
  const own = Object.entries(posted).filter(
    ([name, value]) => !isLeadField(name) || !isReserved(name, value),
  );
  const ids: Readonly<Record<string, string>> = trackingFields(Object.fromEntries(own), survey);
  return Object.fromEntries(clickFields.flatMap((name) => (ids[name] ? [[name, ids[name]]] : [])));
}

/** Maximum number of buyer lists per lead. Each entered zip code has one list. */
const MAX_BUYER_LISTS = 10;
const BUYER_LISTS_LATER_SECONDS = 3_600;

/** Creates the use case that finds the buyers to show. @throws OverLimitError */
export function createFindBuyers(options: {
  readonly ask: AskCheck<Readonly<Record<string, string>>, AvailableBuyers> | undefined;
  readonly store: Pick<OneToOneStore, 'saveBuyerList'>;
  readonly surveys: SurveyTable;
  readonly checkZip: (zip: string, lead?: OwnedLead) => ZipAnswer | Promise<ZipAnswer>;
  readonly settings: BuyerListSettings;
}) {
  const { ask, store, surveys, checkZip, settings } = options;

  async function find(
    survey: Survey,
    body: Readonly<Record<string, unknown>>,
    zip: string,
    lead: OwnedLead,
  ): Promise<BuyerList> {
    const { buyers } = survey;
    if (buyers === undefined) return failedStep;
    if (buyers !== 'fetched') return fixedBuyerList(buyers, settings);
    const { city, state, state_long, county } = await checkZip(zip);
    if (!ask) return fetchedBuyerList('none', state, settings);
    const posted = parseLeadFields(body).fields as Readonly<Record<string, string>>;
    // The buyers service must receive no contact details before the visitor consents.
    const given = Object.entries(posted).filter(([name]) => isImpersonalAnswer(name));
    const fields = {
      ...Object.fromEntries(given),
      ...trackingIds(posted, survey),
      ...(state && { city, state, state_long, county }),
      zip_code: zip,
    };
    const found = await ask(fields, lead);
    return fetchedBuyerList(found ?? 'failed', state, settings);
  }

  return async function findBuyers(
    body: Readonly<Record<string, unknown>>,
    { secretSha256 }: Pick<Visitor, 'secretSha256'>,
  ): Promise<BuyersAnswer> {
    const entry = surveys(body.survey);
    const zip = String(body.zip_code);
    const lead = { leadId: String(body.lead_id).toLowerCase(), secretSha256 };
    const buyerList = entry ? await find(entry.survey, body, zip, lead) : failedStep;
    const outcome = await store
      .saveBuyerList(lead, zip, buyerList, MAX_BUYER_LISTS)
      .catch(ifUnavailable('unavailable'));
    if (outcome === 'full') throw new OverLimitError('too_many_offers', BUYER_LISTS_LATER_SECONDS);
    if (outcome !== 'saved') {
      return { consent: failedStep.consent, timeout: failedStep.timeout, buyers: [] };
    }
    const { consent, timeout, displayed } = buyerList;
    return { consent, timeout, buyers: displayed };
  };
}

/** Returns the buyer list of a posted lead; undefined if the survey is not one-to-one. */
export function buyerListOfLead(
  survey: Survey | undefined,
  stored: BuyerList | undefined,
  consent: unknown,
  settings: BuyerListSettings,
): BuyerList | undefined {
  if (survey?.buyers === undefined) return undefined;
  if (survey.buyers !== 'fetched') return fixedBuyerList(survey.buyers, settings);
  const isLost = stored?.consent === 'yes' && consent === 'no';
  return stored === undefined || isLost ? failedStep : stored;
}

/** Returns the posted zip code, by which a lead's buyer lists are stored. */
export function buyerListZip({ zip_code: zip }: Readonly<Record<string, unknown>>): string {
  const isText = typeof zip === 'string' || typeof zip === 'number';
  return isText ? String(zip).trim().slice(0, 5) : '';
}
