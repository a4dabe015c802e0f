import { expect, test, vi } from 'vitest';
import { personKey } from '../../../tests/support/person-keys.ts';
import { createCheckPhone, INVALID_NUMBER_MESSAGE } from '../lookups/check-contact.ts';
import { emailCheckBy, phoneCheckBy } from '../lookups/service-checks.ts';
import { createEmailService, createPhoneService } from './ipqs.ts';
import { createService, createServiceCircuit } from './service.ts';

const lead = { leadId: '01939999-1111-7111-8111-111111111111', secretSha256: null };
const phoneReport = {
  ...{ success: true, message: 'Phone is valid.', valid: true, active: true },
  ...{ fraud_score: 12, line_type: 'Wireless' },
};
const emailReport = { success: true, valid: true, disposable: false, fraud_score: 80 };

function serviceThatSays(body: unknown, alert = vi.fn()) {
  const circuit = createServiceCircuit('ipqs', { failures: 5, pauseMs: 1_000 }, { alert });
  const text = JSON.stringify(body);
  const answer = { status: 200, text, headers: {}, truncated: false, durationMs: 1 };
  const http = { request: async () => answer };
  return createService({
    name: 'ipqs',
    http,
    baseUrl: 'https://ipqs.example',
    timeoutMs: 1_000,
    circuit,
  });
}

const shared = () => ({
  personKey,
  answers: {
    recall: async () => undefined,
    recallAll: async () => new Map(),
    keep: vi.fn(),
  },
  record: vi.fn(),
  now: () => new Date(),
});

test('answers are stored under the person key, not the number or address itself', async () => {
  const parts = shared();
  const phone = phoneCheckBy(createPhoneService(serviceThatSays(phoneReport), 'secret'), parts);
  const email = emailCheckBy(createEmailService(serviceThatSays(emailReport), 'secret'), parts);
  await phone('2125550123', lead);
  await email('ana@mail.example', lead);
  const keys = [personKey('phone', '2125550123'), personKey('email', 'ana@mail.example')];
  expect(parts.answers.keep.mock.calls.map(([, key]) => key)).toEqual(keys);
  expect(parts.record.mock.calls.map(([{ asked }]) => asked)).toEqual(keys);
});

test('an invalid number is recognised although it comes as a failure', async () => {
  const service = serviceThatSays({ success: false, message: INVALID_NUMBER_MESSAGE });
  const ask = createPhoneService(service, 'secret');
  expect(await ask('2125550123')).toMatchObject({ outcome: 'answered' });
  expect(await createCheckPhone(phoneCheckBy(ask, shared()))('2125550123', '')).toEqual({
    valid: false,
    active: false,
  });
});

test('an address whose mail server timed out is valid and not cached', async () => {
  const service = serviceThatSays({ ...emailReport, valid: false, timed_out: true });
  const parts = shared();
  const check = emailCheckBy(createEmailService(service, 'secret'), parts);
  expect(await check('ana@mail.example')).toMatchObject({ valid: true });
  expect(parts.answers.keep).not.toHaveBeenCalled();
});

test.each([
  'Invalid or unauthorized key. Please check the API key and try again.',
  'You have insufficient credits to make this query.',
  'You have exceeded your request quota.',
])('%j refuses our account and alerts at the first call', async (message) => {
  for (const make of [createPhoneService, createEmailService]) {
    const alert = vi.fn();
    const ask = make(serviceThatSays({ success: false, message }, alert), 'secret');
    expect(await ask('2125550123')).toMatchObject({
      outcome: 'failed',
      reason: `HTTP 200: ${message}`,
    });
    expect(alert).toHaveBeenCalledWith(expect.stringContaining(message), expect.anything());
  }
});
