import { expect, it } from 'vitest';
import { prepared } from '../../../tests/support/send-request.ts';
import { exchange } from './exchange.ts';

const connected = exchange.connect(
  { EXCHANGE_URL: 'https://exchange.example/leads?key=k', EXCHANGE_TIMEOUT_MS: 5_000 },
  { request: () => Promise.reject(new Error('not called')), close: async () => undefined },
);

const fields = {
  first_name: 'Ana',
  zip_code: '78620',
  ip_address: '203.0.113.77',
  user_agent: 'Browser "1"',
  trusted_form_cert_id: 'c1',
  leadid_token: '0A1B2C3D-0000-4000-8000-000000000001',
};

it('version 1 is exactly these bytes and does not identify the person', () => {
  const { body } = prepared(connected, { fields, payloadVersion: 1 });
  expect(body).toBe(
    '{"project":"MVA","zipCode":"78620","ipAddress":"203.0.113.77","userAgent":"Browser \\"1\\"",' +
      '"tf":"c1","leadId":"01939999-1111-7111-8111-111111111111"}',
  );
});

it('version 2 sends the LeadiD token as the lead id, or an empty one', () => {
  expect(connected.payloadVersion).toBe(2);
  const leadIdOf = (sent: Record<string, string>) =>
    JSON.parse(prepared(connected, { fields: sent, payloadVersion: 2 }).body).leadId;
  expect(leadIdOf(fields)).toBe(fields.leadid_token);
  expect(leadIdOf({ zip_code: '78620' })).toBe('');
});

it.each([
  [{}, true],
  [{ isTest: true }, false],
  [{ flow: 'ticket' }, false],
  [{ fields: {} }, false],
  [{ fields: { zip_code: '7862' } }, false],
  [{ qualified: false }, true],
])('a lead with %o applies: %s', (changes, expected) => {
  const lead = { survey: '/survey/v4nv', flow: 'v4', qualified: true, isTest: false, fields };
  expect(exchange.appliesTo({ ...lead, ...changes }, undefined)).toBe(expected);
});
