import { describe, expect, it } from 'vitest';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import { testAcceptLead, testLead, testVisitor } from '../../../tests/support/leads.ts';
import { sandboxForTests } from '../../../tests/support/sandbox-http.ts';
import type { BuyerList } from '../../domain/buyers.ts';
import type { IngestAccount } from '../../domain/ingest-account.ts';
import { surveys as rows, type Survey, surveyAt } from '../../flows/surveys.ts';
import { loadSurveyTable } from '../../intake/survey-table.ts';
import { StoreUnavailableError } from '../base/errors.ts';
import { createBuyersLookup, createMappingLookup } from '../providers/lookups.ts';
import { createService } from '../providers/service.ts';
import { loadZipLookup } from '../providers/zip.ts';
import type { LeadCheck } from './ask.ts';
import { createFindBuyers, createMapLead } from './one-to-one.ts';
import type { OneToOneStore } from './one-to-one-store.ts';

const leadId = '01939999-1111-7111-8111-111111111111';
const { secretSha256 } = testVisitor;
const ownLead = { leadId, secretSha256 };
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

const service = (timeoutMs = 300) =>
  createService({
    name: 'one-to-one',
    http: outside.http,
    baseUrl: `${outside.sandbox.url}/`,
    timeoutMs,
  });

const recorded: LeadCheck[] = [];
const recording = () => ({
  record: (check: LeadCheck) => void recorded.push(check),
  now: () => new Date(),
});

/** The click that every page posts. */
const click = {
  affid: '7',
  oid: '160',
  sub_id: 'abc',
  ef_transaction_id: '0123456789abcdef0123456789abcdef',
};

type SaveOutcome = Awaited<ReturnType<OneToOneStore['saveBuyerList']>>;

function buyerLists(
  options: { isAway?: boolean; hasService?: boolean; outcome?: SaveOutcome } = {},
) {
  const { isAway = false, hasService = true, outcome = 'saved' } = options;
  const kept: BuyerList[] = [];
  const findBuyers = createFindBuyers({
    lookUp: hasService ? createBuyersLookup(service()) : undefined,
    store: {
      async saveBuyerList(lead, zip, buyerList, most) {
        if (isAway) throw new StoreUnavailableError('away');
        expect([lead, zip, most]).toEqual([ownLead, expect.stringMatching(/^\d{5}$/), 10]);
        if (outcome === 'saved') kept.push(buyerList);
        return outcome;
      },
    },
    surveys,
    lookUpZip,
    settings,
    ...recording(),
  });
  const ask = (zip_code: string, survey = '/survey/fetched', more = {}) =>
    findBuyers(
      { ...click, lead_id: leadId.toUpperCase(), survey, zip_code, ...more },
      { secretSha256 },
    );
  return { ask, kept };
}

