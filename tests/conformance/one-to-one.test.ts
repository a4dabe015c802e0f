import { describe, expect, test } from 'vitest';
import {
  type AvailableBuyers,
  type BuyerOffer,
  fetchedOffer,
  fixedOffer,
} from '../../src/domain/buyers.ts';
import { parseSettings } from '../../src/server/config/settings.ts';
import { testAcceptLead } from '../support/leads.ts';
import { surveyRows } from './survey-rows.ts';
import {
  BUYERS_STEP,
  buyersByPath,
  DEFAULT_BUYER_ID,
  FALLBACK_BUYER_IDS,
  limits,
  MAPPING_STEP,
  oneToOneFlows,
  oneToOneLeadFields,
  STATES_WITHOUT_FALLBACK,
  states,
  statesWithoutFallback,
} from './tables.ts';

const { settings } = parseSettings({ BUYERS_URL: 'https://buyers.example.com' });
const offerSettings = { defaultBuyerName: 'Us', fallbackBuyers: settings.fallbackBuyers };
const ids = (buyers: BuyerOffer['displayed']) => buyers.map((buyer) => buyer.ids.join());
const firm = { name: 'A firm', ids: ['7'] };

describe('whose buyers', () => {
  test.each(surveyRows)('$path', ({ path, survey: { buyers } }) => {
    const expected = buyersByPath[path];
    expect(typeof buyers === 'object' ? buyers.length : buyers).toBe(expected);
  });

  test.each(surveyRows.filter(({ path }) => typeof buyersByPath[path] === 'number'))(
    '$path: consent yes, all of its buyers shown',
    ({ path, survey: { buyers } }) => {
      if (!Array.isArray(buyers)) throw new Error('no fixed buyers');
      const offer = fixedOffer(buyers, offerSettings);
      expect(offer).toMatchObject({ consent: 'yes', timeout: 'no' });
      expect(offer.displayed).toHaveLength(Number(buyersByPath[path]));
      expect(ids(offer.possible)).toEqual([DEFAULT_BUYER_ID, ...ids(buyers)]);
    },
  );
});

describe('fetched buyers', () => {
  const none: AvailableBuyers = { selectedBuyers: [], allPossibleBuyers: [firm] };

  test('22 states without the fallback', () => {
    expect(statesWithoutFallback).toHaveLength(STATES_WITHOUT_FALLBACK);
  });

  test.each(states)('%s: the fallback where none are available, but not in the 22', (state) => {
    const isExcluded = statesWithoutFallback.includes(state);
    for (const answer of [none, 'none'] as const) {
      const offer = fetchedOffer(answer, state, offerSettings);
      expect(ids(offer.displayed)).toEqual(isExcluded ? [] : FALLBACK_BUYER_IDS);
      expect(offer.consent).toBe(isExcluded ? 'no' : 'yes');
    }
  });

  test('those that are available, and the default buyer first of the possible ones', () => {
    const available = { selectedBuyers: [firm], allPossibleBuyers: [{ name: 'B', ids: ['8'] }] };
    const offer = fetchedOffer(available, 'TX', offerSettings);
    expect(ids(offer.displayed)).toEqual(['7']);
    expect(ids(offer.possible)[0]).toBe(DEFAULT_BUYER_ID);
    expect(ids(fetchedOffer(none, 'TX', offerSettings).possible)[0]).toBe(DEFAULT_BUYER_ID);
  });

  // D2 8.
  test('a call that fails: the flag, and empty lists', () => {
    expect(fetchedOffer('failed', 'NY', offerSettings)).toMatchObject({
      timeout: 'yes',
      displayed: [],
      possible: [],
    });
  });

  test('the call may take 15 seconds', () => {
    expect(settings.buyers?.timeoutMs).toBe(limits.buyersRequestTimeoutMs);
  });
});

test.each(surveyRows)('$path: the steps that fetch', ({ flow, data }) => {
  const isOneToOne = oneToOneFlows.includes(flow);
  const steps = Object.entries(data.steps);
  const mapping = steps.filter(([, step]) => step.mapsLead).map(([name]) => name);
  const buyers = steps.filter(([, step]) => step.finds?.includes('displayed_buyers'));
  expect(mapping).toEqual(isOneToOne ? [MAPPING_STEP] : []);
  expect(buyers.map(([name]) => name)).toEqual(isOneToOne ? [BUYERS_STEP] : []);
});

// D2 4: "the consent text is replaced with a fixed consent statement before posting".
test.each(surveyRows.filter(({ flow }) => flow !== 'benefits'))(
  '$path: the consent text that is posted, and the fields of one-to-one consent',
  async ({ path, flow }) => {
    const isOneToOne = oneToOneFlows.includes(flow);
    const { post, lead } = testAcceptLead({ rules: { oneToOneStatement: () => 'The statement.' } });
    await post({
      lead_id: '01939999-1111-7111-8111-111111111111',
      survey: path,
      tcpa: 'As seen.',
      phone: '2125550123',
    });
    const { fields } = lead();
    expect(fields.tcpa).toBe(isOneToOne ? 'The statement.' : 'As seen.');
    expect(oneToOneLeadFields.filter((name) => name in fields)).toEqual(
      isOneToOne ? oneToOneLeadFields : [],
    );
  },
);
