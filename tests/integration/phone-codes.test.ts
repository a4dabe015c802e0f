/** Tests phone verification by SMS with a real database and the sandbox. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import type { PhoneCodeAnswer } from '../../src/model/messages/phone-code.ts';
import type { PhoneCodeStore } from '../../src/server/checks/phone-code-permits.ts';
import { createPhoneCodeStore } from '../../src/server/checks/phone-code-permits.ts';
import { readHistory } from '../../src/server/leads/lead-history.ts';
import { openDigest } from '../../src/server/platform/database/database-secret.ts';
import { erase } from '../../src/server/privacy/erase.ts';
import { timelineOf } from '../support/lead-history.ts';
import { testSecret } from '../support/leads.ts';
import { clearLedger, dumpOf } from '../support/ledger.ts';
import { people } from '../support/person-keys.ts';
import { freshLead, serverForTests } from '../support/server.ts';

const survey = '/survey/v4nv';
const path = '/two-step-verification/code';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
const stack = serverForTests(() => ({
  TRUSTED_PROXIES: 'loopback',
  SURVEY_OVERRIDES: JSON.stringify({ [survey]: { verifiesPhone: true } }),
  TWILIO_ACCOUNT_SID: sandbox.credentials.twilioAccountSid,
  TWILIO_AUTH_TOKEN: sandbox.credentials.twilioAuthToken,
  TWILIO_VERIFY_SERVICE_SID: sandbox.credentials.twilioServiceSid,
  TWILIO_VERIFY_URL: sandbox.url,
  OUTGOING_PRIVATE_NETWORKS: 'allow',
}));
afterAll(() => sandbox?.close());
beforeEach(async () => {
  await clearLedger(stack.database.pool);
  await fetch(`${sandbox.url}/_sandbox/reset`, { method: 'POST' });
});

type Ask = {
  lead?: string;
  phone?: string;
  code?: string;
  survey?: string;
  address?: string;
  secret?: string | null;
};
const lead = '01939999-1111-7111-8111-111111111111';
const phone = '+12125550123';

async function ask(given: Ask = {}): Promise<PhoneCodeAnswer> {
  const { secret = testSecret, address = '198.51.100.1', code = '' } = given;
  const body = {
    lead_id: given.lead ?? lead,
    survey: given.survey ?? survey,
    twilio: { phone: given.phone ?? phone, sent_status: code !== '', code },
  };
  const answer = await stack.post(path, body, secret, { 'x-forwarded-for': address });
  expect(answer.status).toBe(200);
  return answer.body as PhoneCodeAnswer;
}

async function codeOf(to = phone): Promise<string> {
  const answer = await fetch(`${sandbox.url}/_sandbox/codes`);
  const codes = (await answer.json()) as { to: string; code: string }[];
  return codes.findLast((one) => one.to === to)?.code ?? '';
}

const sends = async () =>
  ((await (await fetch(`${sandbox.url}/_sandbox/codes`)).json()) as unknown[]).length;
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
/** Simulates a wait by moving all stored times of SMS codes into the past. */
const wait = (minutes: number) =>
  Promise.all([
    stack.database.pool.query(
      `update phone_codes set at = at - $1 * interval '1 minute', ended_at = ended_at - $1 * interval '1 minute'`,
      [minutes],
    ),
    stack.database.pool.query(
      `update phone_code_limits set last_at = last_at - $1 * interval '1 minute',
       times = array(select t - $1 * interval '1 minute' from unnest(times) as t)`,
      [minutes],
    ),
  ]);

const pending = { status: 'pending', sent: true };
const tooMany = { status: 'too_many', sent: false };