describe('the buyers that a visitor is shown', () => {
  it('come from the service, which gets answers and click but no contact details', async () => {
    const { ask, kept } = buyerLists();
    const answers = { at_Fault: 'no', injury_month: '05', injury_year: '2026' };
    const contact = {
      ...{ first_name: 'Maria', email: 'maria@mail.example', phone: '2125550123' },
      ...{ firstName: 'Maria', phoneNumber: '2125550123', message: 'Call me, please.' },
    };
    const hidden = { lp_key: 'x', uid: 'u', traffic_source_pool: 'google', lp_action: 'test' };
    const more = { ...answers, ...contact, ...hidden, gclid: 'g', sub_id2: '{x}' };
    const answer = await ask('10001', '/survey/fetched', more);
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
      ...click,
      gclid: 'g',
      zip_code: '10001',
      city: 'New York',
      state: 'NY',
      state_long: 'New York',
      county: expect.any(String),
    });
  });

  it('are asked for with the survey’s ids if the visitor’s are reserved', async () => {
    const { ask } = buyerLists();
    await ask('10001', '/survey/fetched', { affid: '1000350', oid: '01500', sub_id: '' });
    const [received] = outside.sandbox.received('buyers');
    expect(received?.body).toMatchObject({ affid: '10', oid: '81', sub_id: '1' });
  });

  it('are the fallback buyers if the service has none, except in the excluded states', async () => {
    expect(await buyerLists().ask('99950')).toMatchObject({
      consent: 'yes',
      buyers: settings.fallbackBuyers,
    });
    expect(await buyerLists().ask('20001')).toEqual({ consent: 'no', timeout: 'no', buyers: [] });
  });

  it('are the fallback buyers without a service', async () => {
    const { ask } = buyerLists({ hasService: false });
    expect(await ask('10001')).toMatchObject({ consent: 'yes', buyers: settings.fallbackBuyers });
    expect(await ask('90001')).toMatchObject({ consent: 'no', buyers: [] });
    expect(outside.sandbox.received('buyers')).toEqual([]);
  });

  it.each(['timeout', 'reset', '500', '429', 'garbage', 'redirect'] as const)(
    'are none if the call fails (%s), and the stored list says so',
    async (mode) => {
      outside.sandbox.fail({ service: 'buyers', mode });
      const { ask, kept } = buyerLists();
      expect(await ask('10001')).toEqual({ consent: 'no', timeout: 'yes', buyers: [] });
      expect(kept).toMatchObject([{ timeout: 'yes', displayed: [], possible: [] }]);
    },
  );

  it('are the survey’s own if it fixes them, and none if it is not one-to-one', async () => {
    expect(await buyerLists().ask('20001', '/survey/fixed')).toMatchObject({
      consent: 'yes',
      buyers: own,
    });
    expect(await buyerLists().ask('10001', '/survey/plain')).toMatchObject({
      consent: 'no',
      buyers: [],
    });
    expect(await buyerLists().ask('10001', '/survey/nowhere')).toMatchObject({ consent: 'no' });
  });

  it('are none if the list cannot be stored, since nothing would prove what was shown', async () => {
    const { ask } = buyerLists({ isAway: true });
    expect(await ask('10001')).toEqual({ consent: 'no', timeout: 'no', buyers: [] });
  });

  it('are none for a visitor who does not own the lead', async () => {
    const { ask } = buyerLists({ outcome: 'refused' });
    expect(await ask('10001')).toEqual({ consent: 'no', timeout: 'no', buyers: [] });
  });

  it('are refused beyond the limit of buyer lists per lead', async () => {
    const { ask } = buyerLists({ outcome: 'full' });
    await expect(ask('10001')).rejects.toMatchObject({
      name: 'OverLimitError',
      reason: 'too_many_offers',
      retryAfterSeconds: 3_600,
    });
  });
});

describe('the ingest account of a lead', () => {
  function mapping(options: { isAway?: boolean; hasService?: boolean; isOwn?: boolean } = {}) {
    const { isOwn = true } = options;
    const kept: IngestAccount[] = [];
    const mapLead = createMapLead({
      lookUp: options.hasService === false ? undefined : createMappingLookup(service()),
      store: {
        async saveAccount(lead, account) {
          if (options.isAway) throw new StoreUnavailableError('away');
          expect(lead).toEqual(ownLead);
          if (isOwn) kept.push(account);
          return isOwn;
        },
      },
      surveys,
      ...recording(),
    });
    const ask = (survey = '/survey/fetched', ids = { affid: 1, oid: 160 }) =>
      mapLead({ leadId: leadId.toUpperCase(), secretSha256, survey, ...ids });
    return { ask, kept };
  }

  it('is stored and not part of the answer', async () => {
    const { ask, kept } = mapping();
    expect(await ask()).toEqual({ mapped: true });
    const { lpCampaignId, lpSupplierId, lpKey } = outside.sandbox.credentials;
    expect(kept).toEqual([{ campaignId: lpCampaignId, supplierId: lpSupplierId, key: lpKey }]);
    expect(outside.sandbox.received('mapping')[0]?.body).toEqual({ affid: 1, oid: 160 });
    expect(outside.sandbox.violations()).toEqual([]);
  });

  it.each(['timeout', 'reset', '500', 'garbage', 'redirect'] as const)(
    'is not stored if the call fails (%s)',
    async (mode) => {
      outside.sandbox.fail({ service: 'mapping', mode });
      const { ask, kept } = mapping();
      expect(await ask()).toEqual({ mapped: false });
      expect(kept).toEqual([]);
    },
  );

  it('is not looked up for reserved ids', async () => {
    const { ask, kept } = mapping();
    for (const ids of [
      { affid: 1, oid: 1500 },
      { affid: 1_000_350, oid: 160 },
    ]) {
      expect(await ask('/survey/fetched', ids)).toEqual({ mapped: false });
    }
    expect(kept).toEqual([]);
    expect(outside.sandbox.received('mapping')).toEqual([]);
  });

  it('is missing without a service, database or ownership, and in other surveys', async () => {
    expect(await mapping({ hasService: false }).ask()).toEqual({ mapped: false });
    expect(await mapping().ask('/survey/plain')).toEqual({ mapped: false });
    expect(await mapping({ isAway: true }).ask()).toEqual({ mapped: false });
    expect(await mapping({ isOwn: false }).ask()).toEqual({ mapped: false });
  });
});

