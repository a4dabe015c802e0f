import { expect, it } from 'vitest';
import { expectProblem, leadId, testApp } from '../../../tests/support/app.ts';
import { hashOfSecret, secretHeader, testLead, testSecret } from '../../../tests/support/leads.ts';
import { OverLimitError, StoreUnavailableError } from '../platform/errors.ts';

it('POST /post-lead refuses an invalid lead with 400', async () => {
  const { post, useCases } = await testApp();
  for (const [body, reason] of [
    ['{"lead_id":', 'not_json'],
    ['', 'not_json'],
    [[], 'not_an_object'],
    ['null', 'not_an_object'],
    ['"lead"', 'not_an_object'],
    [{ survey: '/survey/v4nv' }, 'no_lead_id'],
    [{ lead_id: '123' }, 'no_lead_id'],
    [{ lead_id: 7 }, 'no_lead_id'],
  ] as const) {
    expectProblem(await post('/post-lead', body), 400, reason);
  }
  expect(useCases.acceptLead).not.toHaveBeenCalled();
});

it('POST /post-lead refuses a body that is too large or is not JSON', async () => {
  const { post } = await testApp();
  const large = { lead_id: leadId, case_description: 'x'.repeat(70_000) };
  expectProblem(await post('/post-lead', large), 413, 'too_large');
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/html']) {
    const answer = await post('/post-lead', 'lead_id=1', { 'content-type': type });
    expectProblem(answer, 415, 'unsupported_media_type');
  }
});

it('POST /post-lead removes keys such as __proto__ from a lead', async () => {
  const { post, useCases } = await testApp();
  const body = `{"lead_id":"${leadId}","__proto__":{"a":1},"constructor":{"prototype":{}},"x":"y"}`;
  expect((await post('/post-lead', body)).statusCode).toBe(200);
  expect(useCases.acceptLead.mock.calls[0]?.[0]).toEqual({ lead_id: leadId, x: 'y' });
});

it('POST /post-lead stores numbers as text if JavaScript would write them differently', async () => {
  const { post, useCases } = await testApp();
  const body = `{"lead_id":"${leadId}","phone":1e400,"n":[-0.5e-999,12345678901234567890,12.50,0,2.145550143E9]}`;
  expect((await post('/post-lead', body)).statusCode).toBe(200);
  expect(useCases.acceptLead.mock.calls[0]?.[0]).toEqual({
    lead_id: leadId,
    phone: '1e400',
    n: ['-0.5e-999', '12345678901234567890', '12.50', 0, 2_145_550_143],
  });
});

it('POST /post-lead accepts a valid lead after 60 invalid posts from its IP address', async () => {
  const { post } = await testApp();
  const statuses = new Set<number>();
  for (let i = 0; i < 61; i += 1) statuses.add((await post('/post-lead', '{')).statusCode);
  expect([...statuses]).toEqual([400, 429]);
  const refused = await post('/post-lead', '{');
  expectProblem(refused, 429, 'too_many_requests');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await post('/post-lead', testLead())).statusCode).toBe(200);
});

it('POST /post-lead answers 429 to a lead that exceeds a limit', async () => {
  const { post, useCases } = await testApp();
  for (let n = 0; n < 61; n += 1) {
    const reason = n % 2 === 0 ? 'too_many_posts' : 'too_many_fields';
    useCases.acceptLead.mockRejectedValueOnce(new OverLimitError(reason, 3_600));
    const answer = await post('/post-lead', testLead());
    expectProblem(answer, 429, reason);
    expect(answer.headers['retry-after']).toBe('3600');
  }
  expectProblem(await post('/post-lead', '{'), 400, 'not_json');
});

it('POST /post-lead answers 503 if the lead could not be stored', async () => {
  const { post, useCases } = await testApp();
  useCases.acceptLead.mockRejectedValueOnce(new StoreUnavailableError('secret'));
  const away = await post('/post-lead', testLead());
  expectProblem(away, 503, 'unavailable');
  expect(Number(away.headers['retry-after'])).toBeGreaterThan(0);
  useCases.acceptLead.mockRejectedValueOnce(new Error('secret detail'));
  const failed = await post('/post-lead', testLead());
  expectProblem(failed, 500, 'internal');
  expect(away.body + failed.body).not.toContain('secret');
});

it('POST /post-lead passes the lead’s secret to the use case only as a hash', async () => {
  const { post, lines, useCases } = await testApp();
  const survey = '/survey/v6';
  for (const headers of [secretHeader(), {}, secretHeader('')]) {
    await post('/post-lead', testLead(), headers);
    await post('/api/save-data', { session: { lead_id: leadId }, data: [] }, headers);
    await post('/api/mapping', { lead_id: leadId, survey, affid: 1, oid: 1 }, headers);
    await post('/api/buyers', { lead_id: leadId, survey, zip_code: '10001' }, headers);
  }
  const { acceptLead, saveProgress, mapLead, findBuyers } = useCases;
  for (const given of [
    acceptLead.mock.calls.map(([, visitor]) => visitor),
    saveProgress.mock.calls.map(([, visitor]) => visitor),
    mapLead.mock.calls.map(([request]) => request),
    findBuyers.mock.calls.map(([, visitor]) => visitor),
  ]) {
    const hashes = given.map(({ secretSha256 }) => secretSha256);
    expect(hashes).toEqual([hashOfSecret(testSecret), null, null]);
  }
  const all = [acceptLead, saveProgress, mapLead, findBuyers].map(({ mock }) => mock.calls);
  expect(JSON.stringify(all) + lines.join('')).not.toContain(testSecret);
});