describe('an SMS code', () => {
  test('is accepted after a wrong code', async () => {
    expect(await ask()).toEqual(pending);
    const code = await codeOf();
    expect(await ask({ code: another(code) })).toEqual(pending);
    expect(await ask({ code: `  ${code} ` })).toEqual({ status: 'approved', sent: false });
    const before = Date.now();
    const body = freshLead({ lead_id: lead, survey, phone: '(212) 555-0123' });
    expect((await stack.post('/post-lead', body)).status).toBe(200);
    const { last } = await stack.leadOf(lead);
    expect(last?.fields).toMatchObject({ sms_verified: 'yes' });
    const verifiedAt = new Date(String(last?.fields.sms_verified_at)).getTime();
    expect(Math.abs(before - verifiedAt)).toBeLessThan(30_000);

    const { pool } = stack.database;
    const told = await readHistory(pool, lead);
    expect(timelineOf(told)).toMatch(
      /SMS code sent \(\d+ ms\)[\s\S]*SMS code entered: wrong[\s\S]*SMS code entered: correct, the number is verified[\s\S]*The lead was posted/,
    );
    const dump = (await dumpOf(pool))
      .split('\n')
      .filter((row) => row.startsWith('phone_code'))
      .join('\n');
    for (const secret of [code, another(code), '2125550123', '198.51.100.1']) {
      expect(dump).not.toContain(secret);
    }
    expect(await (await fetch(`${sandbox.url}/_sandbox/violations`)).json()).toEqual([]);
  });

  test('is refused for another visit or phone number', async () => {
    expect(await ask({ code: '123456' })).toEqual({ status: 'unavailable', sent: false });
    await ask();
    const code = await codeOf();
    const expired = { status: 'expired', sent: false };
    expect(await ask({ code, lead: randomUUID() })).toMatchObject({ status: 'unavailable' });
    expect(await ask({ code, phone: '+12125550124' })).toEqual(expired);
    await wait(11);
    expect(await ask({ code })).toEqual(expired);
  });

  test('is refused if the request lacks the visit’s secret', async () => {
    await ask();
    const code = await codeOf();
    const other = { secret: 'f'.repeat(32), code };
    expect(await ask(other)).toEqual({ status: 'unavailable', sent: false });
    expect(await ask({ ...other, code: '' })).toEqual({ status: 'unavailable', sent: false });
    expect(await ask({ code })).toMatchObject({ status: 'approved' });
    // The second post has a wrong secret, so the phone number must not count as verified.
    await stack.post('/post-lead', freshLead({ lead_id: lead, survey, phone: '2125550123' }));
    await stack.post(
      '/post-lead',
      freshLead({ lead_id: lead, survey, phone: '2125550123', first_name: 'Eve' }),
      'f'.repeat(32),
    );
    const { claims } = await stack.leadOf(lead);
    const { last } = await stack.leadOf(claims[0]?.id);
    expect(last?.fields).toMatchObject({ sms_verified: 'no' });
  });
});

describe('the phone number of a lead', () => {
  const post = async (fields: Record<string, unknown>) => {
    await stack.post('/post-lead', freshLead({ lead_id: lead, survey, ...fields }));
    return (await stack.leadOf(lead)).last?.fields ?? {};
  };

  test('stays unverified even if the post claims that the phone number is verified', async () => {
    await ask();
    const claimed = { sms_verified: 'yes', sms_verified_at: '2026-01-01T00:00:00.000Z' };
    const fields = await post({ phone: '2125550123', ...claimed });
    expect(fields).toMatchObject({ sms_verified: 'no' });
    expect(fields).not.toHaveProperty('sms_verified_at');
  });

  test('is marked as verified only if the visitor entered the code for this phone number', async () => {
    await ask();
    await ask({ code: await codeOf() });
    expect(await post({ phone: '2125550199' })).toMatchObject({ sms_verified: 'no' });
    expect(await post({ phone: '2125550123' })).toMatchObject({ sms_verified: 'yes' });
  });
});

