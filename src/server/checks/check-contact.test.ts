import { describe, expect, it, vi } from 'vitest';
import {
  checkPhoneByPlan,
  createCheckEmail,
  createCheckPhone,
  type PhoneReport,
} from './check-contact.ts';

const good: PhoneReport = {
  valid: true,
  active: true,
  fraud_score: 85,
  line_type: 'Wireless',
};
const phone = (report: Partial<PhoneReport>) =>
  createCheckPhone(async () => ({ ...good, ...report }))('(212) 555-0123', '/survey/v4nv');

describe('the phone check (docs/specification.md#phone-check)', () => {
  it.each<[string, Partial<PhoneReport>, { valid: boolean; active: boolean }]>([
    ['a valid number', {}, { valid: true, active: true }],
    ['an invalid number', { valid: false }, { valid: false, active: true }],
    ['a number of unknown activity', { active: null }, { valid: true, active: true }],
    ['a number out of use', { active: false }, { valid: true, active: false }],
  ])('returns the expected answer for %s', async (_, report, answer) => {
    expect(await phone(report)).toEqual(answer);
  });

  it('accepts a number if the service gives no answer', async () => {
    const check = createCheckPhone(async () => undefined);
    expect(await check('2125550123', '')).toEqual({ valid: true, active: true });
  });

  it('asks the service only about numbers that the numbering plan allows', async () => {
    const ask = vi.fn(async () => good);
    const check = createCheckPhone(ask);
    await check('+1 (212) 555-0123', '', undefined, { networkKey: '2001:db8:77::/48' });
    expect(ask).toHaveBeenCalledExactlyOnceWith('2125550123', undefined, '2001:db8:77::/48');
    for (const other of ['555-0123', '(212) 976-5550', '500-234-5678', '212 911 5550']) {
      expect(await check(other, '')).toEqual({ valid: false, active: false });
    }
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('omits `forced` from the answer if `keepActive` is set', async () => {
    const outOfUse = async () => ({ ...good, active: false });
    const answer = { valid: true, active: false };
    const check = createCheckPhone(outOfUse);
    expect(await check('2125550123', '/survey/v4', undefined, undefined, true)).toEqual(answer);
    expect(await createCheckPhone(outOfUse, true)('2125550123', '/survey/v4')).toEqual(answer);
  });
});

describe('the e-mail check (docs/specification.md#e-mail-check)', () => {
  const blocking = async () => ({ valid: true, disposable: true });
  const visitor = { addressKey: '203.0.113.7', networkKey: '203.0.113.7', secretSha256: null };

  it.each([
    [{ valid: true, disposable: false }, false],
    [{ valid: false, disposable: false }, true],
    [{ valid: true, disposable: true }, true],
  ])('blocks invalid and disposable e-mail addresses', async (report, blocked) => {
    const check = createCheckEmail(async () => report, counting(), vi.fn());
    expect(await check('a@b.com', 'lead', visitor)).toEqual({ blocked });
  });

  it('blocks a malformed address without asking a service', async () => {
    const ask = vi.fn();
    for (const email of ['', 'a', 'a@', '@b.com', 'a b@c.com']) {
      const check = createCheckEmail(ask, counting(), vi.fn());
      expect(await check(email, 'lead', visitor)).toEqual({ blocked: true });
    }
    expect(ask).not.toHaveBeenCalled();
  });

  it('accepts a blocked address if the same visitor enters the address again', async () => {
    const alert = vi.fn();
    const count = counting();
    const [one, other] = [1, 2].map(() => createCheckEmail(blocking, count, alert));
    expect(await one?.('Maria@Mail.example', 'LEAD', visitor)).toEqual({ blocked: true });
    expect(alert).not.toHaveBeenCalled();
    expect(await other?.('Maria@mail.EXAMPLE', 'lead', visitor)).toEqual({ blocked: false });
    expect(await one?.('Maria@mail.example', 'lead', visitor)).toEqual({ blocked: false });
    expect(alert).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(alert.mock.calls)).not.toMatch(/maria/i);
  });

  it('blocks an address even if another visitor has already entered it', async () => {
    const check = createCheckEmail(blocking, counting(), vi.fn());
    const other = { ...visitor, addressKey: '198.51.100.1' };
    await check('a@b.com', 'lead', visitor);
    expect(await check('c@b.com', 'lead', visitor)).toEqual({ blocked: true });
    expect(await check('a@b.com', 'two', visitor)).toEqual({ blocked: true });
    expect(await check('a@b.com', 'lead', other)).toEqual({ blocked: true });
    expect(await check('a@b.com', 'lead', visitor)).toEqual({ blocked: false });
  });

  it('accepts an address if the service or the database fails', async () => {
    const down = () => Promise.reject(new Error('down'));
    for (const check of [
      createCheckEmail(down, counting(), vi.fn()),
      createCheckEmail(blocking, down, vi.fn()),
    ]) {
      expect(await check('a@b.com', 'lead', visitor)).toEqual({ blocked: false });
    }
  });
});

/** Returns a substitute for `createBlockedEmails` that counts in memory. */
function counting() {
  const times = new Map<string, number>();
  return async (entered: string) => {
    times.set(entered, (times.get(entered) ?? 0) + 1);
    return times.get(entered) ?? 0;
  };
}

it.each([
  ['2125550123', true, 'Unknown'],
  ['7875550123', true, 'Unknown'],
  ['8005550100', true, 'Toll Free'],
  ['5551234567', false, 'Unknown'],
  ['2129765550', false, 'Unknown'],
  ['4165550123', false, 'Unknown'],
])('the embedded phone check accepts only US phone numbers', async (digits, valid, line_type) => {
  expect(await checkPhoneByPlan(digits)).toMatchObject({ valid, line_type });
});
