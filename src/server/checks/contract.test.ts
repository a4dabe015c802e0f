/** Tests the requests of every adapter, the answers that it reads, and its failures. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgressMirror } from '../leads/progress-mirror.ts';
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingRequest,
} from '../platform/outgoing-http.ts';
import { askService, type Check } from './check.ts';
import { emailCheck, phoneCheck } from './ipqs.ts';
import { createService, type Service } from './service.ts';
import * as services from './services.ts';
import { loadZipTable } from './zip-and-text.ts';

const TIMEOUT_MS = 2_000;

const received: OutgoingRequest[] = [];
beforeEach(() => {
  received.length = 0;
});

type Answering = () => Promise<OutgoingAnswer>;

const says =
  (body: unknown, status = 200, truncated = false): Answering =>
  async () => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { status, headers: {}, text, truncated, durationMs: 1 };
  };

const { checkZip: ownZip } = await loadZipTable();
const text = 'A truck hit my car from behind at a red light.';
const fields = {
  zip_code: '10001',
  ip_address: '203.0.113.7',
  user_agent: 'Browser',
  trusted_form_cert_id: '',
  leadid_token: '',
};
const account = { lp_campaign_id: 7, lp_supplier_id: '8', lp_key: 'key' };
const buyer = { name: 'Firm', ids: [1] };
const place = { 'place name': 'New York City', state: 'New York', 'state abbreviation': 'NY' };
const transactionId = '0123456789abcdef0123456789abcdef';
const click = {
  offer_id: '81',
  affiliate_id: '1',
  sub1: 'a b',
  uid: 'u',
  transaction_id: transactionId,
};
const phoneReport = {
  valid: true,
  active: true,
  fraud_score: 12,
  line_type: 'Wireless',
};
const emailReport = {
  success: true,
  valid: true,
  disposable: true,
  fraud_score: 80,
  dns_valid: true,
  timed_out: false,
};

const get = (path: string) => ({ method: 'GET', path }) as const;
const post = (path: string, body: string) =>
  ({ method: 'POST', path, body, headers: { 'content-type': 'application/json' } }) as const;
const ipqs = (path: string, body: string) =>
  ({
    ...post(path, body),
    headers: { 'ipqs-key': 'secret', 'content-type': 'application/x-www-form-urlencoded' },
  }) as const;

type Adapter = {
  name: string;
  /** The body of a successful answer, and the value that the adapter returns for it. */
  success: { body: unknown; said: unknown };
  /** The request that the adapter must send. */
  request: Pick<OutgoingRequest, 'method' | 'headers' | 'body'> & { path: string };
  /** Answers for which the adapter must return undefined. */
  errors: readonly (readonly [name: string, body: unknown, status?: number])[];
  ask(service: Service): Promise<unknown>;
};

const asking =
  <Value>(check: Check<Value, unknown>, value: Value) =>
  async (service: Service) =>
    (await askService(service, check, value)).said;
const noCredits = { success: false, message: 'You have insufficient credits to make this query.' };

