import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Buyer, buyersAsAnswers, buyersFromAnswers, buyerValue } from './buyer-choice.ts';
import {
  chosenBuyers,
  fallbackExcludedStates,
  fetchedBuyerList,
  fixedBuyerList,
  oneToOneFields,
} from './buyers.ts';

const settings = {
  defaultBuyerName: 'Your Claim Guide',
  fallbackBuyers: [
    { name: 'First Firm', ids: ['40747'] },
    { name: 'Second Firm', ids: ['40745'] },
  ],
};
const smith: Buyer = { name: 'Smith, Jones & Co', ids: ['50001', '50009'] };
const diaz: Buyer = { name: 'Diaz Law', ids: ['50002'] };
const available = { selectedBuyers: [smith], allPossibleBuyers: [smith, diaz] };
const nobody = { selectedBuyers: [], allPossibleBuyers: [] };

describe('the buyer list', () => {
  it('displays the service’s buyers, and lists the default buyer first among the possible ones', () => {
    expect(fetchedBuyerList(available, 'NY', settings)).toEqual({
      result: 'available',
      consent: 'yes',
      timeout: 'no',
      displayed: [smith],
      possible: [{ name: 'Your Claim Guide', ids: ['8674'] }, smith, diaz],
    });
  });

  it.each([nobody, 'none' as const])(
    'displays two fallback buyers if the service has none (%o)',
    (answer) => {
      const list = fetchedBuyerList(answer, 'NY', settings);
      expect(list).toMatchObject({ result: 'fallback', consent: 'yes', timeout: 'no' });
      expect(list.displayed.map(buyerValue)).toEqual(['40747', '40745']);
      expect(list.possible.map(buyerValue)).toEqual(['8674', '40747', '40745']);
    },
  );

  it('displays nobody in the 22 states without fallback buyers', () => {
    expect(fallbackExcludedStates).toHaveLength(22);
    for (const state of fallbackExcludedStates) {
      expect(fetchedBuyerList(nobody, state, settings)).toMatchObject({
        result: 'none',
        consent: 'no',
        timeout: 'no',
        displayed: [],
        possible: [{ name: 'Your Claim Guide', ids: ['8674'] }],
      });
      expect(fetchedBuyerList(available, state, settings).displayed).toEqual([smith]);
    }
  });

  it('is empty, with the time-out flag, after a failed call', () => {
    expect(fetchedBuyerList('failed', 'NY', settings)).toEqual({
      result: 'failed',
      consent: 'no',
      timeout: 'yes',
      displayed: [],
      possible: [],
    });
  });

  it('lists the default buyer once', () => {
    const answer = {
      selectedBuyers: [diaz],
      allPossibleBuyers: [{ name: 'Us', ids: ['8674'] }, diaz, diaz],
    };
    expect(fetchedBuyerList(answer, 'NY', settings).possible.map(buyerValue)).toEqual([
      '8674',
      '50002',
    ]);
  });
});

describe('the one-to-one fields', () => {
  const list = fixedBuyerList([smith, diaz], settings);

  it('record a choice', () => {
    expect(oneToOneFields(list, '50001,50009')).toEqual({
      '1_to_1_consent': 'yes',
      '1_to_1_result': 'fixed',
      '1_to_1_timeout': 'no',
      '1_to_1_dq': 'no',
      selected_buyers: '50001,50009',
      selected_buyer_names: 'Smith, Jones & Co',
      displayed_buyers: 'Smith, Jones & Co|Diaz Law',
      selected_buyers_number: '1',
      selected_buyers_changed: 'yes',
      all_possible_buyer_names: 'Your Claim Guide|Smith, Jones & Co|Diaz Law',
      all_possible_buyer_ids: '8674,50001,50009,50002',
      all_possible_buyers_number: '3',
    });
  });

  it('record that nobody was chosen', () => {
    expect(oneToOneFields(list, undefined)).toMatchObject({
      '1_to_1_consent': 'yes',
      '1_to_1_dq': 'yes',
      selected_buyers: '',
      selected_buyer_names: '',
      selected_buyers_number: '0',
      selected_buyers_changed: 'no',
    });
  });

  it('leave out a buyer that was not displayed or is only partly selected', () => {
    expect(chosenBuyers(list, '50001,99999')).toEqual([]);
    expect(chosenBuyers(list, '99999,50002')).toEqual([diaz]);
  });
});

it('buyersFromAnswers inverts buyersAsAnswers', () => {
  const ids = fc.array(fc.stringMatching(/^\d{1,6}$/), { minLength: 1, maxLength: 3 });
  const name = fc.stringMatching(/^[^|]{1,30}$/);
  fc.assert(
    fc.property(fc.array(fc.record({ name, ids }), { maxLength: 8 }), (buyers) => {
      const { displayed_buyers, displayed_buyer_ids } = buyersAsAnswers(buyers);
      expect(buyersFromAnswers(displayed_buyers, displayed_buyer_ids)).toEqual(buyers);
    }),
  );
});
