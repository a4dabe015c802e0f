import { expect, it, vi } from 'vitest';
import { type Answer, expectProblem, leadId, testApp } from '../../../tests/support/app.ts';
import { testSecret } from '../../../tests/support/leads.ts';
import { leadSecretHeader } from '../../model/messages/lead.ts';
import { OverLimitError } from '../platform/errors.ts';
import type { UseCases } from './use-cases.ts';

it.each<[string, unknown, unknown]>([
  ['/us/33101', undefined, { zip: '33101', city: 'C', state: 'FL', county: 'D' }],
  ['/api/check/phone', { phone: '2125550123', survey: '' }, { valid: true, active: true }],
  ['/api/check/email', { email: 'a@b.c', lead_id: leadId }, { blocked: false }],
  ['/api/check/text', { text: 'x' }, { is_gibberish: 'no', bad_words: 'no' }],
  ['/api/estimate', { specific_injury: 'Whiplash' }, { compLevel: 3 }],
  ['/api/save-data', { session: { lead_id: leadId }, data: [] }, { userBackupStatus: true }],
])('a request to %s with a valid body gets the expected answer', async (url, body, expected) => {
  const { app, post } = await testApp();
  const answer = await (body === undefined ? app.inject(url) : post(url, body));
  expect(answer.json()).toMatchObject(expected as object);
});

it.each<[string, unknown, string]>([
  ['/api/check/phone', {}, 'invalid_request'],
  ['/api/check/email', { email: 'a@b.c', lead_id: 'x' }, 'no_lead_id'],
  ['/api/check/text', { text: 7 }, 'invalid_request'],
  ['/api/save-data', { session: {}, data: [] }, 'no_lead_id'],
  ['/api/save-data', { data: [] }, 'invalid_request'],
  [
    '/api/mapping',
    { lead_id: leadId, survey: '/survey/v6', affid: '1', oid: 160 },
    'invalid_request',
  ],
  ['/api/mapping', { lead_id: 'x', survey: '/survey/v6', affid: 1, oid: 160 }, 'no_lead_id'],
  ['/api/buyers', { lead_id: leadId, survey: '/survey/v6', zip_code: '1000' }, 'invalid_request'],
  ['/api/buyers', { survey: '/survey/v6', zip_code: '10001' }, 'no_lead_id'],
  ['/api/estimate', [], 'not_an_object'],
  ['/api/estimate', '{', 'not_json'],
])('a request to %s with an invalid body gets 400', async (url, body, reason) => {
  const { post, useCases } = await testApp();
  expectProblem(await post(url, body), 400, reason);
  expect(useCases.estimate).not.toHaveBeenCalled();
});

it('checks from an IP address that has reached the limit get 429', async () => {
  const env = { CHECKS_PER_ADDRESS_PER_MINUTE: '2', TRUSTED_PROXIES: 'loopback' };
  const { app } = await testApp({ env });
  const answers: Answer[] = [];
  for (const port of ['50001', '50002', '50003']) {
    const headers = { 'x-forwarded-for': `203.0.113.9:${port}` };
    answers.push(await app.inject({ url: '/us/33101', headers }));
  }
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
  expectProblem(answers[2] as Answer, 429, 'too_many_requests');
  expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
  // Cached answers must not contain the rate-limit headers of one visitor.
  const names = answers.flatMap(({ headers }) => Object.keys(headers));
  expect(names.filter((name) => name.includes('ratelimit'))).toEqual([]);
});

it('a visit’s first checks get 200 even if other visits have used up the limit of the IP address', async () => {
  const { app, post } = await testApp({ env: { CHECKS_PER_ADDRESS_PER_MINUTE: '2' } });
  const look = async (secret?: string) => {
    const headers = secret ? { [leadSecretHeader]: secret } : {};
    return (await app.inject({ url: '/us/33101', headers })).statusCode;
  };
  for (let n = 0; n < 40; n += 1) await look(n < 30 ? testSecret : undefined);
  expect(await look(testSecret)).toBe(429);
  expect(await look()).toBe(429);
  const neighbour = 'b'.repeat(32);
  for (let n = 0; n < 19; n += 1) expect(await look(neighbour)).toBe(200);
  const headers = { [leadSecretHeader]: neighbour };
  expect((await post('/api/estimate', {}, headers)).statusCode).toBe(200);
});

it('/api/buyers answers 429 with Retry-After to too many requests', async () => {
  const findBuyers = () => Promise.reject(new OverLimitError('too_many_offers', 3_600));
  const { post } = await testApp({ useCases: { findBuyers } });
  const body = { lead_id: leadId, survey: '/survey/v6', zip_code: '10001' };
  const answer = await post('/api/buyers', body);
  expectProblem(answer, 429, 'too_many_offers');
  expect(answer.headers['retry-after']).toBe('3600');
});

