import { describe, expect, it } from 'vitest';
import { testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import { sandboxForTests } from '../../../tests/support/sandbox-http.ts';
import type { BuyerOffer } from '../../domain/buyers.ts';
import { surveys as rows, type Survey, surveyAt } from '../../flows/surveys.ts';
import { createBuyersLookup, createMappingLookup } from '../providers/lookups.ts';
import { loadZipLookup } from '../providers/zip.ts';
import { createMapLead, createOfferBuyers } from './one-to-one.ts';
import { type IngestAccount, StoreUnavailableError } from './ports.ts';
import { loadSurveyTable } from './survey-table.ts';

const leadId = '01939999-1111-7111-8111-111111111111';
const settings = {
  defaultBuyerName: 'Your Claim Guide',
  fallbackBuyers: [
    { name: 'First Firm', ids: ['40747'] },
    { name: 'Second Firm', ids: ['40745'] },
  ],
};
const own = [{ name: 'Own Law Firm', ids: ['1'] }];
const [template] = rows;
const table: Survey[] = [
  { ...(template as Survey), path: '/survey/fixed', buyers: own },
  { ...(template as Survey), path: '/survey/fetched', buyers: 'fetched' },
  { ...(template as Survey), path: '/survey/plain' },
  { ...(surveyAt('/survey/v6') as Survey), path: '/survey/choice', startsWithCaseWorth: false },
];
const surveys = await loadSurveyTable(table);
const lookUpZip = await loadZipLookup();

const outside = sandboxForTests();

const service = (timeoutMs = 300) => ({
  http: outside.http,
  baseUrl: `${outside.sandbox.url}/`,
  timeoutMs,
});

function offers(options: { isAway?: boolean; hasService?: boolean } = {}) {
  const { isAway = false, hasService = true } = options;
  const kept: BuyerOffer[] = [];
  const offerBuyers = createOfferBuyers({
    lookUp: hasService ? createBuyersLookup(service()) : undefined,
    store: {
      async saveOffer(id, zip, offer) {
        if (isAway) throw new StoreUnavailableError('away');
        expect([id, zip]).toEqual([leadId, expect.stringMatching(/^\d{5}$/)]);
        kept.push(offer);
      },
    },
    surveys,
    lookUpZip,
    settings,
  });
  const ask = (zip_code: string, survey = '/survey/fetched', more = {}) =>
    offerBuyers({ lead_id: leadId.toUpperCase(), survey, zip_code, ...more });
  return { ask, kept };
}

describe('the buyers that a visitor is offered', () => {
  it('are those that the service names; it is told the answers and no contact details', async () => {
    const { ask, kept } = offers();
    const answers = { at_Fault: 'no', injury_month: '05', injury_year: '2026' };
    const contact = { first_name: 'Maria', email: 'maria@mail.example', phone: '2125550123' };
    const answer = await ask('10001', '/survey/fetched', { ...answers, ...contact, lp_key: 'x' });
    expect(answer).toMatchObject({ consent: 'yes', timeout: 'no' });
    expect(answer.buyers.map(({ name }) => name)).toEqual([
      'Sandbox Law Group',
      'Example Injury Attorneys',
    ]);
    expect(kept).toMatchObject([{ result: 'available', displayed: answer.buyers }]);
    expect(kept[0]?.possible.map(({ ids }) => ids[0])).toEqual(['8674', '50001', '50002', '50003']);
    expect(outside.sandbox.violations()).toEqual([]);
    const [received] = outside.sandbox.received('buyers');
    expect(received?.body).toEqual({
      ...answers,
      zip_code: '10001',
      city: 'New York',
      state: 'NY',
      state_long: 'New York',
      county: expect.any(String),
    });
  });

  it('are the fallback buyers where the service has none, but in the excluded states', async () => {
    expect(await offers().ask('99950')).toMatchObject({
      consent: 'yes',
      buyers: settings.fallbackBuyers,
    });
    expect(await offers().ask('20001')).toEqual({ consent: 'no', timeout: 'no', buyers: [] });
  });

  it('are the fallback buyers where there is no service', async () => {
    const { ask } = offers({ hasService: false });
    expect(await ask('10001')).toMatchObject({ consent: 'yes', buyers: settings.fallbackBuyers });
    expect(await ask('90001')).toMatchObject({ consent: 'no', buyers: [] });
    expect(outside.sandbox.received('buyers')).toEqual([]);
  });

  it.each(['timeout', 'reset', '500', '429', 'garbage', 'redirect'] as const)(
    'are none when the call fails (%s), and the lead says so',
    async (mode) => {
      outside.sandbox.fail({ service: 'buyers', mode });
      const { ask, kept } = offers();
      expect(await ask('10001')).toEqual({ consent: 'no', timeout: 'yes', buyers: [] });
      expect(kept).toMatchObject([{ timeout: 'yes', displayed: [], possible: [] }]);
    },
  );

  it('are the survey’s own where they are fixed, and none where there is no such step', async () => {
    expect(await offers().ask('20001', '/survey/fixed')).toMatchObject({
      consent: 'yes',
      buyers: own,
    });
    expect(await offers().ask('10001', '/survey/plain')).toMatchObject({
      consent: 'no',
      buyers: [],
    });
    expect(await offers().ask('10001', '/survey/nowhere')).toMatchObject({ consent: 'no' });
  });

  it('are none when the offer cannot be kept: nobody could show later what was offered', async () => {
    const { ask } = offers({ isAway: true });
    expect(await ask('10001')).toEqual({ consent: 'no', timeout: 'no', buyers: [] });
  });
});

describe('the account of a lead', () => {
  function mapping(options: { isAway?: boolean; hasService?: boolean } = {}) {
    const kept: IngestAccount[] = [];
    const mapLead = createMapLead({
      lookUp: options.hasService === false ? undefined : createMappingLookup(service()),
      store: {
        async saveAccount(_, account) {
          if (options.isAway) throw new StoreUnavailableError('away');
          kept.push(account);
        },
      },
      surveys,
    });
    const ask = (survey = '/survey/fetched') => mapLead({ leadId, survey, affid: 1, oid: 160 });
    return { ask, kept };
  }

  it('is kept, and nothing of it is answered', async () => {
    const { ask, kept } = mapping();
    expect(await ask()).toEqual({ mapped: true });
    const { lpCampaignId, lpSupplierId, lpKey } = outside.sandbox.credentials;
    expect(kept).toEqual([{ campaignId: lpCampaignId, supplierId: lpSupplierId, key: lpKey }]);
    expect(outside.sandbox.received('mapping')[0]?.body).toEqual({ affid: 1, oid: 160 });
    expect(outside.sandbox.violations()).toEqual([]);
  });

  it.each(['timeout', 'reset', '500', 'garbage', 'redirect'] as const)(
    'is none when the call fails (%s)',
    async (mode) => {
      outside.sandbox.fail({ service: 'mapping', mode });
      const { ask, kept } = mapping();
      expect(await ask()).toEqual({ mapped: false });
      expect(kept).toEqual([]);
    },
  );

  it('is none without a service, for another survey, and with the database away', async () => {
    expect(await mapping({ hasService: false }).ask()).toEqual({ mapped: false });
    expect(await mapping().ask('/survey/plain')).toEqual({ mapped: false });
    expect(await mapping({ isAway: true }).ask()).toEqual({ mapped: false });
  });
});

describe('the lead of a one-to-one survey', () => {
  const offer: BuyerOffer = {
    result: 'available',
    consent: 'yes',
    timeout: 'no',
    displayed: [
      { name: 'Smith, Jones & Co', ids: ['50001'] },
      { name: 'Diaz Law', ids: ['50002', '50003'] },
    ],
    possible: [
      { name: 'Your Claim Guide', ids: ['8674'] },
      { name: 'Smith, Jones & Co', ids: ['50001'] },
      { name: 'Diaz Law', ids: ['50002', '50003'] },
    ],
  };
  const accept = (found: BuyerOffer | undefined) =>
    testAcceptLead({ surveys, oneToOne: { store: { findOffer: async () => found }, settings } });

  it('has the choice, the fixed statement, and the text and the buyers as seen', async () => {
    const { post, lead } = accept(offer);
    const body = testLead({ survey: '/survey/fetched', selected_buyers: '50002,50003' });
    await post(body);
    const { fields, consent, problems } = lead();
    expect(fields).toMatchObject({
      '1_to_1_consent': 'yes',
      '1_to_1_result': 'available',
      '1_to_1_timeout': 'no',
      displayed_buyers: 'Smith, Jones & Co|Diaz Law',
      all_possible_buyer_ids: '8674,50001,50002,50003',
      all_possible_buyers_number: '3',
      tcpa: 'buyers statement (en)',
    });
    expect(consent).toMatchObject({ text: body.tcpa, sentText: 'buyers statement (en)' });
    expect(consent?.buyers.map(({ name }) => name)).toEqual(['Smith, Jones & Co', 'Diaz Law']);
    expect(problems.filter(({ problem }) => problem === 'unknown_field')).toEqual([]);
  });

  it('says of the consent no more than was shown where there was nobody to choose', async () => {
    const none = { ...offer, result: 'none', consent: 'no', displayed: [] } as const;
    const { post, lead } = accept(none);
    await post(testLead({ survey: '/survey/fetched' }));
    expect(lead().fields.tcpa).toBe('abbreviated statement (en)');
    expect(lead().consent).toMatchObject({ sentText: 'abbreviated statement (en)', buyers: [] });
  });

  it('has no buyer whose choice a later post takes back', async () => {
    const { post, lead, revisions } = accept(offer);
    const chosen = testLead({
      survey: '/survey/choice',
      '1_to_1_consent': 'yes',
      displayed_buyers: 'Smith, Jones & Co|Diaz Law',
      displayed_buyer_ids: '50001|50002,50003',
      selected_buyers: '50001',
    });
    await post(chosen);
    expect(lead().problems).toEqual([]);
    expect(lead().fields).toMatchObject({ selected_buyers: '50001', '1_to_1_dq': 'no' });
    const { selected_buyers: _, ...none } = chosen;
    await post({ ...none, time_on_steps: 'StartPath:3' });
    expect(lead().fields).toMatchObject({ selected_buyers: '', '1_to_1_dq': 'yes' });
    expect(lead().consent?.buyers.map(({ chosen: isChosen }) => isChosen)).toEqual([false, false]);
    expect(revisions()[0]?.body).toMatchObject({ selected_buyers: '50001' });
  });

  it('takes nobody’s word for what was offered', async () => {
    const { post, lead } = accept(undefined);
    await post(
      testLead({
        survey: '/survey/fetched',
        '1_to_1_consent': 'yes',
        displayed_buyers: 'Forged',
        displayed_buyer_ids: '1',
        selected_buyers: '1',
      }),
    );
    const { fields, differences } = lead();
    expect(fields).toMatchObject({
      '1_to_1_consent': 'no',
      '1_to_1_dq': 'yes',
      displayed_buyers: '',
      selected_buyers: '',
    });
    expect(fields).not.toHaveProperty('displayed_buyer_ids');
    expect(differences.map(({ field }) => field)).toContain('1_to_1_consent');
  });

  it('is no lead of another survey: its consent text is sent as seen', async () => {
    const { post, lead } = accept(offer);
    const body = testLead({ survey: '/survey/plain', selected_buyers: '50001' });
    await post(body);
    expect(lead().fields.tcpa).toBe(body.tcpa);
    expect(lead().fields).not.toHaveProperty('1_to_1_consent');
    expect(lead().fields).not.toHaveProperty('selected_buyers');
    expect(lead().consent).toMatchObject({ sentText: null, buyers: [] });
  });

  it('waits in the browser while its offer cannot be read', async () => {
    const away = async () => {
      throw new StoreUnavailableError('away');
    };
    const { post } = testAcceptLead({
      surveys,
      oneToOne: { store: { findOffer: away }, settings },
    });
    await expect(post(testLead({ survey: '/survey/fetched' }))).rejects.toThrow('away');
  });
});
