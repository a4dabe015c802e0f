/** The use cases of one-to-one consent: the account of a lead, and the buyers that it may go to. */
import type { BuyersAnswer, MappingAnswer } from '../../contract/buyers.ts';
import {
  type BuyerOffer,
  failedStep,
  fetchedOffer,
  fixedOffer,
  type OfferSettings,
} from '../../domain/buyers.ts';
import { isAskedField } from '../../domain/lead/asked-fields.ts';
import { parseLeadFields } from '../../domain/lead/lead-fields.ts';
import type { Survey } from '../../flows/surveys.ts';
import {
  type BuyersLookup,
  type MappingLookup,
  type OneToOneStore,
  StoreUnavailableError,
  type ZipLookup,
} from './ports.ts';
import type { SurveyTable } from './survey-table.ts';

/**
 * Looks up the account that a lead goes to, once a lead. Every failure is ignored: the lead then goes
 * to the account of the settings (document 2, section 8).
 */
export function createMapLead(options: {
  readonly lookUp: MappingLookup | undefined;
  readonly store: Pick<OneToOneStore, 'saveAccount'>;
  readonly surveys: SurveyTable;
}) {
  const { lookUp, store, surveys } = options;
  return async function mapLead(request: {
    readonly leadId: string;
    readonly survey: string;
    readonly affid: number;
    readonly oid: number;
  }): Promise<MappingAnswer> {
    const { leadId, survey, affid, oid } = request;
    if (!lookUp || surveys(survey)?.survey.buyers === undefined) return { mapped: false };
    const account = await lookUp(affid, oid);
    if (!account) return { mapped: false };
    try {
      await store.saveAccount(leadId.toLowerCase(), account);
      return { mapped: true };
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { mapped: false };
    }
  };
}

/** Answers so far that the buyers service is told. Contact details are none of its business yet. */
const untold: ReadonlySet<string> = new Set([
  'first_name',
  'last_name',
  'email',
  'phone',
  'address',
  'selected_buyers',
  'displayed_buyers',
  'displayed_buyer_ids',
  '1_to_1_consent',
]);

/**
 * Finds the buyers that a visitor is offered and keeps the offer, so that the lead's own fields are
 * made of what was really shown. An offer that cannot be kept is none: `1_to_1_consent` is no.
 */
export function createOfferBuyers(options: {
  readonly lookUp: BuyersLookup | undefined;
  readonly store: Pick<OneToOneStore, 'saveOffer'>;
  readonly surveys: SurveyTable;
  readonly lookUpZip: ZipLookup;
  readonly settings: OfferSettings;
}) {
  const { lookUp, store, surveys, lookUpZip, settings } = options;

  async function find(
    survey: Survey,
    body: Readonly<Record<string, unknown>>,
    zip: string,
  ): Promise<BuyerOffer> {
    const { buyers } = survey;
    if (buyers === undefined) return failedStep;
    if (buyers !== 'fetched') return fixedOffer(buyers, settings);
    const { city, state, state_long, county } = lookUpZip(zip);
    if (!lookUp) return fetchedOffer('none', state, settings);
    const given = Object.entries(parseLeadFields(body).fields).filter(
      ([name]) => isAskedField(name) && !untold.has(name),
    );
    const fields = {
      ...Object.fromEntries(given as [string, string][]),
      ...(state && { city, state, state_long, county }),
      zip_code: zip,
    };
    return fetchedOffer((await lookUp(fields)) ?? 'failed', state, settings);
  }

  return async function offerBuyers(
    body: Readonly<Record<string, unknown>>,
  ): Promise<BuyersAnswer> {
    const entry = surveys(body.survey);
    const zip = String(body.zip_code);
    const offer = entry ? await find(entry.survey, body, zip) : failedStep;
    try {
      await store.saveOffer(String(body.lead_id).toLowerCase(), zip, offer);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { consent: failedStep.consent, timeout: failedStep.timeout, buyers: [] };
    }
    const { consent, timeout, displayed } = offer;
    return { consent, timeout, buyers: displayed };
  };
}

/**
 * The offer that a posted lead was made under: a survey's own buyers, or what was kept of the call.
 * A lead of which nothing was kept never saw anybody to choose. Undefined: no one-to-one survey.
 * @throws StoreUnavailableError
 */
export async function offerOfLead(
  survey: Survey | undefined,
  lead: { readonly id: string; readonly zip: unknown },
  options: {
    readonly store: Pick<OneToOneStore, 'findOffer'>;
    readonly settings: OfferSettings;
  },
): Promise<BuyerOffer | undefined> {
  if (survey?.buyers === undefined) return undefined;
  if (survey.buyers !== 'fetched') return fixedOffer(survey.buyers, options.settings);
  return (
    (await options.store.findOffer(lead.id, String(lead.zip).trim().slice(0, 5))) ?? failedStep
  );
}
