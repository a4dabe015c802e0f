import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../server.ts';
import { exampleLead, postJson } from '../testing.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const send = (lead: unknown, path = '/ingest', headers = {}) =>
  postJson(`${sandbox.url}${path}`, lead, headers);
const problems = () => sandbox.violations().flatMap((one) => one.problems);

describe('a well-formed lead', () => {
  it('is accepted with status, code, message and id, and has one effect', async () => {
    const { status, body } = await send(exampleLead());
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[\w-]{20}$/),
      status: 'ACCEPTED',
      code: 0,
      message: expect.any(String),
    });
    expect(sandbox.effects()).toMatchObject([
      { key: '018f2b5e-7c1a-7000-8000-000000000001', count: 1, duplicates: 0 },
    ]);
    expect(problems()).toEqual([]);
  });

  it('is accepted at the newer address as well', async () => {
    expect((await send(exampleLead(), '/direct_post')).body).toMatchObject({ status: 'ACCEPTED' });
    expect((await send(exampleLead(), '/ingest')).body).toMatchObject({ status: 'DUPLICATED' });
  });

  it('may carry numeric ids, empty optional fields and a charset', async () => {
    const lead = exampleLead({ lp_campaign_id: 10001, lp_subid1: '', click_id: '', state: '' });
    const { body } = await send(lead, '/ingest', {
      'content-type': 'application/json; charset=utf-8',
    });
    expect(body).toMatchObject({ status: 'ACCEPTED' });
  });

  it('accepts a sub id of 75 characters and refuses 76', async () => {
    expect((await send(exampleLead({ lp_subid1: 'x'.repeat(75) }))).body).toMatchObject({
      status: 'ACCEPTED',
    });
    expect((await send(exampleLead({ lp_subid1: 'x'.repeat(76) }))).body).toMatchObject({
      status: 'ERROR',
    });
    expect(problems()).toEqual(['lp_subid1: longer than 75 characters']);
  });
});

