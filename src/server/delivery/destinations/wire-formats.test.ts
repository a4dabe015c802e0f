/** Tests the exact bytes of payloads, and which leads each destination accepts. */
import { expect, it } from 'vitest';
import { prepared } from '../../../../tests/support/send-request.ts';
import type { OutgoingRequest } from '../../platform/outgoing-http.ts';
import { automation } from './automation.ts';
import { exchange } from './exchange.ts';
import { trustedform } from './trustedform.ts';

const calls: OutgoingRequest[] = [];
const http = {
  async request(call: OutgoingRequest) {
    calls.push(call);
    const text = 'no /hooks/catch/1/the-secret?token=another';
    return { status: 410, headers: {}, text, truncated: false, durationMs: 3 };
  },
  close: async () => undefined,
};
const automationValues = {
  AUTOMATION_WEBHOOK_URL: 'https://hooks.example.com/hooks/catch/1/the-secret?token=another',
  AUTOMATION_TIMEOUT_MS: 5_000,
  BAD_WORDS_STATES: ['NY', 'TX'],
};
const hook = automation.connect(automationValues, http);
const exchanging = exchange.connect(
  { EXCHANGE_URL: 'https://exchange.example/leads?key=k', EXCHANGE_TIMEOUT_MS: 5_000 },
  http,
);
const lead = { first_name: 'José', lp_subid1: 'abc', lp_s2: '', bad_words: 'yes', email: '' };
const visit = {
  first_name: 'Ana',
  zip_code: '78620',
  ip_address: '203.0.113.77',
  user_agent: 'Browser "1"',
  trusted_form_cert_id: 'c1',
  leadid_token: '0A1B2C3D-0000-4000-8000-000000000001',
};
const aboutVisit =
  '{"project":"MVA","zipCode":"78620","ipAddress":"203.0.113.77","userAgent":"Browser \\"1\\"",' +
  '"tf":"c1","leadId":';

it.each([
  [
    hook,
    lead,
    'lead_id=01939999-1111-7111-8111-111111111111&first_name=Jos%C3%A9&lp_subid1=abc&lp_s2=' +
      '&bad_words=yes&email=',
  ],
  [exchanging, visit, `${aboutVisit}"${visit.leadid_token}"}`],
  [exchanging, { ...visit, leadid_token: '' }, `${aboutVisit}""}`],
])(
  'the payload of the webhook or the exchange has exactly the expected bytes',
  (destination, fields, body) => {
    expect(prepared(destination, { fields }).body).toBe(body);
  },
);

it('a delivery to the automation webhook posts a form-encoded body', async () => {
  const toSend = prepared(hook, { fields: lead });
  const result = await toSend.send();
  expect(result).toMatchObject({ outcome: 'failed', response: 'no [secret][secret]' });
  expect(calls).toEqual([
    {
      method: 'POST',
      url: automationValues.AUTOMATION_WEBHOOK_URL,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: toSend.body,
      timeoutMs: 5_000,
    },
  ]);
});

const badWords = { bad_words: 'yes', is_gibberish: 'no', state: 'NY' };
const certified = { email: 'a@b.c', phone: '5125550123', trustedform_cert_url: 'https://x' };
it.each([
  [automation, { fields: badWords }, true],
  [automation, { fields: { bad_words: 'yes', state: 'TX' } }, true],
  [automation, { fields: { ...badWords, bad_words: 'no' } }, false],
  [automation, { fields: { ...badWords, is_gibberish: 'yes' } }, false],
  [automation, { fields: { ...badWords, state: 'CA' } }, false],
  [exchange, { fields: visit, qualified: false }, true],
  [exchange, { fields: visit, isTest: true }, false],
  [exchange, { fields: visit, flow: 'ticket' }, false],
  [exchange, { fields: {} }, false],
  [exchange, { fields: { zip_code: '7862' } }, false],
  [trustedform, { fields: { ...certified, phone: '' } }, true],
  [trustedform, { fields: { ...certified, phone: '', email: '' } }, false],
  [trustedform, { fields: { ...certified, trustedform_cert_url: '' } }, false],
])(
  'the destination $name accepts only leads of the expected kind with the expected fields',
  ({ appliesTo }, changes, expected) => {
    const given = {
      survey: '/survey/v4nv',
      flow: 'v4',
      qualified: true,
      isTest: false,
      ...changes,
    };
    expect(appliesTo({ ...given, fields: { ...changes.fields } }, automationValues as never)).toBe(
      expected,
    );
  },
);