describe('the lead of a one-to-one survey', () => {
  const buyerList: BuyerList = {
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
  const accept = (found: BuyerList | undefined) => {
    const findBuyerList = async () => found;
    const made = testAcceptLead({ surveys, oneToOne: { store: { findBuyerList }, settings } });
    if (found) made.store.buyerLists['10001'] = found;
    return made;
  };

  it('has the choice and the fixed statement, and records the seen text and buyers', async () => {
    const { post, lead } = accept(buyerList);
    const body = testLead({
      survey: '/survey/fetched',
      ...publishedTcpa('buyers'),
      selected_buyers: '50002,50003',
    });
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

  it('sends the abbreviated statement if there were no buyers to choose from', async () => {
    const none = { ...buyerList, result: 'none', consent: 'no', displayed: [] } as const;
    const { post, lead } = accept(none);
    await post(testLead({ survey: '/survey/fetched', ...publishedTcpa('abbreviated') }));
    expect(lead().fields.tcpa).toBe('abbreviated statement (en)');
    expect(lead().consent).toMatchObject({ sentText: 'abbreviated statement (en)', buyers: [] });
  });

  it('drops a chosen buyer that a later post deselects', async () => {
    const { post, lead, revisions } = accept(buyerList);
    const chosen = testLead({
      survey: '/survey/choice',
      ...publishedTcpa('buyers'),
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

  it('ignores posted values for the shown buyers', async () => {
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

  it('has no buyers and is not held if the page never received the stored list', async () => {
    const { post, lead } = accept(buyerList);
    const body = testLead({ survey: '/survey/choice', '1_to_1_consent': 'no' });
    await post({ ...body, ...publishedTcpa('abbreviated') });
    expect(lead()).toMatchObject({ state: 'accepted', problems: [], differences: [] });
    expect(lead().fields).toMatchObject({ '1_to_1_result': 'failed', displayed_buyers: '' });
    expect(lead().fields.tcpa).toBe('abbreviated statement (en)');
    expect(lead().consent?.buyers).toEqual([]);
  });

  it('has one-to-one fields and a statement, which a lead of another survey lacks', async () => {
    const { post, lead } = accept(buyerList);
    const body = testLead({ survey: '/survey/plain', selected_buyers: '50001' });
    await post(body);
    expect(lead().fields.tcpa).toBe(body.tcpa);
    expect(lead().fields).not.toHaveProperty('1_to_1_consent');
    expect(lead().fields).not.toHaveProperty('selected_buyers');
    expect(lead().consent).toMatchObject({ sentText: null, buyers: [] });
  });

  it('keeps its buyer list after a partial later post', async () => {
    const { post, lead } = accept(buyerList);
    const survey = '/survey/fetched';
    await post(testLead({ survey, ...publishedTcpa('buyers'), selected_buyers: '50001' }));
    await post({ lead_id: testLead().lead_id, survey, leadid_token: 'token' });
    expect(lead()).toMatchObject({
      revision: 2,
      state: 'accepted',
      fields: {
        leadid_token: 'token',
        '1_to_1_result': 'available',
        selected_buyers: '50001',
      },
    });
  });

  it.each([
    ['an object', { toString: 'x', valueOf: 1 }],
    ['a deeply nested array', JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`)],
    ['a text with U+0000', '1\u00000001'],
    ['nothing', undefined],
  ])('is accepted with any zip code: %s', async (_, zip_code) => {
    const asked: string[] = [];
    const findBuyerList = async (_lead: unknown, zip: string) => {
      asked.push(zip);
      return undefined;
    };
    const { post } = testAcceptLead({ surveys, oneToOne: { store: { findBuyerList }, settings } });
    const answer = await post(testLead({ survey: '/survey/fetched', zip_code }));
    expect(answer.revision).toBe(1);
    expect(asked.join()).not.toContain('\u0000');
  });

  it('is not accepted while its buyer list cannot be read, so the browser retries', async () => {
    const away = async () => {
      throw new StoreUnavailableError('away');
    };
    const { post } = testAcceptLead({
      surveys,
      oneToOne: { store: { findBuyerList: away }, settings },
    });
    await expect(post(testLead({ survey: '/survey/fetched' }))).rejects.toThrow('away');
  });
});
