import { expect, test, vi } from 'vitest';
import { createCheckPhone, INVALID_NUMBER_MESSAGE } from '../leads/check-contact.ts';
import { emailCheckBy, phoneCheckBy } from '../leads/checks.ts';
import { createEmailService, createPhoneService } from './ipqs.ts';
import { createService } from './service.ts';

const lead = { leadId: '01939999-1111-7111-8111-111111111111', secretSha256: null };
const phoneReport = {
  ...{ success: true, message: 'Phone is valid.', valid: true, active: true },
  ...{ fraud_score: 12, line_type: 'Wireless' },
};
const emailReport = { success: true, valid: true, disposable: false, fraud_score: 80 };

function serviceThatSays(body: unknown) {
  const text = JSON.stringify(body);
  const answer = { status: 200, text, headers: {}, truncated: false, durationMs: 1 };
  const http = { request: async () => answer };
  return createService({ name: 'ipqs', http, baseUrl: 'https://ipqs.example', timeoutMs: 1_000 });
}

const shared = () => ({
  answers: {
    recall: async () => undefined,
    recallAll: async () => new Map(),
    keep: vi.fn(),
  },
  record: vi.fn(),
  now: () => new Date(),
});

test('an invalid number comes in the form of a failure, which is looked for first', async () => {
  const service = serviceThatSays({ success: false, message: INVALID_NUMBER_MESSAGE });
  const ask = createPhoneService(service, 'secret');
  expect(await ask('2125550123')).toMatchObject({ outcome: 'answered' });
  expect(await createCheckPhone(phoneCheckBy(ask, shared()))('2125550123', '')).toEqual({
    valid: false,
    active: false,
  });
});

test('the phone service may not know whether a number is in use', async () => {
  const service = serviceThatSays({ ...phoneReport, active: null });
  const { said } = await createPhoneService(service, 'secret')('2125550123');
  expect(said).toMatchObject({ active: null, line_type: 'Wireless' });
});

test('an address whose mail server did not answer is not blocked, nor remembered', async () => {
  const service = serviceThatSays({ ...emailReport, valid: false, timed_out: true });
  const parts = shared();
  const check = emailCheckBy(createEmailService(service, 'secret'), parts);
  expect(await check('ana@mail.example')).toMatchObject({ valid: true });
  expect(parts.answers.keep).not.toHaveBeenCalled();
});

test('whether the domain of an address takes mail is recorded with the lead', async () => {
  const parts = shared();
  const service = serviceThatSays({ ...emailReport, dns_valid: true });
  await emailCheckBy(createEmailService(service, 'secret'), parts)('ana@mail.example', lead);
  expect(parts.record.mock.calls[0]?.[0]).toMatchObject({
    service: 'email',
    said: { dns_valid: true },
  });
});
