import { beforeEach, expect, test, vi } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import { loadSurveyTable } from '../../model/flows/survey-table.ts';
import { surveys as rows } from '../../model/flows/surveys.ts';
import { StoreUnavailableError } from '../platform/errors.ts';
import type { PhoneCodePermit, PhoneCodeStore } from './phone-code-permits.ts';
import { createVerifyPhone, type PhoneVerifier } from './verify-phone.ts';

const surveys = await loadSurveyTable(
  rows.map((row) => ({ ...row, verifiesPhone: row.path === '/survey/v4nv' })),
);
const permit = vi.fn(async (): Promise<PhoneCodePermit> => ({ id: '1' }));
const store = { permitSend: permit, permitCheck: permit, end: vi.fn(async () => undefined) };
const verifier = {
  send: vi.fn<PhoneVerifier['send']>(async () => 'sent'),
  check: vi.fn<PhoneVerifier['check']>(async () => 'approved'),
};
const line = { valid: true, active: true, fraud_score: 0 };
const given = {
  leadId: '01939999-1111-7111-8111-AAAAAAAAAAAA',
  survey: '/survey/v4nv',
  phone: '+12125550123',
  code: '',
};
const ask = (more: Partial<typeof given> = {}, line_type = 'Wireless', service?: 'none') =>
  createVerifyPhone({
    verifier: service === 'none' ? undefined : verifier,
    store: store as unknown as PhoneCodeStore,
    surveys,
    checkLine: async () => ({ ...line, line_type }),
    limits: {} as Parameters<typeof createVerifyPhone>[0]['limits'],
  })({ ...given, ...more }, testVisitor);

beforeEach(() => {
  vi.clearAllMocks();
});

test.each([
  ['sent', 'pending'],
  ['failed', 'unavailable'],
] as const)('the visitor learns whether the code was sent', async (outcome, status) => {
  verifier.send.mockResolvedValueOnce(outcome);
  expect(await ask()).toEqual({ status, sent: status === 'pending' });
  expect(verifier.send).toHaveBeenCalledExactlyOnceWith('2125550123', 'en');
  expect(store.end).toHaveBeenCalledExactlyOnceWith('1', outcome);
});

test.each([
  ['approved', 'approved'],
  ['wrong', 'pending'],
  ['failed', 'unavailable'],
] as const)('the visitor learns whether the typed code is right', async (outcome, status) => {
  verifier.check.mockResolvedValueOnce(outcome);
  expect(await ask({ code: '123456' })).toEqual({ status, sent: status === 'pending' });
  expect(verifier.check).toHaveBeenCalledExactlyOnceWith('2125550123', '123456');
  expect(store.end).toHaveBeenCalledExactlyOnceWith('1', outcome);
});

test.each([
  ['approved', 'approved'],
  ['recent', 'pending'],
  ['over', 'too_many'],
  ['not_yours', 'unavailable'],
] as const)('no code is sent or checked without a permit', async (refusal, status) => {
  permit.mockResolvedValue(refusal);
  for (const code of ['', '123456']) expect(await ask({ code })).toMatchObject({ status });
  permit.mockResolvedValue({ id: '1' });
  expect([verifier.send.mock.calls, verifier.check.mock.calls]).toEqual([[], []]);
});

test.each(['1', '12345', 'abcdef', '1234567'])(
  'the malformed code %j does not count as an attempt',
  async (code) => {
    expect(await ask({ code })).toEqual({ status: 'pending', sent: true });
    expect(permit).not.toHaveBeenCalled();
  },
);

test.each([
  [{ phone: '+442079460123' }, 'Wireless'],
  [{ phone: '+10125550123' }, 'Wireless'],
  [{}, 'Toll Free'],
  [{}, 'Premium Rate'],
])('no code is sent to a foreign, toll-free or premium-rate phone number', async (more, type) => {
  expect(await ask(more, type)).toEqual({ status: 'refused', sent: false });
  expect(permit).not.toHaveBeenCalled();
});

test('phone verification answers "unavailable" if it is not configured for the survey', async () => {
  const unavailable = { status: 'unavailable', sent: false };
  expect(await ask({ survey: '/survey/v4' })).toEqual(unavailable);
  expect(await ask({ survey: '/nowhere' })).toEqual(unavailable);
  expect(await ask({}, 'Wireless', 'none')).toEqual(unavailable);
  expect(permit).not.toHaveBeenCalled();
});

test('phone verification answers "unavailable" while the database is unavailable', async () => {
  permit.mockRejectedValueOnce(new StoreUnavailableError('away'));
  expect(await ask()).toEqual({ status: 'unavailable', sent: false });
});
