import { expect, test, vi } from 'vitest';
import { personKey } from '../../../tests/support/person-keys.ts';
import { createTextChecks } from '../../model/lead/context.ts';
import { createAsk, type RecordedCheck } from './check.ts';
import { emailCheck, phoneCheck } from './ipqs.ts';
import type { Asked, LeadCheck } from './service.ts';
import { gibberish } from './services.ts';
import { createCheckText, createCheckZip } from './zip-and-text.ts';

const lead = { leadId: '01939999-1111-7111-8111-111111111111', secretSha256: 'secret' };
const answered = <Said>(said: Said) => ({ outcome: 'answered', said, durationMs: 5 }) as const;

/** Creates a check whose service gives this answer. */
function asking<Said>(check: RecordedCheck<string, Said>, answer: Asked<Said>) {
  const cached = new Map<string, unknown>();
  const recorded: LeadCheck[] = [];
  const called = vi.fn();
  const service = {
    mayBeAsked: () => true,
    ask: async <Other>() => {
      called();
      return answer as unknown as Asked<Other>;
    },
  };
  const ask = createAsk(service, check, {
    answers: {
      recall: async (_, key) => cached.get(key),
      store: async (_, key, said) => void cached.set(key, said),
    },
    record: (each) => void recorded.push(each),
    permit: async () => undefined,
    personKey,
    now: () => new Date(0),
  });
  return { ask, called, cached, recorded };
}

test('concurrent visitors with the same value share one call of the service', async () => {
  const { ask, called, recorded } = asking(gibberish, answered('no'));
  expect(await Promise.all([ask('a text', lead), ask('a text')])).toEqual(['no', 'no']);
  expect(await ask('a text', lead)).toBe('no');
  expect(called).toHaveBeenCalledTimes(1);
  expect(recorded.map(({ outcome }) => outcome)).toEqual(['answered', 'remembered']);
  await ask('another text');
  expect(called).toHaveBeenCalledTimes(2);
});

test('a failed call is not cached', async () => {
  const { ask, called, cached, recorded } = asking(gibberish, {
    outcome: 'timed_out',
    durationMs: 5,
  });
  expect(await ask('a text', lead)).toBeUndefined();
  expect(await ask('a text', lead)).toBeUndefined();
  expect(called).toHaveBeenCalledTimes(2);
  expect(cached.size).toBe(0);
  expect(recorded).toMatchObject([{ outcome: 'timed_out', said: undefined }, {}]);
});

test('answers about phone numbers and e-mail addresses are cached under keyed hashes', async () => {
  const line = { valid: true, active: true, fraud_score: 0 };
  const phone = asking(phoneCheck(''), answered({ ...line, line_type: '' }));
  await phone.ask('2125550123', lead);
  const email = asking(emailCheck('', 2_000), answered({ valid: true, disposable: false }));
  await email.ask('ana@mail.example', lead);
  const keys = [personKey('phone', '2125550123'), personKey('email', 'ana@mail.example')];
  expect([...phone.cached.keys(), ...email.cached.keys()]).toEqual(keys);
  expect([...phone.recorded, ...email.recorded].map(({ asked }) => asked)).toEqual(keys);
});

test('the answer about an e-mail address is not cached if the mail server timed out', async () => {
  const late = { valid: true, disposable: false, timed_out: true };
  const { ask, cached } = asking(emailCheck('', 2_000), answered(late));
  expect(await ask('ana@mail.example')).toEqual(late);
  expect(cached.size).toBe(0);
});

test('texts and zip codes are checked by our own tables if the services fail', async () => {
  const failed = async () => undefined;
  const checkText = createCheckText(
    failed,
    createTextChecks(() => []),
  );
  expect(await checkText('asdfgh jklqwe zxcvbn asdfgh')).toEqual({
    is_gibberish: 'yes',
    bad_words: 'no',
  });
  const place = { zip: '10001', city: 'New York', state: 'NY', state_long: '', county: '' };
  expect(await createCheckZip(failed, () => place)('10001')).toEqual(place);
});
