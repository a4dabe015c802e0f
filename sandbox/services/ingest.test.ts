import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleLead, postJson } from '../../tests/support/sandbox-requests.ts';
import { type Sandbox, startSandbox } from '../server.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const send = (lead: unknown, headers = {}) => postJson(`${sandbox.url}/ingest`, lead, headers);
const problems = () => sandbox.violations().flatMap((one) => one.violations);

it('the ingest service accepts a lead with numeric ids and empty optional fields', async () => {
  const lead = exampleLead({ lp_campaign_id: 10001, lp_subid1: 'x'.repeat(75), click_id: '' });
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  expect(await send(lead, headers)).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(/^[\w-]{20}$/), status: 'ACCEPTED' },
  });
  expect((await send(lead)).body).toMatchObject({ status: 'DUPLICATED' });
  expect(sandbox.effects()).toMatchObject([{ key: lead.lead_id, count: 1, duplicates: 1 }]);
  expect(problems()).toEqual([]);
});

it.each([
  ['the same lead id with another contact', { phone: '2125550102', email: 'other@example.com' }],
  ['the same contact in capitals', { lead_id: 'another', email: 'MARIA@Example.com' }],
])('the ingest service answers DUPLICATED to a lead with %s', async (_name, changed) => {
  await send(exampleLead());
  expect((await send(exampleLead(changed))).body).toMatchObject({ status: 'DUPLICATED' });
  expect(sandbox.effects()).toMatchObject([{ count: 1, duplicates: 1 }]);
});

describe('the ingest service', () => {
  const { phone: _, ...withoutPhone } = exampleLead();

  it.each([
    [withoutPhone, 'phone: missing'],
    [exampleLead({ first_name: ' ' }), 'first_name: empty'],
    [exampleLead({ email: 'maria' }), 'email: expected an e-mail address'],
    [exampleLead({ lp_subid1: 'x'.repeat(76) }), 'lp_subid1: longer than 75 characters'],
    [exampleLead({ at_fault: 'no' }), 'at_fault: unknown field'],
    [exampleLead({ selected_buyers: ['1'] }), 'selected_buyers: expected a flat value'],
    [exampleLead({ physical_injury: true }), 'physical_injury: expected Yes or No'],
    [exampleLead({ ip_address: '?' }), 'ip_address: expected an IPv4 or IPv6 address'],
    [exampleLead({ lp_key: 'guess' }), 'lp_key: wrong'],
    [[], 'body: expected an object'],
  ])('records a violation for the invalid lead %j', async (lead, violation) => {
    const { status, body } = await send(lead);
    expect([status, body]).toMatchObject([200, { status: 'ERROR', code: expect.any(Number) }]);
    expect(problems()).toEqual([violation]);
    expect(sandbox.effects()).toEqual([]);
  });
});

it('the journal stores a request without the secrets in it', async () => {
  const headers = { authorization: 'Bearer s3cr3t', cookie: 'a=s3cr3t' };
  await send(exampleLead(), { ...headers, referer: 'http://localhost/?email=a@b.c' });
  const [entry] = sandbox.received('ingest');
  expect(entry).toMatchObject({
    body: { first_name: 'Maria', lp_key: '[secret]' },
    answer: { status: 200, body: { status: 'ACCEPTED' } },
  });
  expect(JSON.stringify([entry, sandbox.effects()])).not.toMatch(/s3cr3t|sandbox-lp-key/);
  expect(problems()).toEqual(['referer: carries a query']);
});
