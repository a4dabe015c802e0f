import { describe, expect, test } from 'vitest';
import {
  type AvailableBuyers,
  type BuyerList,
  fetchedBuyerList,
  fixedBuyerList,
} from '../../src/model/rules/buyers.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import { testAcceptLead } from '../support/leads.ts';
import { surveyRows } from './survey-rows.ts';
import {
  buyersByPath,
  DEFAULT_BUYER_ID,
  FALLBACK_BUYER_IDS,
  oneToOneFlows,
  oneToOneLeadFields,
  states,
  statesWithoutFallback,
} from './tables.ts';

const settings = parseSettings({ BUYERS_URL: 'https://buyers.example.com' });
const buyerListSettings = {
  defaultBuyerName: 'Us',
  preselectsFirms: true,
  fallbackBuyers: settings.fallbackBuyers,
};
const ids = (buyers: BuyerList['displayed']) => buyers.map((buyer) => buyer.ids.join());
const firm = { name: 'A firm', ids: ['7'] };

describe('the buyers', () => {
  test.each(surveyRows)(
    'of $path are as many as the specification says',
    ({ path, survey: { buyers } }) => {
      const expected = buyersByPath[path];
      expect(typeof buyers === 'object' ? buyers.length : buyers).toBe(expected);
    },
  );

  test.each(surveyRows.filter(({ path }) => typeof buyersByPath[path] === 'number'))(
    'of $path are all shown to the visitor',
    ({ path, survey: { buyers } }) => {
      if (!Array.isArray(buyers)) throw new Error('no fixed buyers');
      const list = fixedBuyerList(buyers, buyerListSettings);
      expect(list).toMatchObject({ consent: 'yes', timeout: 'no' });
      expect(list.displayed).toHaveLength(Number(buyersByPath[path]));
      expect(ids(list.possible)).toEqual([DEFAULT_BUYER_ID, ...ids(buyers)]);
    },
  );
});

describe('fetchedBuyerList', () => {
  const none: AvailableBuyers = { selectedBuyers: [], allPossibleBuyers: [firm] };

  test.each(states)(
    'returns fallback buyers in %s only if the specification allows them',
    (state) => {
      const isExcluded = statesWithoutFallback.includes(state);
      for (const answer of [none, 'none'] as const) {
        const list = fetchedBuyerList(answer, state, buyerListSettings);
        expect(ids(list.displayed)).toEqual(isExcluded ? [] : FALLBACK_BUYER_IDS);
        expect(list).toMatchObject(
          isExcluded ? { result: 'none', consent: 'no' } : { result: 'fallback', consent: 'yes' },
        );
        expect(list.timeout).toBe('no');
      }
    },
  );

  test('returns no buyers after a failed call', () => {
    expect(fetchedBuyerList('failed', 'NY', buyerListSettings)).toMatchObject({
      result: 'failed',
      consent: 'no',
      timeout: 'yes',
      displayed: [],
      possible: [],
    });
  });
});

test.each(surveyRows.filter(({ flow }) => flow !== 'benefits'))(
  'a lead of $path has the buyers’ fields only in a one-to-one flow',
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
