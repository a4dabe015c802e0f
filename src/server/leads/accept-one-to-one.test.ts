/** Tests leads of one-to-one surveys, in which the visitor chooses law firms from a list. */
import { expect, it } from 'vitest';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import { testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import { loadSurveyTable } from '../../model/flows/survey-table.ts';
import { type Survey, surveyAt } from '../../model/flows/surveys.ts';
import type { BuyerList } from '../../model/rules/buyers.ts';

const settings = {
  defaultBuyerName: 'Your Claim Guide',
  preselectsFirms: true,
  fallbackBuyers: [],
};
const surveys = await loadSurveyTable([
  { ...(surveyAt('/survey/v4nv') as Survey), path: '/survey/fetched', buyers: 'fetched' },
  { ...(surveyAt('/survey/v6') as Survey), path: '/survey/choice', startsWithCaseWorth: false },
]);

const firms = ['Smith, Jones & Co', 'Diaz Law'];
const buyerList: BuyerList = {
  result: 'available',
  consent: 'yes',
  timeout: 'no',
  isPreselected: true,
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

it('a later post that chooses no buyer removes the chosen buyer from the lead', async () => {
  const { post, lead, revisions } = accept(buyerList);
  const chosen = testLead({
    survey: '/survey/choice',
    ...publishedTcpa('buyers', 'en', firms),
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

it('the posted list of shown buyers is ignored if the server showed no buyers', async () => {
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

it.each([
  ['an object', { toString: 'x', valueOf: 1 }],
  ['a deeply nested array', JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`)],
  ['a text with U+0000', '1\u00000001'],
  ['missing', undefined],
])('a post is accepted even if the zip code is invalid', async (_, zip_code) => {
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
