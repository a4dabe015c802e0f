import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultCredentials as credentials } from '../credentials.ts';
import { type Sandbox, startSandbox } from '../server.ts';
import { get, postForm, postJson } from '../testing.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const problems = () => sandbox.violations().flatMap((one) => one.problems);

describe('alerts (Slack)', () => {
  const send = (body: unknown, headers = {}) =>
    postJson(`${sandbox.url}${credentials.slackPath}`, body, headers);

  it('takes {text} and answers ok', async () => {
    expect(await send({ text: 'A lead is stuck' })).toMatchObject({ status: 200, body: 'ok' });
    expect(sandbox.received('slack')).toMatchObject([{ effect: true }]);
  });

  it.each([
    [{}, {}, 'no_text', 'text: missing'],
    [{ text: '' }, {}, 'no_text', 'text: empty'],
    [{ text: 'x', channel: '#all' }, {}, 'invalid_payload', 'channel: unknown field'],
    [
      'text=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'invalid_payload',
      'content-type: expected application/json',
    ],
  ])('refuses %j', async (body, headers, answer, violation) => {
    expect(await send(body, headers)).toMatchObject({ status: 400, body: answer });
    expect(problems()).toEqual([violation]);
  });

  it('does not know another path', async () => {
    expect(await postJson(`${sandbox.url}/services/T/B/guess`, { text: 'x' })).toMatchObject({
      status: 404,
      body: 'no_service',
    });
  });
});

describe('automation webhook', () => {
  const send = (fields: Record<string, string> | [string, string][]) =>
    postForm(`${sandbox.url}${credentials.automationPath}`, fields);

  it('accepts the lead, and counts it again when it is resent', async () => {
    const lead = { lead_id: 'lead-1', first_name: 'Maria', bad_words: 'yes' };
    expect(await send(lead)).toMatchObject({ status: 200, body: { status: 'success' } });
    await send(lead);
    expect(sandbox.effects('automation')).toMatchObject([{ key: 'lead-1', count: 2 }]);
    expect(sandbox.effects()).toEqual([]);
  });

  it.each([
    [{ first_name: 'Maria' }, 'lead_id: missing'],
    [{ lead_id: '1', lp_key: 'x' }, 'lp_key: unknown field'],
    [
      [
        ['lead_id', '1'],
        ['lead_id', '2'],
      ] as [string, string][],
      'lead_id: given twice',
    ],
  ])('refuses %j', async (fields, violation) => {
    expect(await send(fields)).toMatchObject({ status: 400, body: { status: 'error' } });
    expect(problems()).toEqual([violation]);
    expect(sandbox.effects('automation')).toEqual([]);
  });
});

describe('exchange lead data', () => {
  const data = {
    project: 'MVA',
    zipCode: '90210',
    ipAddress: '192.0.2.1',
    userAgent: 'Mozilla/5.0',
    tf: '',
    leadId: 'lead-1',
  };
  const send = (body: unknown) => postJson(`${sandbox.url}/exchange/lead-data`, body);

  it.each([
    [{ ...data, project: 'mva' }, 'project: expected "MVA"'],
    [{ ...data, email: 'a@b.c' }, 'email: unknown field'],
    [{ ...data, ipAddress: '' }, 'ipAddress: expected an IPv4 or IPv6 address'],
  ])('refuses %j', async (body, violation) => {
    expect((await send(body)).status).toBe(400);
    expect(problems()).toEqual([violation]);
  });
});

describe('services of the specification', () => {
  const click = { oid: '81', affid: '1', sub_id: '1', ef_transaction_id: 'abc' };

  it.each([
    [
      '/inbound/get-mappings',
      { affid: 1, oid: 81 },
      { lp_campaign_id: '10001', lp_key: credentials.lpKey },
    ],
    [
      '/buyers/get-available',
      { ...click, zip_code: '90210', physical_injury: 'Yes' },
      { selectedBuyers: [{ ids: ['50001'] }, {}], allPossibleBuyers: [{}, {}, {}] },
    ],
    [
      '/buyers/get-available',
      { ...click, zip_code: '99950' },
      { selectedBuyers: [], allPossibleBuyers: [] },
    ],
    [
      '/estimated-settlement-value',
      { physical_injury: 'Yes', doctor_treatment: 'yes', at_Fault: 'no', with_Lawyer: 'no' },
      { compLevel: 5 },
    ],
    [
      '/api/save-data',
      { session: 's', data: { step: 'AtFault' } },
      { userBackupStatus: true, userProgressionStatus: true },
    ],
    [
      '/lead-verification',
      {
        zip_code: '90210',
        ip_address: '::1',
        user_agent: 'x',
        trusted_form_cert_id: '',
        leadid_token: '',
      },
      { status: 'ok' },
    ],
  ])('%s answers', async (path, body, expected) => {
    expect(await postJson(`${sandbox.url}${path}`, body)).toMatchObject({
      status: 200,
      body: expected,
    });
    expect(problems()).toEqual([]);
  });

  it.each([
    ['/inbound/get-mappings', { affid: '1', oid: 81 }, 'affid: expected number'],
    ['/buyers/get-available', { ...click, physical_injury: 'Yes' }, 'zip_code: missing'],
    ['/buyers/get-available', { ...click, affid: undefined, zip_code: '90210' }, 'affid: missing'],
    ['/buyers/get-available', { ...click, sub_id: '', zip_code: '90210' }, 'sub_id: empty'],
    ['/estimated-settlement-value', { email: 'a@b.c' }, 'email: unknown field'],
    ['/api/save-data', { session: 's' }, 'data: missing'],
    ['/lead-verification', { zip_code: '90210' }, 'ip_address: missing'],
  ])('%s refuses', async (path, body, violation) => {
    expect((await postJson(`${sandbox.url}${path}`, body)).status).toBe(400);
    expect(problems()).toContain(violation);
  });

  it('prefills for a fixed share of affiliates', async () => {
    const ask = async (affid: number, share: number) =>
      (await get(`${sandbox.url}/check-affid-pre/${affid}/${share}`)).body as { result: string };
    const answers = (share: number) =>
      Promise.all(Array.from({ length: 20 }, async (_, n) => (await ask(n, share)).result));
    expect(new Set(await answers(0))).toEqual(new Set(['no']));
    expect(new Set(await answers(100))).toEqual(new Set(['yes']));
    const half = await answers(50);
    expect(new Set(half)).toEqual(new Set(['yes', 'no']));
    expect(await answers(50)).toEqual(half);
    await ask(1, 101);
    expect(problems()).toEqual(['percentage: expected 0 to 100']);
  });
});

