import { expect, it, vi } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import type { Answers } from '../../model/fields/answers.ts';
import { type Survey, surveyAt } from '../../model/flows/surveys.ts';
import { oneToOne } from '../../model/flows/variants/one-to-one.ts';
import { initialState, walkContext } from '../../model/visit/state.ts';
import { newVisit } from '../../model/visit/visit.ts';
import { surveyPageData } from '../../web/survey/page/page-data.ts';
import { beforeZip, settings, today } from '../../web/survey/test-support/survey-fixture.ts';
import type { Checks } from '../checks/index.ts';
import { createFormChecks } from './form-checks.ts';
import type { FormInProgress } from './form-visits.ts';

const consent = { version: '2026-11-20', language: 'en', text: 'I agree.' } as const;
const survey = surveyAt('/survey/v6') as Survey;
const data = surveyPageData(survey, oneToOne, settings, consent, today);
const visit = newVisit(survey.path, { href: 'https://s.example/?s1=abc', referrer: '', now: 0 });
const context = walkContext(data, today, visit);

function posted(step: string, more: Readonly<Record<string, Answers>> = {}): FormInProgress {
  const state = { ...initialState(oneToOne), given: { ...beforeZip, ...more }, at: step };
  const lead = { leadId: visit.session.lead_id, secretSha256: 'x' };
  return {
    post: { data, mayCheck: async () => true } as unknown as FormInProgress['post'],
    proof: { leadId: lead.leadId, secret: 'x' },
    lead,
    visitor: testVisitor,
    context,
    step,
    isResumed: false,
    lastSeq: 0,
    before: [],
    form: { visit, state, search: '', seq: 0, shownAt: '' },
  };
}

it('withFound adds the buyers one step before the step that shows the buyers', async () => {
  const findBuyers = vi.fn<Checks['findBuyers']>(async () => ({
    consent: 'yes',
    timeout: 'no',
    buyers: [{ name: 'Diaz Law', ids: ['50002'] }],
  }));
  const checks = createFormChecks({
    findBuyers,
    checkZip: async (zip: string) => ({
      zip,
      city: 'New York',
      state: 'NY',
      state_long: 'New York',
      county: 'New York',
    }),
  } as unknown as Checks);
  const zip = await checks.withFound(posted('ZipCode'), { zip_code: '10001' });
  expect(zip).toEqual({ zip_code: '10001', state: 'NY' });
  const contact = { first_name: 'Maria', last_name: 'Diaz', email: 'maria@mail.example' };
  expect(await checks.withFound(posted('NameAndEmail', { ZipCode: zip }), contact)).toEqual({
    ...contact,
    '1_to_1_consent': 'yes',
    displayed_buyers: 'Diaz Law',
    displayed_buyer_ids: '50002',
  });
  expect(findBuyers).toHaveBeenCalledTimes(1);
});
