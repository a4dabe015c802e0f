/** Tests which leads are held because of the rules by state (docs/specification.md#rules-by-state). */
import { describe, expect, it } from 'vitest';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import { testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import { stateZips } from '../../../tests/support/state-zips.ts';
import { loadSurveyTable } from '../../model/flows/survey-table.ts';
import { type Survey, surveyAt } from '../../model/flows/surveys.ts';
import type { BuyerList } from '../../model/rules/buyers.ts';
import { type StateRuleSettings, stateRules } from '../../model/rules/state-rules.ts';
import { automation } from '../delivery/destinations/automation.ts';
import { contact } from '../delivery/destinations/lead-prosper.ts';

const lead_id = String(testLead().lead_id);
const defaults: StateRuleSettings = { changes: {}, undecided: 'deliver' };
const setting = (changes: StateRuleSettings['changes']) => ({ ...defaults, changes });

const held = ({ lead }: ReturnType<typeof testAcceptLead>) => ({
  state: lead().state,
  reasons: lead().problems.flatMap(({ problem, reason }) => (problem === 'held' ? [reason] : [])),
  deliveries: lead().deliveries.map(({ state }) => state),
});
const sold = { state: 'accepted', reasons: [], deliveries: ['waiting'] };
const refused = { state: 'held', reasons: ['state_rule'], deliveries: ['held'] };

/** Returns the entry of the lead's decisions. */
const ruling = ({ lead }: ReturnType<typeof testAcceptLead>) =>
  lead().decisions.find(({ rule }) => rule === 'state_rule');

describe('a posted lead', () => {
  const closedBy: [string, StateRuleSettings, string[]][] = [
    ['by default', defaults, ['CO']],
    ['if undecided leads are held', { ...defaults, undecided: 'hold' }, ['CA', 'CO']],
    [
      'with changes by the operator',
      setting({
        CO: [{ decision: 'allowed', reason: 'Counsel found an exception' }],
        TX: [{ decision: 'prohibited', from: '2026-11-21', reason: 'Counsel said so' }],
      }),
      ['TX'],
    ],
  ];
  const states = [...new Set(stateRules.map(({ state }) => (state === 'US' ? 'OH' : state)))];

  it.each(states.flatMap((state) => closedBy.map((each) => [state, ...each] as const)))(
    'from %s is sold or held %s',
    async (state, _, rules, closed) => {
      const test = testAcceptLead({ rules: { stateRules: rules } });
      await test.post(testLead({ zip_code: stateZips[state] }));
      expect(held(test)).toEqual(closed.includes(state) ? refused : sold);
      expect(ruling(test)?.inputs).toMatchObject({ states: state, decided_by: state });
    },
  );

  it('has the rule, its source and the operator’s reason in its decisions', async () => {
    const reason = 'Certified, no. 123';
    const CA = [{ decision: 'allowed', from: '2026-11-01', reason } as const];
    const test = testAcceptLead({ rules: { stateRules: setting({ CA }) } });
    await test.post(testLead({ zip_code: stateZips.CA }));
    expect(ruling(test)).toEqual({
      rule: 'state_rule',
      result: 'allowed',
      inputs: {
        states: 'CA',
        chosen_firm: 'no',
        decided_on: '2026-11-21',
        decided_by: 'CA',
        row: 'CA.sale_of_leads',
        since: '2026-01-01',
        source: expect.stringContaining('SB 37'),
        checked_on: '2026-11-28',
        operator_reason: reason,
        operator_since: '2026-11-01',
        may_be_sold: 'yes',
      },
    });
  });

  it.each([
    [
      'an unknown zip code, from a proxy that says Colorado',
      '00000',
      { visitor_state: 'CO' },
      'CO',
    ],
    ['a zip code of Ohio, from a proxy that says Colorado', '43215', { visitor_state: 'CO' }, 'OH'],
    ['an accident in Colorado', '43215', { state_accident_occurred: 'CO' }, 'OH CO'],
    ['no known state', '00000', {}, ''],
  ])('with %s is decided by its states', async (_, zip_code, more, expected) => {
    const test = testAcceptLead();
    await test.post(testLead({ zip_code, ...more }));
    expect(ruling(test)?.inputs.states).toBe(expected);
    expect(held(test)).toEqual(expected.includes('CO') ? refused : sold);
  });

  it('is not held if only systems that buy nothing would get it', async () => {
    const definition = { ...automation, appliesTo: () => true };
    const test = testAcceptLead({ destinations: [{ definition, values: {} }] });
    await test.post(testLead({ zip_code: stateZips.CO }));
    expect(held(test)).toEqual(sold);
  });

  it('of the contact form is decided by the proxy’s state', async () => {
    for (const [visitor_state, state, expected] of [
      ['CO', '', refused],
      ['', 'CO', refused],
      ['', '', sold],
    ] as const) {
      const test = testAcceptLead({ destinations: [{ definition: contact, values: {} }] });
      const form = { typeOfAccident: 'Car Accident', firstName: 'Ana', lastName: 'Diaz' };
      const body = {
        ...form,
        lead_id,
        survey: '/contact/',
        email: 'ana@mail.example',
        phoneNumber: '(212) 555-0123',
        message: 'Please call me.',
        visitor_state,
        ...publishedTcpa('contact'),
        consent_shown_at: '2026-11-21T14:58:00.000Z',
      };
      await test.post(body, { state });
      expect(held(test)).toEqual(expected);
    }
  });
});

it('a hold covers later posts until the rule allows the sale, and a release does not cover it', async () => {
  const test = testAcceptLead();
  await test.post(testLead({ zip_code: stateZips.CO }));
  test.revisions().splice(0, 1, { ...test.lead(), state: 'accepted' });
  await test.post({ lead_id, sub_id2: 'later' });
  expect(held(test)).toEqual(refused);
  await test.post({ lead_id, zip_code: stateZips.OH });
  expect(held(test)).toEqual(sold);
});

it('a dismissed lead stays dismissed if the rule allows the sale later', async () => {
  const rules = { ...defaults, changes: {} as StateRuleSettings['changes'] };
  const test = testAcceptLead({ rules: { stateRules: rules } });
  await test.post(testLead({ zip_code: stateZips.CO }));
  test.revisions().splice(0, 1, { ...test.lead(), state: 'dismissed' });
  rules.changes = { CO: [{ decision: 'allowed', reason: 'Counsel found an exception' }] };
  await test.post({ lead_id, sub_id2: 'later' });
  expect(held(test)).toEqual({ ...refused, state: 'dismissed' });
  await test.post({ lead_id, zip_code: stateZips.OH });
  expect(held(test)).toEqual(sold);
});

it('a later choice of a named firm lifts the hold by itself', async () => {
  const firms = ['Smith, Jones & Co', 'Diaz Law'];
  const displayed = firms.map((name, index) => ({ name, ids: [`5000${index}`] }));
  const list: BuyerList = {
    result: 'available',
    consent: 'yes',
    timeout: 'no',
    isPreselected: false,
    displayed,
    possible: displayed,
  };
  const surveys = await loadSurveyTable([
    { ...(surveyAt('/survey/v6') as Survey), path: '/survey/choice', startsWithCaseWorth: false },
  ]);
  const test = testAcceptLead({
    surveys,
    oneToOne: {
      store: { findBuyerList: async () => list },
      settings: { defaultBuyerName: 'Guide', preselectsFirms: false, fallbackBuyers: [] },
    },
  });
  test.store.buyerLists[stateZips.CO ?? ''] = list;
  const body = testLead({
    survey: '/survey/choice',
    zip_code: stateZips.CO,
    ...publishedTcpa('buyers', 'en', firms),
    '1_to_1_consent': 'yes',
    selected_buyers: '',
  });
  await test.post(body);
  expect(held(test)).toEqual(refused);
  await test.post({ ...body, selected_buyers: '50001' });
  expect(held(test)).toEqual(sold);
  expect(ruling(test)).toMatchObject({ inputs: { chosen_firm: 'yes' }, result: 'named_firm_only' });
});
