/**
 * Tests every adapter of a service that answers while somebody waits: what it sends, what it understands, and
 * all that can go wrong. In every failure the default must be used in time (docs/specification.md#errors).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { personKey } from '../../../tests/support/person-keys.ts';
import { compensationMultipliers } from '../../domain/compensation-estimate.ts';
import { createTextChecks } from '../../intake/check-texts.ts';
import { createVerifyLead } from '../accept/verify-lead.ts';
import type { Asked } from '../lookups/ask.ts';
import { askAndRecord } from '../lookups/ask-once.ts';
import { createCheckEmail, createCheckPhone } from '../lookups/check-contact.ts';
import { createEstimate } from '../lookups/estimate.ts';
import {
  createCheckText,
  createLookUpZip,
  emailCheckBy,
  phoneCheckBy,
} from '../lookups/service-checks.ts';
import { createGibberishService } from './gibberish-service.ts';
import { createEmailService, createPhoneService } from './ipqs.ts';
import { createBuyersLookup, createEstimateLookup, createMappingLookup } from './lookups.ts';
import { createOutgoingHttp, USER_AGENT } from './outgoing-http.ts';
import { createPrefillCheck } from './prefill.ts';
import { createProgressMirror } from './progress-mirror.ts';
import { createService, type Service } from './service.ts';
import { checkGibberish } from './texts.ts';
import { createVerificationService } from './verification.ts';
import { loadZipLookup } from './zip.ts';
import { createZipService } from './zip-service.ts';

const TIMEOUT_MS = 300;

type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
type Answering = (response: ServerResponse) => void;

const received: Received[] = [];
let answer: Answering;
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body });
    answer(response);
  });
});
const http = createOutgoingHttp({ allowPrivateNetworks: true });
const careful = createOutgoingHttp({ allowPrivateNetworks: false });
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received.length = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await Promise.all([http.close(), careful.close()]);
});

const says =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answering =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const ownZip = await loadZipLookup();
const nobody = { leadId: '01939999-1111-7111-8111-111111111111', secretSha256: null };
const shared = {
  personKey,
  answers: {
    recall: async () => undefined,
    recallAll: async () => new Map(),
    keep: () => undefined,
  },
  record: () => undefined,
  now: () => new Date(),
};
const checks = createTextChecks({
  gibberish: checkGibberish,
  blockedTerms: () => [],
  name: () => ({ bad: false }),
  descriptionLimit: 1000,
});
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
const phoneReport = {
  success: true,
  message: 'Phone is valid.',
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

type Adapter = {
  name: string;
  /** A successful answer, and what the adapter returns for it. */
  success: { body: unknown; said: unknown };
  /** The request that the adapter must send. */
  request: { method: string; url: string; headers?: Record<string, string>; body?: unknown };
  /** Documented errors and malformed answers. */
  errors: readonly (readonly [name: string, body: unknown, status?: number])[];
  ask(service: Service): Promise<unknown>;
  /** The result of the use case if the service fails. */
  byDefault: unknown;
  useCase(service: Service): Promise<unknown>;
};

const said = async (asked: Promise<Asked<unknown>>) => (await asked).said;
const noCredits = { success: false, message: 'You have insufficient credits to make this query.' };

