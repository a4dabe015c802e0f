import { expect, test } from 'vitest';
import { deriveFields } from '../domain/derive-fields.ts';
import { dallas, pageData, settings, today } from '../survey/test-support/survey-fixture.ts';
import { earlierAnswers, leadBody } from './lead-body.ts';
import { newVisit } from './visit.ts';

test('earlierAnswers returns the answers of removed steps, even of one named like an Object property', () => {
  const steps = { AtFault: {} } as unknown as Parameters<typeof earlierAnswers>[0]['steps'];
  const given = { AtFault: { at_Fault: 'no' }, constructor: { zip_code: '10001' }, Old: {} };
  expect(earlierAnswers({ steps }, given)).toEqual({ constructor: { zip_code: '10001' }, Old: {} });
});

test('the body has the visitor’s own answers, derived fields, place, click and consent, but no secret', () => {
  const { survey, flow } = pageData();
  const landing = { referrer: 'https://ads.example/', now: Date.UTC(2026, 10, 20, 12) };
  const visit = {
    ...newVisit(survey.path, {
      ...landing,
      href: 'https://site.example/survey/v4nv?s1=abc&oid=9&uid=u',
    }),
    timeOnSteps: 'StartPath:3',
    consentShownAt: '2026-11-20T12:01:00.000Z',
  };
  const answers = {
    injury_month: '11',
    injury_year: '2026',
    injury_day: '18',
    physical_injury: 'No',
    doctor_treatment: 'no',
    case_description: 'A truck hit my car from behind.',
    hit_and_run: 'yes',
    hit_and_run_identified: 'yes',
  };
  const ruled = deriveFields({
    answers: { ...answers, state: 'TX' },
    today,
    rules: flow.rules ?? {},
    settings,
    checks: {},
  });
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
  const { zip: _, ...place } = dallas;
  // An overriding rule has changed this answer.
  expect(ruled.answers.physical_injury).toBe('Yes');
  expect(body).toMatchObject({
    ...answers,
    ...place,
    days_from_incident_date: '2',
    incident_date: '2026-11-01',
    enough_words: 'yes',
    accident_limit_exceeded: '0',
    sub_id: 'abc',
    oid: '9',
    affid: '1',
    ef_transaction_id: visit.tracking.ef_transaction_id,
    user_agent: 'UA',
    time_on_steps: 'StartPath:3',
    tcpa: 'I agree.',
    consent_version: 'v1',
    consent_shown_at: '2026-11-20T12:01:00.000Z',
    landing_page: 'https://site.example/survey/v4nv',
    page_referer: 'https://ads.example/',
    language: 'en',
  });
  for (const name of ['zip', 'uid', 'gclid', 'when_seek_medical_treatment']) {
    expect(body).not.toHaveProperty(name);
  }
  expect(Object.values(body).every((value) => typeof value === 'string')).toBe(true);
  expect(JSON.stringify(body)).not.toContain(visit.secret);
});