const adapters: readonly Adapter[] = [
  {
    name: 'phone',
    success: {
      body: { success: true, message: 'Phone is valid.', ...phoneReport },
      said: phoneReport,
    },
    request: ipqs('api/json/phone', 'phone=2125550123&country%5B%5D=US'),
    errors: [
      ['no credits left', noCredits],
      ['a report without its verdict', { success: true, fraud_score: 1 }],
      ['an invalid score', { success: true, ...phoneReport, fraud_score: 'high' }],
    ],
    ask: asking(phoneCheck('secret'), '2125550123'),
  },
  {
    name: 'email',
    success: {
      body: emailReport,
      said: { valid: true, disposable: true, fraud_score: 80, dns_valid: true, timed_out: false },
    },
    request: ipqs('api/json/email', 'email=ana%2Bx%40mail.example&timeout=1'),
    errors: [['no credits left', noCredits]],
    ask: asking(emailCheck('secret', TIMEOUT_MS), 'ana+x@mail.example'),
  },
  {
    name: 'gibberish',
    success: { body: { is_gibberish: 'Yes' }, said: 'yes' },
    request: {
      method: 'POST',
      path: '',
      headers: { 'content-type': expect.stringMatching(/^multipart\/form-data; ?boundary=/) },
      body: expect.stringMatching(/name="text"\r\n\r\nA truck hit my car/),
    },
    errors: [['an unknown word', { is_gibberish: 'perhaps' }]],
    ask: asking(services.gibberish, text),
  },
  {
    name: 'zip',
    success: {
      body: { 'post code': '10001', places: [place] },
      said: {
        zip: '10001',
        city: 'New York City',
        state: 'NY',
        state_long: 'New York',
        county: 'New York',
      },
    },
    request: get('us/10001'),
    errors: [
      ['no place', { places: [] }],
      ['an invalid state', { places: [{ ...place, 'state abbreviation': 'New York' }] }],
    ],
    ask: asking(services.zipPlace(ownZip), '10001'),
  },
  {
    name: 'mapping',
    success: { body: account, said: { campaignId: '7', supplierId: '8', key: 'key' } },
    request: post('inbound/get-mappings', '{"affid":1,"oid":160}'),
    errors: [['an account without a key', { ...account, lp_key: '' }]],
    ask: asking(services.mapping, { affid: 1, oid: 160 }),
  },
  {
    name: 'buyers',
    success: {
      body: { selectedBuyers: [buyer], allPossibleBuyers: [] },
      said: { selectedBuyers: [{ name: 'Firm', ids: ['1'] }], allPossibleBuyers: [] },
    },
    request: post('buyers/get-available', '{"zip_code":"10001"}'),
    errors: [
      [
        'a buyer without a name',
        { selectedBuyers: [{ name: ' ', ids: [1] }], allPossibleBuyers: [] },
      ],
    ],
    ask: asking(services.buyersAvailable, { zip_code: '10001' }),
  },
  {
    name: 'estimate',
    success: { body: { compLevel: '6' }, said: 6 },
    request: post('estimated-settlement-value', '{"at_Fault":"no"}'),
    errors: [['an unknown level', { compLevel: 8 }]],
    ask: asking(services.estimate, { at_Fault: 'no' }),
  },
  {
    name: 'prefill',
    success: { body: { result: 'yes' }, said: true },
    request: get('check-affid-pre/252/40'),
    errors: [['another type', { result: true }]],
    ask: asking(services.prefill(40), '252'),
  },
  {
    name: 'click',
    success: { body: { transaction_id: transactionId }, said: transactionId },
    request: get(
      `clk?async=json&oid=81&affid=1&sub1=a+b&uid=u&_ef_transaction_id=${transactionId}`,
    ),
    errors: [
      ['a refusal', { Error: 'oid: missing' }, 400],
      ['an invalid id', { transaction_id: '<script>' }],
    ],
    ask: asking(services.clickId, click),
  },
  {
    name: 'verification',
    success: { body: { status: 'ok', score: 3 }, said: { status: 'ok', score: 3 } },
    request: post('', JSON.stringify(fields)),
    errors: [
      ['a list', [1]],
      ['an answer of more than 4,000 characters', { long: 'x'.repeat(4_000) }],
    ],
    ask: asking(services.verification, fields),
  },
];

/** Returns a service that gives this answer. */
function serviceThat(answering: Answering, baseUrl = 'https://service.example/v1/'): Service {
  const request = (sent: OutgoingRequest) => {
    received.push(sent);
    return answering();
  };
  return createService({ name: 'tested', http: { request }, baseUrl, timeoutMs: TIMEOUT_MS });
}

const lost: Answering = async () => {
  throw new OutgoingError('late', { failure: 'timeout', mayHaveArrived: true, durationMs: 1 });
};

describe.each(adapters)('the $name adapter', (adapter) => {
  const { success, request, ask } = adapter;

  it('sends the documented request', async () => {
    expect(await ask(serviceThat(says(success.body)))).toEqual(success.said);
    const { path, headers = {}, ...rest } = request;
    expect(received).toEqual([
      {
        ...rest,
        url: `https://service.example/v1/${path}`,
        headers: { accept: 'application/json', ...headers },
        timeoutMs: TIMEOUT_MS,
      },
    ]);
  });

  const faults: readonly (readonly [string, Answering])[] = [
    ...adapter.errors.map(([what, body, status]) => [what, says(body, status)] as const),
    ['not JSON', says('<html>Bad gateway</html>')],
    ['JSON that is cut off', says(JSON.stringify(success.body).slice(0, -1))],
    ['null', says('null')],
    ['an answer that is too large', says(success.body, 200, true)],
    ['500 with a correct body', says(success.body, 500)],
    ['a redirect with a correct body', says(success.body, 302)],
    ['missing', lost],
  ];

  it.each(faults)('returns undefined without a retry after an invalid answer', async (_, fault) => {
    expect(await ask(serviceThat(fault))).toBeUndefined();
    expect(received).toHaveLength(1);
  });
});

it('the zip check uses our own table if the service answers 404', async () => {
  const unknown = serviceThat(says('{}', 404));
  for (const zip of ['10001', '00000']) {
    expect(await asking(services.zipPlace(ownZip), zip)(unknown)).toEqual(ownZip(zip));
  }
});

it('the prefill check returns false if the service answers neither `yes` nor `no`', async () => {
  const service = serviceThat(says({ result: 'maybe' }));
  expect(await asking(services.prefill(40), '252')(service)).toBe(false);
});

it('the progress mirror sends at most four requests at the same time', async () => {
  const saved = { session: { lead_id: 'a' }, data: [{ seq: 1 }] };
  const onLeftOut = vi.fn();
  const mirror = createProgressMirror(
    serviceThat(() => new Promise(() => undefined)),
    onLeftOut,
  );
  for (let i = 0; i < 1_010; i += 1) mirror(saved);
  expect(onLeftOut).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(received).toHaveLength(4));
  expect(received[0]).toMatchObject({ method: 'POST', body: JSON.stringify(saved) });
  expect(received[0]?.url).toBe('https://service.example/v1/api/save-data');
});
