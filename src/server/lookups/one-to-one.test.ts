import { describe, expect, it } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import { sandboxForTests } from '../../../tests/support/sandbox-http.ts';
import type { BuyerList } from '../../domain/buyers.ts';
import type { IngestAccount } from '../../domain/ingest-account.ts';
import { surveys as rows, type Survey } from '../../flows/surveys.ts';
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
  preselectsFirms: true,
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
];
const surveys = await loadSurveyTable(table);
const lookUpZip = await loadZipLookup();

const outside = sandboxForTests();

/** An answer may take long on a busy machine; calls that fail are given less time. */
const service = (timeoutMs = 5_000) =>
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
  options: {
    isAway?: boolean;
    hasService?: boolean;
    outcome?: SaveOutcome;
    timeoutMs?: number;
  } = {},
) {
  const { isAway = false, hasService = true, outcome = 'saved' } = options;
  const kept: BuyerList[] = [];
  const findBuyers = createFindBuyers({
    lookUp: hasService ? createBuyersLookup(service(options.timeoutMs)) : undefined,
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

  it('are the fallback buyers if the service has none, except in the excluded states', async () => {
    expect(await buyerLists().ask('99950')).toMatchObject({
      consent: 'yes',
      buyers: settings.fallbackBuyers,
    });
    expect(await buyerLists().ask('20001')).toEqual({ consent: 'no', timeout: 'no', buyers: [] });
  });

  it('are none if the list cannot be stored, since nothing would prove what was shown', async () => {
    const { ask } = buyerLists({ isAway: true });
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
  function mapping(
    options: { isAway?: boolean; hasService?: boolean; isOwn?: boolean; timeoutMs?: number } = {},
  ) {
    const { isOwn = true } = options;
    const kept: IngestAccount[] = [];
    const mapLead = createMapLead({
      lookUp:
        options.hasService === false ? undefined : createMappingLookup(service(options.timeoutMs)),
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

  it('is missing without a service, database or ownership, and in other surveys', async () => {
    expect(await mapping({ hasService: false }).ask()).toEqual({ mapped: false });
    expect(await mapping().ask('/survey/plain')).toEqual({ mapped: false });
    expect(await mapping({ isAway: true }).ask()).toEqual({ mapped: false });
    expect(await mapping({ isOwn: false }).ask()).toEqual({ mapped: false });
  });
});