describe('duplicates', () => {
  it.each([
    ['the same lead', {}],
    ['the same lead id with another contact', { phone: '2125550102', email: 'other@example.com' }],
    ['the same contact with another lead id', { lead_id: 'another' }],
    ['the same contact in capitals', { lead_id: 'another', email: 'MARIA@Example.com' }],
  ])('recognises %s', async (_name, changed) => {
    await send(exampleLead());
    const { status, body } = await send(exampleLead(changed));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'DUPLICATED' });
    expect(sandbox.effects()).toMatchObject([{ count: 1, duplicates: 1 }]);
    expect(sandbox.received().map((one) => one.effect)).toEqual([true, false]);
  });

  it.each([
    ['another phone', { lead_id: 'another', phone: '2125550102' }],
    ['another e-mail', { lead_id: 'another', email: 'other@example.com' }],
    ['a test lead after a real one', { lp_action: 'test' }],
  ])('accepts %s as a separate lead', async (_name, changed) => {
    await send(exampleLead());
    expect((await send(exampleLead(changed))).body).toMatchObject({ status: 'ACCEPTED' });
    expect(sandbox.effects()).toHaveLength(2);
  });

  it('counts a double send when told not to recognise it', async () => {
    const blind = await startSandbox({ recogniseDuplicates: false });
    try {
      await postJson(`${blind.url}/ingest`, exampleLead());
      await postJson(`${blind.url}/ingest`, exampleLead());
      expect(blind.effects()).toMatchObject([{ count: 2, duplicates: 0 }]);
    } finally {
      await blind.close();
    }
  });

  it('accepts each of many concurrent sends once (property)', async () => {
    const seed = Date.now() & 0x7fffffff;
    console.log(`ingest property seed ${seed}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 }),
        async (people) => {
          sandbox.reset();
          const answers = await Promise.all(
            people.map((n) =>
              send(
                exampleLead({
                  lead_id: `lead-${n}`,
                  phone: `212555010${n}`,
                  email: `p${n}@example.com`,
                }),
              ),
            ),
          );
          const different = new Set(people).size;
          const accepted = answers.filter(
            ({ body }) => (body as { status: string }).status === 'ACCEPTED',
          );
          expect(accepted).toHaveLength(different);
          expect(sandbox.effects()).toHaveLength(different);
          const sends = sandbox.effects().reduce((sum, one) => sum + one.count + one.duplicates, 0);
          expect(sends).toBe(people.length);
        },
      ),
      { seed, numRuns: 10 },
    );
  });
});

describe('strictness', () => {
  const without = (name: string) => {
    const { [name]: _left, ...rest } = exampleLead();
    return rest;
  };

  it.each([
    ['a missing key', without('lp_key'), 'lp_key: missing'],
    ['a missing phone', without('phone'), 'phone: missing'],
    ['an empty name', exampleLead({ first_name: ' ' }), 'first_name: empty'],
    [
      'a phone with punctuation',
      exampleLead({ phone: '(212) 555-0101' }),
      'phone: expected 10 digits',
    ],
    ['a phone with +1', exampleLead({ phone: '+12125550101' }), 'phone: expected 10 digits'],
    ['an unknown field', exampleLead({ firstName: 'Maria' }), 'firstName: unknown field'],
    ['a field in the wrong case', exampleLead({ at_fault: 'no' }), 'at_fault: unknown field'],
    ['a null', exampleLead({ city: null }), 'city: expected a flat value'],
    ['a list', exampleLead({ selected_buyers: ['1'] }), 'selected_buyers: expected a flat value'],
    [
      'an answer in the wrong case',
      exampleLead({ with_Lawyer: 'No' }),
      'with_Lawyer: expected yes or no',
    ],
    [
      'a boolean answer',
      exampleLead({ physical_injury: true }),
      'physical_injury: expected Yes or No',
    ],
    ['another action', exampleLead({ lp_action: 'ping' }), 'lp_action: expected test'],
    [
      'an invalid day',
      exampleLead({ incident_date: '2026-13-01' }),
      'incident_date: expected yyyy-MM-dd',
    ],
    [
      'a zip with 4 more digits',
      exampleLead({ zip_code: '90210-1234' }),
      'zip_code: expected 5 digits',
    ],
    [
      'no address',
      exampleLead({ ip_address: 'unknown' }),
      'ip_address: expected an IPv4 or IPv6 address',
    ],
    ['a wrong key', exampleLead({ lp_key: 'guess' }), 'lp_key: wrong'],
    ['another campaign', exampleLead({ lp_campaign_id: '7' }), 'lp_campaign_id: not known'],
    ['a list for a body', [], 'body: expected an object'],
  ])('refuses %s with 200 ERROR, no effect and a violation', async (_name, lead, violation) => {
    const { status, body } = await send(lead);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ERROR',
      code: expect.any(Number),
      id: expect.any(String),
    });
    expect(problems()).toEqual([violation]);
    expect(sandbox.effects()).toEqual([]);
  });

  it.each([
    ['text/plain', 'content-type: expected application/json'],
    ['application/x-www-form-urlencoded', 'content-type: expected application/json'],
  ])('refuses %s', async (type, violation) => {
    const { body } = await send(exampleLead(), '/ingest', { 'content-type': type });
    expect(body).toMatchObject({ status: 'ERROR' });
    expect(problems()).toEqual([violation]);
  });

  it('refuses a missing content type and a body that is not JSON', async () => {
    await fetch(`${sandbox.url}/ingest`, { method: 'POST', body: Buffer.from('{}') });
    await send('{"phone":');
    expect(problems()).toEqual([
      'content-type: missing, expected application/json',
      'body: not valid JSON',
    ]);
  });

  it('names the number error_code at the newer address', async () => {
    const { body } = await send(without('phone'), '/direct_post');
    expect(body).toMatchObject({ status: 'ERROR', error_code: 1015 });
    expect(body).not.toHaveProperty('code');
  });

  it('reports every breach at once, without the values', async () => {
    await send(exampleLead({ phone: '555-SECRET', email: 'SECRET' }));
    expect(problems().toSorted()).toEqual([
      'email: expected an e-mail address',
      'phone: expected 10 digits',
    ]);
  });

  it('knows additional fields only when configured', async () => {
    const wider = await startSandbox({ extraLeadFields: ['vehicle_type'] });
    try {
      const lead = exampleLead({ vehicle_type: 'suv' });
      expect((await postJson(`${wider.url}/ingest`, lead)).body).toMatchObject({
        status: 'ACCEPTED',
      });
      expect((await send(lead)).body).toMatchObject({ status: 'ERROR' });
    } finally {
      await wider.close();
    }
  });

  it('answers a GET and an unknown address with 404 and records them', async () => {
    expect((await fetch(`${sandbox.url}/ingest`)).status).toBe(404);
    expect((await postJson(`${sandbox.url}/injest`, exampleLead())).status).toBe(404);
    expect(sandbox.violations()).toMatchObject([
      { service: 'unknown', method: 'GET', path: '/ingest' },
      { service: 'unknown', method: 'POST', path: '/injest' },
    ]);
  });
});

describe('the record of requests', () => {
  it('keeps the lead and leaves out secrets', async () => {
    await send(exampleLead(), '/ingest', { authorization: 'Bearer s3cr3t', cookie: 'a=s3cr3t' });
    const [entry] = sandbox.received('ingest');
    expect(entry).toMatchObject({
      method: 'POST',
      path: '/ingest',
      body: { first_name: 'Maria', lp_key: '[secret]' },
      answer: { status: 200, body: { status: 'ACCEPTED' } },
      failure: null,
      effect: true,
      overlapped: false,
    });
    expect(JSON.stringify([entry, sandbox.effects()])).not.toMatch(/s3cr3t|sandbox-lp-key/);
  });

  it('records a referrer with a query as a violation', async () => {
    await send(exampleLead(), '/ingest', {
      referer: 'http://localhost/survey-thank-you/?email=a@b.c',
    });
    expect(problems()).toEqual(['referer: carries a query']);
  });
});
