import { expect, test } from 'vitest';
import { adClickNames, utmNames } from '../fields/tracking.ts';
import { newVisit, resumedVisit } from './visit.ts';

const origin = 'https://site.example';
const landing = (query: string) => ({
  href: `${origin}/survey/v4nv${query}`,
  referrer: 'https://ads.example/?ttclid=T1&email=a@mail.example',
  now: Date.UTC(2026, 10, 20, 12),
});

test('newVisit stores the URLs of the landing page and the referrer without query', () => {
  const { session, secret, tracking } = newVisit(
    '/survey/v4nv',
    landing('?s1=abc&sub2={x}&gclid=g1'),
  );
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
  expect(secret).toMatch(/^[0-9a-f]{32}$/);
  expect(JSON.stringify([session, tracking])).not.toContain(secret);
});

test.each([
  ['?gclid=g1', 0.9, 'google'],
  ['?fbclid=f1', 0.1, 'facebook'],
  ['', 0.74, 'google'],
  ['?traffic_source_pool=google', 0.75, 'facebook'],
])(
  'newVisit assigns the traffic source of a visit that begins with the query "%s"',
  (query, chance, pool) => {
    const { session, tracking } = newVisit('/survey/v4nv', { ...landing(query), chance });
    expect(tracking.traffic_source_pool).toBe(pool);
    expect(session.params.traffic_source_pool).toBe(pool);
  },
);

const stored = {
  ...newVisit('/survey/v4nv', landing('?affid=5&s1=first&_ef_transaction_id=AAA')),
  timeOnSteps: 'StartPath:3',
  consentShownAt: '2026-11-20T12:01:00.000Z',
};

test.each([
  '',
  '?affid=5&s1=first',
  '?s1=first&_ef_transaction_id=AAA',
  '?utm_source=',
  '?other=1',
])('resumedVisit returns the stored visit unchanged for the query "%s"', (query) => {
  expect(resumedVisit(stored, landing(query))).toBe(stored);
});

test.each([
  '?affid=9&s1=second&gclid=new&_ef_transaction_id=BBB',
  '?gclid=new',
  '?affid=5&s1=first&_ef_transaction_id=BBB',
  '?affid=5&s1=first&lp_action=test',
  ...[...adClickNames, ...utmNames].map((name) => `?affid=5&s1=first&${name}=new`),
])('resumedVisit replaces the stored tracking parameters for the query "%s"', (query) => {
  const visit = resumedVisit(stored, landing(query));
  const fresh = newVisit('/survey/v4nv', landing(query));
  const ownIds = { traffic_source_pool: expect.any(String), ef_transaction_id: expect.any(String) };
  expect(visit.tracking).toEqual({ ...fresh.tracking, ...ownIds });
  expect(visit.session.click_id).toBe(visit.tracking.ef_transaction_id);
  expect(visit.session.click_id).not.toBe('AAA');
  expect(visit.session.lead_id).toBe(stored.session.lead_id);
  expect(visit.secret).toBe(stored.secret);
  expect(visit).toMatchObject({
    timeOnSteps: stored.timeOnSteps,
    consentShownAt: stored.consentShownAt,
  });
});
