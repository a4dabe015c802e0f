import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Buyer, buyersAsAnswers, buyersFromAnswers, buyerValue } from './buyer-choice.ts';
import { chosenBuyers, fetchedBuyerList, fixedBuyerList, oneToOneFields } from './buyers.ts';

const settings = {
  defaultBuyerName: 'Your Claim Guide',
  preselectsFirms: true,
  fallbackBuyers: [],
};
const smith: Buyer = { name: 'Smith, Jones & Co', ids: ['50001', '50009'] };
const diaz: Buyer = { name: 'Diaz Law', ids: ['50002'] };

it('fetchedBuyerList lists each possible buyer once', () => {
  const answer = {
    selectedBuyers: [diaz],
    allPossibleBuyers: [{ name: 'Us', ids: ['8674'] }, diaz, diaz],
  };
  expect(fetchedBuyerList(answer, 'NY', settings).possible.map(buyerValue)).toEqual([
    '8674',
    '50002',
  ]);
});

const list = fixedBuyerList([smith, diaz], settings);

it('oneToOneFields returns the displayed, possible and chosen buyers', () => {
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

const all = '50001,50009,50002';
it.each([
  [true, all, 'no', 'no'],
  [true, '50002', 'yes', 'no'],
  [true, '', 'yes', 'yes'],
  [false, all, 'yes', 'no'],
  [false, undefined, 'no', 'yes'],
] as const)(
  'oneToOneFields reports whether the visitor changed the selection of law firms',
  (isShown, chosen, changed, dq) => {
    const own = fixedBuyerList([smith, diaz], { ...settings, preselectsFirms: isShown });
    expect(oneToOneFields(own, chosen)).toMatchObject({
      '1_to_1_consent': 'yes',
      '1_to_1_dq': dq,
      selected_buyers: chosen ?? '',
      selected_buyers_changed: changed,
    });
  },
);

it('chosenBuyers omits a buyer if only some ids of the buyer were chosen', () => {
  expect(chosenBuyers(list, '50001,99999')).toEqual([]);
  expect(chosenBuyers(list, '99999,50002')).toEqual([diaz]);
});

it('buyersFromAnswers returns the buyers that buyersAsAnswers encoded', () => {
  const ids = fc.array(fc.stringMatching(/^\d{1,6}$/), { minLength: 1, maxLength: 3 });
  const name = fc.stringMatching(/^[^|]{1,30}$/);
  fc.assert(
    fc.property(fc.array(fc.record({ name, ids }), { maxLength: 8 }), (buyers) => {
      const { displayed_buyers, displayed_buyer_ids } = buyersAsAnswers(buyers);
      expect(buyersFromAnswers(displayed_buyers, displayed_buyer_ids)).toEqual(
        buyers.map((buyer) => [buyer.name, buyerValue(buyer)]),
      );
    }),
  );
});
