import { expect, test } from 'vitest';
import { dallas, pageData, settings, today } from '../../web/survey/test-support/survey-fixture.ts';
import { deriveFields } from '../rules/derive-fields.ts';
import { leadBody } from './lead-body.ts';
import { newVisit } from './visit.ts';

test('leadBody contains the visitor’s answer even if a rule will replace the answer', () => {
  const { survey, flow } = pageData();
  const visit = newVisit(survey.path, {
    href: 'https://site.example/survey/v4nv?s1=abc&oid=9&uid=u',
    referrer: '',
    now: Date.UTC(2026, 10, 20, 12),
  });
  const answers = {
    injury_month: '11',
    injury_year: '2026',
    injury_day: '18',
    physical_injury: 'No',
  };
  const { rules = {} } = flow;
  const ruled = deriveFields({ answers, today, rules, settings, checks: {} });
  expect(ruled.answers.physical_injury).toBe('Yes');
  const body = leadBody({
    survey,
    visit,
    answers,
    earlier: {},
    derived: ruled.derived,
    place: dallas,
    consent: { text: 'I agree.', version: 'v1' },
    userAgent: 'UA',
    submittedAt: '2026-11-20T12:02:00.000Z',
  });
  expect(body).toMatchObject({ ...answers, sub_id: 'abc', oid: '9', affid: '1', tcpa: 'I agree.' });
  for (const name of ['zip', 'uid', 'gclid', 'when_seek_medical_treatment']) {
    expect(body).not.toHaveProperty(name);
  }
  expect(JSON.stringify(body)).not.toContain(visit.secret);
});
