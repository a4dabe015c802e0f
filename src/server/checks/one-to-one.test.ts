import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import { loadSurveyTable } from '../../model/flows/survey-table.ts';
import { surveys as rows, type Survey } from '../../model/flows/surveys.ts';
import { StoreUnavailableError } from '../platform/errors.ts';
import { createFindBuyers, createMapLead, type OneToOneStore } from './one-to-one.ts';
import { loadZipTable } from './zip-and-text.ts';

const leadId = '01939999-1111-7111-8111-111111111111';
const { secretSha256 } = testVisitor;
const ownLead = { leadId, secretSha256 };
const firm = { name: 'First Firm', ids: ['40747'] };
const settings = {
  defaultBuyerName: 'Your Claim Guide',
  preselectsFirms: true,
  fallbackBuyers: [firm],
};
const template = rows[0] as Survey;
const surveys = await loadSurveyTable([
  { ...template, path: '/survey/fetched', buyers: 'fetched' },
  { ...template, path: '/survey/plain' },
]);

/** The click fields that every page posts. */
const click = {
  affid: '7',
  oid: '160',
  sub_id: 'abc',
  ef_transaction_id: '0123456789abcdef0123456789abcdef',
};
const none = { consent: 'no', timeout: 'no', buyers: [] };

const saveBuyerList = vi.fn<OneToOneStore['saveBuyerList']>();
const buyersOf = vi.fn<NonNullable<Parameters<typeof createFindBuyers>[0]['ask']>>();
const { checkZip } = await loadZipTable();
beforeEach(() => {
  saveBuyerList.mockReset().mockResolvedValue('saved');
  const selectedBuyers = [{ name: 'Sandbox Law Group', ids: ['8674'] }];
  buyersOf.mockReset().mockResolvedValue({ selectedBuyers, allPossibleBuyers: selectedBuyers });
});

const askBuyers = (zip_code: string, more = {}) =>
  createFindBuyers({ ask: buyersOf, store: { saveBuyerList }, surveys, checkZip, settings })(
    { ...click, lead_id: leadId.toUpperCase(), survey: '/survey/fetched', zip_code, ...more },
    { secretSha256 },
  );

describe('createFindBuyers', () => {
  it('asks the service for buyers without sending contact details', async () => {
    const answers = { at_Fault: 'no', injury_month: '05', injury_year: '2026' };
    const contact = {
      first_name: 'Maria',
      email: 'maria@mail.example',
      phone: '2125550123',
      firstName: 'Maria',
      phoneNumber: '2125550123',
      message: 'Call me, please.',
    };
    const hidden = { lp_key: 'x', uid: 'u', traffic_source_pool: 'google', lp_action: 'test' };
    const more = { ...answers, ...contact, ...hidden, gclid: 'g', sub_id2: '{x}' };
    const answer = await askBuyers('10001', more);
    expect(answer).toMatchObject({ consent: 'yes', buyers: [{ name: 'Sandbox Law Group' }] });
    const shown = expect.objectContaining({ result: 'available', displayed: answer.buyers });
    expect(saveBuyerList).toHaveBeenCalledExactlyOnceWith(ownLead, '10001', shown, 10);
    expect(buyersOf).toHaveBeenCalledExactlyOnceWith(
      {
        ...answers,
        ...click,
        gclid: 'g',
        zip_code: '10001',
        city: 'New York',
        state: 'NY',
        state_long: 'New York',
        county: expect.any(String),
      },
      ownLead,
    );
  });

  it('returns the fallback buyers if the service returns none', async () => {
    buyersOf.mockResolvedValue({ selectedBuyers: [], allPossibleBuyers: [] });
    expect(await askBuyers('99950')).toMatchObject({ consent: 'yes', buyers: [firm] });
    expect(await askBuyers('20001')).toEqual(none);
  });

  it('returns no buyers if the list of buyers cannot be stored', async () => {
    saveBuyerList.mockResolvedValueOnce('refused');
    expect(await askBuyers('10001')).toEqual(none);
    saveBuyerList.mockRejectedValueOnce(new StoreUnavailableError('away'));
    expect(await askBuyers('10001')).toEqual(none);
  });

  it('throws OverLimitError if the lead already has too many buyer lists', async () => {
    saveBuyerList.mockResolvedValueOnce('full');
    await expect(askBuyers('10001')).rejects.toMatchObject({
      name: 'OverLimitError',
      reason: 'too_many_offers',
      retryAfterSeconds: 3_600,
    });
  });
});

it('a lead of a one-to-one survey gets the ingest account that the service returns', async () => {
  const said = { campaignId: '1', supplierId: '2', key: 'k' };
  const found = async () => said;
  const saveAccount = vi.fn(async () => true);
  const ask = (survey = '/survey/fetched', ask: typeof found | undefined = found) =>
    createMapLead({ ask, store: { saveAccount }, surveys })({
      leadId: leadId.toUpperCase(),
      secretSha256,
      survey,
      affid: 1,
      oid: 160,
    });
  expect(await ask()).toEqual({ mapped: true });
  expect(saveAccount).toHaveBeenCalledExactlyOnceWith(ownLead, said);
  expect(await ask('/survey/plain')).toEqual({ mapped: false });
  saveAccount.mockResolvedValueOnce(false);
  expect(await ask()).toEqual({ mapped: false });
  saveAccount.mockRejectedValueOnce(new StoreUnavailableError('away'));
  expect(await ask()).toEqual({ mapped: false });
});