const adapters: readonly Adapter[] = [
  {
    name: 'phone',
    success: { body: phoneReport, said: phoneReport },
    request: {
      method: 'POST',
      url: '/api/json/phone',
      headers: { 'ipqs-key': 'secret', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'phone=2125550123&country%5B%5D=US',
    },
    errors: [
      ['no credits left', noCredits],
      ['a wrong key', { success: false, message: 'Invalid or unauthorized key.' }],
      ['too many requests', noCredits, 429],
      ['a report without its verdict', { success: true, fraud_score: 1 }],
      ['an invalid score', { ...phoneReport, fraud_score: 'high' }],
    ],
    ask: (service) => said(createPhoneService(service, 'secret')('2125550123')),
    byDefault: { valid: true, active: true },
    useCase: (service) =>
      createCheckPhone(phoneCheckBy(createPhoneService(service, 'secret'), shared))(
        '2125550123',
        '',
      ),
  },
  {
    name: 'email',
    success: {
      body: emailReport,
      said: { valid: true, disposable: true, fraud_score: 80, dns_valid: true, timed_out: false },
    },
    request: {
      method: 'POST',
      url: '/api/json/email',
      headers: { 'ipqs-key': 'secret', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=ana%2Bx%40mail.example&timeout=1',
    },
    errors: [
      ['no credits left', noCredits],
      ['too many requests', noCredits, 429],
      ['a report without its verdict', { success: true, valid: false }],
    ],
    ask: (service) => said(createEmailService(service, 'secret')('ana+x@mail.example')),
    byDefault: { blocked: false },
    useCase: (service) =>
      createCheckEmail(emailCheckBy(createEmailService(service, 'secret'), shared), vi.fn())(
        'ana@mail.example',
        nobody.leadId,
        { addressKey: '', networkKey: '', secretSha256: null },
      ),
  },
  {
    name: 'gibberish',
    success: { body: { is_gibberish: 'Yes' }, said: 'yes' },
    request: {
      method: 'POST',
      url: '/whole/address',
      headers: { 'content-type': expect.stringMatching(/^multipart\/form-data; ?boundary=/) },
      body: expect.stringMatching(/name="text"\r\n\r\nA truck hit my car/),
    },
    errors: [
      ['an unknown word', { is_gibberish: 'perhaps' }],
      ['a refusal', { errors: ['text'] }, 400],
    ],
    ask: (service) => said(createGibberishService(service)(text)),
    byDefault: { is_gibberish: 'no', bad_words: 'no' },
    useCase: (service) =>
      createCheckText({
        ...shared,
        ask: createGibberishService(service),
        checks,
        descriptionLimit: 1000,
      })(text),
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
    request: { method: 'GET', url: '/us/10001' },
    errors: [
      ['no place', { places: [] }],
      ['an invalid state', { places: [{ ...place, 'state abbreviation': 'New York' }] }],
      ['a failure', {}, 503],
    ],
    ask: (service) => said(createZipService(service, ownZip)('10001')),
    byDefault: ownZip('10001'),
    useCase: (service) =>
      createLookUpZip({ ...shared, own: ownZip, ask: createZipService(service, ownZip) })('10001'),
  },
  {
    name: 'mapping',
    success: { body: account, said: { campaignId: '7', supplierId: '8', key: 'key' } },
    request: { method: 'POST', url: '/inbound/get-mappings', body: '{"affid":1,"oid":160}' },
    errors: [
      ['an account without a key', { ...account, lp_key: '' }],
      ['a refusal', { errors: ['affid'] }, 400],
    ],
    ask: (service) => said(createMappingLookup(service)({ affid: 1, oid: 160 })),
    byDefault: undefined,
    useCase: (service) =>
      askAndRecord(
        () => createMappingLookup(service)({ affid: 1, oid: 160 }),
        { lead: nobody, service: 'mapping', value: '', summary: () => ({}) },
        shared,
      ),
  },
  {
    name: 'buyers',
    success: {
      body: { selectedBuyers: [buyer], allPossibleBuyers: [] },
      said: { selectedBuyers: [{ name: 'Firm', ids: ['1'] }], allPossibleBuyers: [] },
    },
    request: { method: 'POST', url: '/buyers/get-available', body: '{"zip_code":"10001"}' },
    errors: [
      [
        'a buyer without a name',
        { selectedBuyers: [{ name: ' ', ids: [1] }], allPossibleBuyers: [] },
      ],
      ['a missing list', { selectedBuyers: [] }],
    ],
    ask: (service) => said(createBuyersLookup(service)({ zip_code: '10001' })),
    byDefault: undefined,
    useCase: (service) => said(createBuyersLookup(service)({ zip_code: '10001' })),
  },
  {
    name: 'estimate',
    success: { body: { compLevel: '6' }, said: 6 },
    request: { method: 'POST', url: '/estimated-settlement-value', body: '{"at_Fault":"no"}' },
    errors: [['an unknown level', { compLevel: 8 }]],
    ask: (service) => createEstimateLookup(service)({ at_Fault: 'no' }),
    byDefault: { compLevel: 1 },
    useCase: (service) =>
      createEstimate({
        multipliers: { ...compensationMultipliers },
        lookUp: createEstimateLookup(service),
      })({}),
  },
  {
    name: 'prefill',
    success: { body: { result: 'yes' }, said: true },
    request: { method: 'GET', url: '/check-affid-pre/252/40' },
    errors: [['an unknown word', { result: 'maybe' }]],
    ask: async (service) => (await createPrefillCheck(service, 40)('252')) || undefined,
    byDefault: false,
    useCase: (service) => createPrefillCheck(service, 40)('252'),
  },
  {
    name: 'verification',
    success: { body: { status: 'ok', score: 3 }, said: { status: 'ok', score: 3 } },
    request: { method: 'POST', url: '/whole/address', body: JSON.stringify(fields) },
    errors: [
      ['a list', [1]],
      ['a refusal', { errors: ['zip_code'] }, 400],
      ['an answer of more than 4,000 characters', { long: 'x'.repeat(4_000) }],
    ],
    ask: (service) => said(createVerificationService(service)(fields)),
    byDefault: [undefined],
    async useCase(service) {
      const saved: unknown[] = [];
      const verify = createVerifyLead({
        ask: createVerificationService(service),
        store: {
          mayBeTold: async () => true,
          save: async (check) => void saved.push(check.said),
          findUnverified: async () => [],
        },
        now: () => new Date(),
        timeoutMs: TIMEOUT_MS,
        mayBeAsked: () => true,
        onError: (error) => saved.push(error),
      });
      verify.prepare({ id: nobody.leadId, revision: 1, fields })?.();
      await verify.drain();
      return saved;
    },
  },
];

const serviceOf = (name: string, baseUrl: string, client = http, timeoutMs = TIMEOUT_MS) => {
  const isWhole = name === 'gibberish' || name === 'verification';
  return createService({
    name,
    http: client,
    baseUrl: isWhole ? `${baseUrl}/whole/address` : `${baseUrl}/`,
    timeoutMs,
  });
};

describe.each(adapters)('$name', (adapter) => {
  const { name, success, request, ask, useCase, byDefault } = adapter;

  it('sends a correct request and reads the answer', async () => {
    answer = says(success.body);
    expect(await ask(serviceOf(name, url, http, 2_000))).toEqual(success.said);
    const { headers = {}, ...rest } = request;
    expect(received).toEqual([
      expect.objectContaining({
        ...rest,
        headers: expect.objectContaining({
          accept: 'application/json',
          'user-agent': USER_AGENT,
          ...headers,
        }),
      }),
    ]);
  });

  const tooLarge = `${' '.repeat(70_000)}${JSON.stringify(success.body)}`;
  const faults: readonly (readonly [string, Answering])[] = [
    ...adapter.errors.map(([what, body, status]) => [what, says(body, status)] as const),
    ['no JSON', says('<html>Bad gateway</html>')],
    ['JSON that is cut off', says(JSON.stringify(success.body).slice(0, -1))],
    ['null', says('null')],
    ['nothing', says('')],
    ['an answer that is too large', says(tooLarge)],
    ['500 with a correct body', says(success.body, 500)],
    ['a redirect to a private address', says('', 302, { location: 'http://169.254.169.254/' })],
    ['a redirect to itself', says('', 307, { location: '/' })],
    ['a dropped connection', (response) => response.destroy()],
    ['an incomplete answer', (response) => void response.write('{"su')],
    ['no answer at all', () => undefined],
  ];

  it.each(faults)('%s: uses the default, in time, after one call', async (_, fault) => {
    answer = fault;
    expect(await useCase(serviceOf(name, url))).toEqual(byDefault);
    expect(received).toHaveLength(1);
  });

  it('uses the default for a refused connection and a private address', async () => {
    answer = says(success.body);
    expect(await useCase(serviceOf(name, 'http://127.0.0.1:9'))).toEqual(byDefault);
    expect(await useCase(serviceOf(name, url, careful))).toEqual(byDefault);
    expect(received).toEqual([]);
  });
});

it('looks up a zip code in our own table if the service does not know it', async () => {
  answer = says('{}', 404);
  const ask = createZipService(serviceOf('zip', url), ownZip);
  expect((await ask('10001')).said).toEqual(ownZip('10001'));
  expect((await ask('00000')).said).toEqual(ownZip('00000'));
});

describe('copies of saved progress', () => {
  const saved = { session: { lead_id: nobody.leadId }, data: [{ seq: 1 }] };

  it('are sent once, unchanged', async () => {
    answer = says({ userBackupStatus: true, userProgressionStatus: true });
    const mirror = createProgressMirror(serviceOf('save_data', url), vi.fn());
    mirror.copy(saved);
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]).toMatchObject({ method: 'POST', url: '/api/save-data' });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(saved);
  });

  it('are sent four at a time, and dropped beyond a thousand waiting', async () => {
    answer = () => undefined;
    const onLeftOut = vi.fn();
    const mirror = createProgressMirror(serviceOf('save_data', url), onLeftOut);
    for (let i = 0; i < 1_010; i += 1) mirror.copy(saved);
    expect(mirror.leftOut).toBe(6);
    expect(onLeftOut).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(received.length).toBeGreaterThan(0));
    expect(received.length).toBeLessThanOrEqual(4);
  });
});
