import { describe, expect, test } from 'vitest';
import { deriveFields } from '../domain/derive-fields.ts';
import { pageData, settings, today } from '../survey/test-support/survey-fixture.ts';
import { leadBody } from './lead-body.ts';
import { addressWithTransactionId, newVisit, takenUp } from './visit.ts';

const origin = 'https://site.example';
const landing = (query: string) => ({
  href: `${origin}/survey/v4nv${query}`,
  referrer: 'https://ads.example/',
  now: Date.UTC(2026, 10, 20, 12),
});

describe('a new visit', () => {
  test('reads the click, makes its ids and stores the landing page without its query', () => {
    const { session, tracking } = newVisit('/survey/v4nv', landing('?s1=abc&sub2={x}&gclid=g1'));
    expect(tracking).toMatchObject({ sub_id: 'abc', sub_id2: '', gclid: 'g1', fbclid: '' });
    expect(tracking.ef_transaction_id).toMatch(/^[0-9a-f]{32}$/);
    expect(session).toMatchObject({
      survey: '/survey/v4nv',
      click_id: tracking.ef_transaction_id,
      landing_page: `${origin}/survey/v4nv`,
      referer: 'https://ads.example/',
      params: { s1: 'abc', sub2: '{x}', gclid: 'g1' },
      started_at: '2026-11-20T12:00:00.000Z',
    });
    expect(session.lead_id).toMatch(/-7/);
  });

  test.each([
    ['?gclid=g1', 0.9, 'google'],
    ['?fbclid=f1', 0.1, 'facebook'],
    ['', 0.74, 'google'],
    ['?traffic_source_pool=google', 0.75, 'facebook'],
  ])('assigns %s to its pool', (query, chance, pool) => {
    const { session, tracking } = newVisit('/survey/v4nv', { ...landing(query), chance });
    expect(tracking.traffic_source_pool).toBe(pool);
    expect(session.params.traffic_source_pool).toBe(pool);
  });

  test('keeps the transaction id of the click tracker', () => {
    const { session } = newVisit('/survey/v4nv', landing('?_ef_transaction_id=t9'));
    expect(session.click_id).toBe('t9');
  });

  test('puts the transaction id into the address, in place of a placeholder', () => {
    expect(addressWithTransactionId(`${origin}/survey/v4nv?s1=a#x`, 't9')).toBe(
      '/survey/v4nv?s1=a&_ef_transaction_id=t9#x',
    );
    expect(addressWithTransactionId(`${origin}/s?_ef_transaction_id={x}&s1=a`, 't9')).toBe(
      '/s?_ef_transaction_id=t9&s1=a',
    );
    expect(addressWithTransactionId(`${origin}/s?_ef_transaction_id=t9&q=%20`, 't9')).toBe(
      '/s?_ef_transaction_id=t9&q=%20',
    );
  });
});

describe('a resumed visit', () => {
  const kept = {
    ...newVisit('/survey/v4nv', landing('?affid=5&s1=first&_ef_transaction_id=AAA')),
    timeOnSteps: 'StartPath:3',
    consentShownAt: '2026-11-20T12:01:00.000Z',
  };

  test.each(['', '?affid=5&s1=first', '?s1=first&_ef_transaction_id=AAA', '?utm_source=mail'])(
    'stays as it is at %s',
    (query) => {
      expect(takenUp(kept, landing(query))).toBe(kept);
    },
  );

  test.each([
    '?affid=9&s1=second&gclid=new&_ef_transaction_id=BBB',
    '?gclid=new',
    '?affid=5&s1=first&_ef_transaction_id=BBB',
    '?affid=5&s1=first&lp_action=test',
  ])('takes the new click at %s, and stays the same lead', (query) => {
    const visit = takenUp(kept, landing(query));
    const fresh = newVisit('/survey/v4nv', landing(query));
    const ownIds = {
      traffic_source_pool: expect.any(String),
      ef_transaction_id: expect.any(String),
    };
    expect(visit.tracking).toEqual({ ...fresh.tracking, ...ownIds });
    expect(visit.session.click_id).toBe(visit.tracking.ef_transaction_id);
    expect(visit.session.click_id).not.toBe('AAA');
    expect(visit.session.lead_id).toBe(kept.session.lead_id);
    expect(visit).toMatchObject({
      timeOnSteps: kept.timeOnSteps,
      consentShownAt: kept.consentShownAt,
    });
  });
});

describe('the posted body', () => {
  const data = pageData();
  const visit = {
    ...newVisit('/survey/v4nv', landing('?s1=abc&oid=9&uid=u')),
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
  const place = {
    zip: '75201',
    city: 'Dallas',
    state: 'TX',
    state_long: 'Texas',
    county: 'Dallas',
  };
  const derivation = deriveFields({
    answers: { ...answers, state: 'TX' },
    today,
    rules: data.flow.rules,
    settings,
    checks: {},
  });
  const body = leadBody({
    survey: data.survey,
    visit,
    answers,
    earlier: {},
    derived: derivation.derived,
    place,
    consent: { text: 'I agree.', version: 'v1' },
    userAgent: 'UA',
    submittedAt: '2026-11-20T12:02:00.000Z',
  });

  test('does not hold the secret', () => {
    expect(JSON.stringify(body)).not.toContain(visit.secret);
  });

  test('is a flat record of strings', () => {
    expect(Object.values(body).every((value) => typeof value === 'string')).toBe(true);
  });

  test('keeps the visitor’s answers despite overriding rules', () => {
    expect(derivation.answers.physical_injury).toBe('Yes');
    expect(body).toMatchObject(answers);
  });

  test('has the derived fields, the place, the click and the consent as seen', () => {
    expect(body).toMatchObject({
      days_from_incident_date: '2',
      incident_date: '2026-11-01',
      enough_words: 'yes',
      accident_limit_exceeded: '0',
      city: 'Dallas',
      state: 'TX',
      state_long: 'Texas',
      county: 'Dallas',
      sub_id: 'abc',
      oid: '9',
      affid: '1',
      ef_transaction_id: visit.tracking.ef_transaction_id,
      user_agent: 'UA',
      time_on_steps: 'StartPath:3',
      tcpa: 'I agree.',
      consent_version: 'v1',
      consent_shown_at: '2026-11-20T12:01:00.000Z',
      landing_page: `${origin}/survey/v4nv`,
      page_referer: 'https://ads.example/',
      language: 'en',
    });
    expect(body).not.toHaveProperty('uid');
    expect(body).not.toHaveProperty('gclid');
    expect(body).not.toHaveProperty('when_seek_medical_treatment');
  });
});