describe('the limits of SMS codes', () => {
  const number = (index: number) => `+1212555${1000 + index}`;
  const address = (index: number) => `198.51.100.${index}`;
  type Nth = (index: number) => Ask;

  test.each<[limit: string, most: number, minutes: number, nth: Nth]>([
    ['phone number', 3, 10, (index) => ({ lead: randomUUID(), address: address(index) })],
    ['IP address', 10, 60, (index) => ({ lead: randomUUID(), phone: number(index) })],
    ['visit', 6, 60, (index) => ({ phone: number(index), address: address(index) })],
  ])('allow only a few codes for each %s', async (_, most, minutes, nth) => {
    for (let i = 0; i < most + 2; i += 1) {
      expect(await ask(nth(i))).toEqual(i < most ? pending : tooMany);
    }
    expect(await sends()).toBe(most);
    await wait(minutes - 1);
    expect(await ask(nth(20))).toEqual(tooMany);
    await wait(2);
    expect(await ask(nth(21))).toEqual(pending);
  });

  test('allow all visitors together 500 codes in an hour', async () => {
    const { pool } = stack.database;
    await pool.query(
      `insert into phone_code_limits (key, times, last_at) select 'sends of everybody',
         array(select now() - interval '59 minutes' from generate_series(1, 499)), now()`,
    );
    expect(await ask({ lead: randomUUID(), phone: '+12125550141' })).toEqual(pending);
    const late = { lead: randomUUID(), phone: '+12125550142', address: '198.51.100.2' };
    expect(await ask(late)).toEqual(tooMany);
  });

  test('let the owner of a phone number enter the code after strangers entered wrong codes', async () => {
    const [stranger, other, owner] = [randomUUID(), randomUUID(), randomUUID()];
    const wrong = async (visit: string, times: number) => {
      const code = another(await codeOf());
      for (let i = 0; i < times; i += 1) expect(await ask({ lead: visit, code })).toEqual(pending);
      expect(await ask({ lead: visit, code })).toEqual(tooMany);
    };
    await ask({ lead: stranger });
    await wrong(stranger, 3);
    await ask({ lead: other });
    await wrong(other, 1);
    await ask({ lead: owner });
    for (const visit of [stranger, other]) await wrong(visit, 0);
    const code = await codeOf();
    expect(await ask({ lead: owner, code })).toMatchObject({ status: 'approved' });
  });

  test('allow only one request at a time for a code to a phone number', async () => {
    const { pool } = stack.database;
    const digest = await openDigest(pool);
    const stores = [createPhoneCodeStore(pool, digest), createPhoneCodeStore(pool, digest)];
    const send = (index: number, leadId: string = randomUUID()) =>
      (stores[index % 2] as PhoneCodeStore).permitSend(
        { leadId, secretSha256: null, survey },
        '2125550123',
        address(index),
        stack.settings.phoneCodeLimits,
      );
    const permits = await Promise.all(Array.from({ length: 10 }, (_, index) => send(index)));
    const [sending, ...more] = permits.filter((permit) => typeof permit === 'object');
    expect(more).toEqual([]);
    expect(new Set(permits.filter((permit) => permit !== sending))).toEqual(new Set(['recent']));
    await stores[0]?.end(sending?.id ?? '', 'failed');
    const visit = randomUUID();
    expect(await send(1, visit)).toMatchObject({ id: expect.any(String) });
    expect(await send(0, visit)).toBe('recent');
    // A code without a stored end blocks another code only for 30 seconds.
    await pool.query(
      `update phone_code_limits set busy_until = busy_until - interval '31 seconds'`,
    );
    expect(await send(2)).toMatchObject({ id: expect.any(String) });
    // The phone number has reached the limit of three codes.
    expect(await send(3)).toBe('over');
  });

  test('allow each visit ten wrong codes in an hour', async () => {
    let tries = 0;
    for (let i = 0; i < 4; i += 1) {
      const number = `+1212555${String(3000 + i)}`;
      await ask({ phone: number });
      const wrong = another(await codeOf(number));
      for (let j = 0; j < 3; j += 1) {
        tries += 1;
        expect(await ask({ phone: number, code: wrong })).toEqual(tries <= 10 ? pending : tooMany);
      }
    }
  });
});

describe('an erasure', () => {
  const rows = async (table: string) =>
    (await stack.database.pool.query(`select 1 from ${table}`)).rowCount;

  test('deletes the SMS code of the erased visit', async () => {
    await ask();
    await ask({ code: await codeOf() });
    await stack.post('/post-lead', freshLead({ lead_id: lead, survey, phone: '2125550123' }));
    expect(await rows('phone_code_limits')).toBe(6);
    await erase(people(stack.database.pool), lead, 'tester');
    expect(await rows('phone_codes')).toBe(0);
    expect(await rows('phone_code_limits')).toBe(2);
    expect(await ask()).toEqual({ status: 'unavailable', sent: false });
  });
});