it('/api/prefill answers yes only for an affiliate with prefilled contact fields', async () => {
  const checkPrefill = async (affid: string) => affid === '252';
  const { app, useCases } = await testApp({ useCases: { checkPrefill } });
  const on = await app.inject('/api/prefill?affid=252');
  expect(on.json()).toEqual({ result: 'yes' });
  expect(on.headers['cache-control']).toBe('no-store');
  expect((await app.inject('/api/prefill?affid=1')).json()).toEqual({ result: 'no' });
  for (const query of ['', '?affid=', '?affid=x', '?affid=1%2F2']) {
    expect((await app.inject(`/api/prefill${query}`)).statusCode, query).toBe(400);
  }
  expect(useCases.checkPrefill.mock.calls).toEqual([['252'], ['1']]);
});

const id = '0123456789abcdef0123456789abcdef';
const click = { offer_id: '81', affiliate_id: '1', sub1: 'a', transaction_id: 'x' };
const tracked = () => {
  const trackClick = vi.fn<NonNullable<UseCases['trackClick']>>(async () => id);
  return testApp({ useCases: { trackClick } });
};

it('POST /api/click returns a transaction id unless the browser sends the opt-out signal', async () => {
  const { post, useCases } = await tracked();
  expect((await post('/api/click', click)).json()).toEqual({ transaction_id: id });
  const optedOut = await post('/api/click', click, { 'sec-gpc': '1' });
  expect(optedOut.json()).toEqual({ transaction_id: '' });
  expect(useCases.trackClick).toHaveBeenCalledExactlyOnceWith(click);
});

it('POST /api/click refuses unknown fields, invalid offers, long values and a missing affiliate', async () => {
  const { post, useCases } = await tracked();
  for (const body of [
    { ...click, email: 'a@b.example' },
    { ...click, offer_id: 'x' },
    { ...click, sub1: 'a'.repeat(501) },
    { offer_id: '81' },
  ]) {
    expectProblem(await post('/api/click', body), 400, 'invalid_request');
  }
  expect(useCases.trackClick).not.toHaveBeenCalled();
});

const env = { TRUSTED_PROXIES: 'loopback', VISITOR_STATE_HEADER: 'X-Visitor-State' };
async function stateOf(given: string, from = '198.51.100.9', settings: NodeJS.ProcessEnv = env) {
  const { app } = await testApp({ env: settings });
  const headers = { 'x-visitor-state': given, ...(from && { 'x-forwarded-for': from }) };
  return app.inject({ url: '/api/state', headers });
}

it.each([
  ['AL', 'AL'],
  [' us-ne ', 'NE'],
  ['Alabama', ''],
  ['', ''],
])('GET /api/state answers only with valid codes of US states', async (given, state) => {
  const answer = await stateOf(given);
  expect(answer.json()).toEqual({ state });
  expect(answer.headers['cache-control']).toBe('no-store');
});

it('GET /api/state ignores the US state header of an untrusted sender', async () => {
  expect((await stateOf('AL', '')).json()).toEqual({ state: '' });
  const elsewhere = { ...env, TRUSTED_PROXIES: '192.0.2.7' };
  expect((await stateOf('AL', '198.51.100.9', elsewhere)).json()).toEqual({ state: '' });
  expectProblem(await stateOf('AL', '198.51.100.9', {}), 404, 'not_found');
});

const path = '/send-slack-message';
const text = 'An e-mail address was blocked, given again, and accepted';

it('POST /send-slack-message accepts only texts of our pages', async () => {
  const { post, lines, useCases } = await testApp();
  const answers: Answer[] = [];
  for (let index = 0; index < 7; index += 1) {
    answers.push(await post(path, { text }, { 'sec-fetch-site': 'same-origin' }));
  }
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([
    ...[204, 204, 204, 204, 204, 429, 429],
  ]);
  expect(answers[0]?.body).toBe('');
  expect(useCases.sendPageAlert.mock.calls).toEqual(Array(5).fill([text]));
  expect(lines.join('')).not.toContain('blocked');
});

it.each([
  [{ text: 'Buy now at https://spam.example' }, {}, 400],
  [{ text: `${text}!` }, {}, 400],
  [{ text, channel: '#general' }, {}, 400],
  [{ text: [text] }, {}, 400],
  [{ text }, { 'sec-fetch-site': 'cross-site' }, 403],
  [{ text }, { 'content-type': 'text/plain' }, 415],
])('POST /send-slack-message refuses invalid requests', async (body, headers, status) => {
  const { post, useCases } = await testApp();
  const answer = await post(path, body, headers as Record<string, string>);
  expect(answer.statusCode).toBe(status);
  expect(useCases.sendPageAlert).not.toHaveBeenCalled();
  expect(answer.body).not.toContain('spam');
});
