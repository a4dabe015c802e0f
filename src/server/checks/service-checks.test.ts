import { expect, test, vi } from 'vitest';
import { personKey } from '../../../tests/support/person-keys.ts';
import { createTextChecks } from '../../intake/check-texts.ts';
import { createCheckText, createLookUpZip, emailCheckBy, phoneCheckBy } from './service-checks.ts';

const lead = { leadId: '01939999-1111-7111-8111-111111111111', secretSha256: null };
const line = { success: true, message: '', valid: true, active: true, fraud_score: 0 };
const shared = () => ({
  personKey,
  answers: { recall: async () => undefined, recallAll: async () => new Map(), keep: vi.fn() },
  record: vi.fn(),
  now: () => new Date(),
});
const answered = <Said>(said: Said) => ({ outcome: 'answered', said, durationMs: 1 }) as const;
const failed = async () => ({ outcome: 'failed', durationMs: 1 }) as const;

test('answers are stored under the person key, not the number or address itself', async () => {
  const parts = shared();
  await phoneCheckBy(async () => answered({ ...line, line_type: '' }), parts)('2125550123', lead);
  const report = answered({ valid: true, disposable: false });
  await emailCheckBy(async () => report, parts)('ana@mail.example', lead);
  const keys = [personKey('phone', '2125550123'), personKey('email', 'ana@mail.example')];
  expect(parts.answers.keep.mock.calls.map(([, key]) => key)).toEqual(keys);
  expect(parts.record.mock.calls.map(([{ asked }]) => asked)).toEqual(keys);
});

test('an address whose mail server timed out is not cached', async () => {
  const parts = shared();
  const late = answered({ valid: true, disposable: false, timed_out: true });
  expect(await emailCheckBy(async () => late, parts)('ana@mail.example')).toEqual(late.said);
  expect(parts.answers.keep).not.toHaveBeenCalled();
});

test('if a service fails, our own check judges the text and our own table the zip code', async () => {
  const checks = createTextChecks(() => [], 1000);
  const checkText = createCheckText({ ...shared(), ask: failed, checks, descriptionLimit: 1000 });
  expect(await checkText('asdfgh jklqwe zxcvbn asdfgh')).toEqual({
    is_gibberish: 'yes',
    bad_words: 'no',
  });
  const place = { zip: '10001', city: 'New York', state: 'NY', state_long: '', county: '' };
  const lookUpZip = createLookUpZip({ ...shared(), ask: failed, own: () => place });
  expect(await lookUpZip('10001')).toEqual(place);
});
