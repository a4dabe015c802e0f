import { expect, it, vi } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import type { Answers } from '../../model/fields/answers.ts';
import { type Survey, surveyAt } from '../../model/flows/surveys.ts';
import { oneToOne } from '../../model/flows/variants/one-to-one.ts';
import { walkContext } from '../../model/visit/data.ts';
import { initialState } from '../../model/visit/state.ts';
import { newVisit } from '../../model/visit/visit.ts';
import { surveyPageData } from '../../web/survey/page/page-data.ts';
import { beforeZip, settings, today } from '../../web/survey/test-support/survey-fixture.ts';
import type { LookUps } from '../checks/look-ups.ts';
import { createFormLookUps } from './form-look-ups.ts';
import type { Taking } from './form-taking.ts';

const consent = { version: '2026-11-20', language: 'en', text: 'I agree.' } as const;
const survey = surveyAt('/survey/v6') as Survey;
const data = surveyPageData(survey, oneToOne, settings, consent, today);
const visit = newVisit(survey.path, { href: 'https://s.example/?s1=abc', referrer: '', now: 0 });
const context = walkContext(data, today, visit);

function taking(step: string, more: Readonly<Record<string, Answers>> = {}): Taking {
  const state = { ...initialState(oneToOne), given: { ...beforeZip, ...more }, at: step };
  const lead = { leadId: visit.session.lead_id, secretSha256: 'x' };
  return {
    post: { data, mayLookUp: async () => true } as unknown as Taking['post'],
    proof: { leadId: lead.leadId, secret: 'x' },
    lead,
    visitor: testVisitor,
    context,
    step,
    isTakenUp: false,
    lastSeq: 0,
    before: [],
    form: { visit, state, search: '', seq: 0, shownAt: '', more: {} },
  };
}

it('looks up the buyers before the step with the choice', async () => {
  const findBuyers = vi.fn<LookUps['findBuyers']>(async () => ({
    consent: 'yes',
    timeout: 'no',
    buyers: [{ name: 'Diaz Law', ids: ['50002'] }],
  }));
  const lookUps = createFormLookUps({
    findBuyers,
    lookUpZip: async (zip: string) => ({
      zip,
      city: 'New York',
      state: 'NY',
      state_long: 'New York',
      county: 'New York',
    }),
  } as unknown as LookUps);
  const zip = await lookUps.withFound(taking('ZipCode'), { zip_code: '10001' });
  expect(zip).toEqual({ zip_code: '10001', state: 'NY' });
  const contact = { first_name: 'Maria', last_name: 'Diaz', email: 'maria@mail.example' };
  expect(await lookUps.withFound(taking('NameAndEmail', { ZipCode: zip }), contact)).toEqual({
    ...contact,
    '1_to_1_consent': 'yes',
    displayed_buyers: 'Diaz Law',
    displayed_buyer_ids: '50002',
  });
  expect(findBuyers).toHaveBeenCalledTimes(1);
});