describe('consent certificates (TrustedForm)', () => {
  const authorization = `Basic ${Buffer.from(`API:${credentials.trustedFormApiKey}`).toString('base64')}`;
  const headers = { authorization, 'api-version': '4.0' };
  const body = {
    match_lead: { email: 'maria@example.com', phone: '2125550101' },
    retain: { reference: 'lead-1', vendor: 'sandbox' },
  };
  const script =
    '/trustedform.js?field=xxTrustedFormCertUrl&use_tagged_consent=true&l=17370000000000.123';
  const issue = async () => {
    const text = String((await get(`${sandbox.url}${script}`)).body);
    return `${sandbox.url}${/\/[0-9a-f]{40}/.exec(text)?.[0]}`;
  };

  it('refuses invalid requests', async () => {
    const certificate = await issue();
    const { authorization: _left, ...noKey } = headers;
    expect((await postJson(certificate, body, noKey)).status).toBe(401);
    expect((await postJson(certificate, body, { authorization })).status).toBe(400);
    expect((await postJson(certificate, { retain: {} }, headers)).status).toBe(422);
    expect((await postJson(certificate, { ...body, match_lead: {} }, headers)).status).toBe(422);
    expect((await postJson(`${sandbox.url}/${'0'.repeat(40)}`, body, headers)).status).toBe(404);
    expect((await get(`${sandbox.url}/trustedform.js`)).status).toBe(400);
    expect(sandbox.effects('trustedform')).toEqual([]);
    expect(sandbox.violations()).toHaveLength(6);
  });
});

describe('click tracker (Everflow)', () => {
  const click = (query: string) => get(`${sandbox.url}/clk?${query}`);

  it('makes a click, and joins an earlier one', async () => {
    const { body, headers } = await click('oid=81&affid=1&sub1=abc&async=json');
    const { transaction_id } = body as { transaction_id: string };
    expect(transaction_id).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const joined = await click(`oid=81&affid=1&_ef_transaction_id=${transaction_id}`);
    expect(joined.body).toEqual({ transaction_id });
    expect(sandbox.effects('clicks')).toMatchObject([{ key: transaction_id, count: 1 }]);
  });

  it.each([
    ['affid=1', 'oid: missing'],
    ['oid=81&affid=1&email=a', 'email: unknown field'],
    ['oid=81&affid=1&sub1=maria%40example.com', 'sub1: looks like an e-mail address'],
  ])('refuses %s', async (query, violation) => {
    expect((await click(query)).status).toBe(400);
    expect(problems()).toEqual([violation]);
  });
});

describe('what pages load', () => {
  it.each([
    '/scripts/main.js',
    `/campaign/${credentials.leadidCampaign}.js?snippet_version=2`,
    '/ringba/google',
    '/companies/facebook/key/12/swap.js',
    '/js/invoca-latest.min.js',
    '/pixels/injury.js',
  ])('%s is a script that parses', async (path) => {
    const { status, headers, body } = await get(`${sandbox.url}${path}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/javascript');
    expect(() => new Function(String(body))).not.toThrow();
    expect(problems()).toEqual([]);
  });

  it('refuses another campaign, and a pixel with a query', async () => {
    expect((await get(`${sandbox.url}/campaign/other.js`)).status).toBe(404);
    expect(
      (await get(`${sandbox.url}/campaign/${credentials.leadidCampaign}.js?lead=1`)).status,
    ).toBe(400);
    expect((await get(`${sandbox.url}/ringba/other`)).status).toBe(404);
    expect((await get(`${sandbox.url}/pixels/other.js`)).status).toBe(404);
    expect((await get(`${sandbox.url}/pixels/injury.js?injury=Yes`)).status).toBe(400);
    expect((await get(`${sandbox.url}/pixels/injury.svg?injury=Yes`)).status).toBe(400);
    expect(problems()).toEqual([
      'campaign: not known',
      'query: expected snippet_version=2',
      'pool: not known',
      'pixel: not known',
      'query: expected none',
      'query: expected none',
    ]);
  });

  it('shows the partner its query, and records forbidden parameters', async () => {
    const good = await get(`${sandbox.url}/partner?ef_transaction_id=abc&affid=1&sub_id=%3Cb%3E`);
    expect(good.body).toContain('&lt;b&gt;');
    expect(problems()).toEqual([]);
    const leaking = await get(`${sandbox.url}/partner?affid=1&email=maria%40example.com`);
    expect(leaking.status).toBe(200);
    expect(problems()).toEqual(['email: unknown field']);
  });
});
