import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import { ana, clearLedger, emailKey, phoneKey, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { noted, people } from '../../../tests/support/person-keys.ts';
import { addBusinessDays, formatIso, parseIso } from '../../model/fields/dates.ts';
import { createTakeOptOut } from './opt-out.ts';
import {
  dismissRequests,
  honourRequests,
  OPT_OUT_BUSINESS_DAYS,
  undoRequests,
} from './opt-out-review.ts';
import { suppress, suppressKeys } from './suppress.ts';

const { pool } = await databaseForTests(clearLedger);

const flood = '203.0.113.66';
const visitor = (address: string) => ({
  ...testVisitor,
  address,
  networkKey: address.includes(':') ? '2001:db8:77::/48' : address,
});

function form(limits = { perAddressPerHour: 5, alertPerHour: 0 }) {
  const alert = vi.fn();
  const take = createTakeOptOut(people(pool), limits, alert);
  const post = async (typed: Record<string, string>, address = flood) => {
    const taken = await take(typed, 'en', visitor(address));
    if (!('reference' in taken)) throw new Error('refused');
    return taken;
  };
  return { alert, post };
}

const someone = () => ({ email: `${randomUUID()}@mail.example` });
const onList = async () =>
  new Set((await pool.query('select key from suppressions')).rows.map(({ key }) => key));
const waiting = async () => {
  const read = "select phone, name, ip from opt_out_requests where outcome = 'waiting'";
  return (await pool.query(read)).rows;
};
async function statesOf(leadId: string): Promise<string[]> {
  const read = 'select state from deliveries where lead_id = $1 order by destination';
  return (await pool.query(read, [leadId])).rows.map(({ state }) => state);
}

describe('Do-not-sell requests from one IP address', () => {
  test('wait for an operator if they exceed the limit', async () => {
    const { post, alert } = form();
    const id = await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
    for (let request = 0; request < 5; request += 1) {
      expect(await post(someone())).toMatchObject({ outcome: 'honoured' });
    }
    expect(alert).not.toHaveBeenCalled();
    const kept = await post({ email: ana.email, phone: ana.phone, name: 'Ana' });
    expect(kept).toMatchObject({ outcome: 'waiting', reference: expect.any(String) });
    expect(alert).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('15 working days'));
    expect(await post(someone(), '198.51.100.4')).toMatchObject({ outcome: 'honoured' });
    expect(await onList()).not.toContain(phoneKey(ana.phone));
    expect(await statesOf(id)).toEqual(['waiting']);

    expect(await waiting()).toEqual([{ phone: ana.phone, name: 'Ana', ip: flood }]);
    expect(await honourRequests(people(pool), { address: flood })).toBe(1);
    expect(await onList()).toContain(phoneKey(ana.phone));
    expect(await statesOf(id)).toEqual(['suppressed']);
    expect(await honourRequests(people(pool), { address: flood })).toBe(0);
  });

  test('share one limit with requests from other addresses of the same IPv6 network', async () => {
    const { post } = form({ perAddressPerHour: 1, alertPerHour: 0 });
    const posted = [1, 2, 3].map((n) => post(someone(), `2001:db8:77:${n}::1`));
    const outcomes = (await Promise.all(posted)).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['honoured', 'waiting', 'waiting']);
    expect(await dismissRequests(pool, {})).toBe(2);
    expect(await waiting()).toEqual([]);
    expect((await onList()).size).toBe(1);
  });
});

test('many do-not-sell requests within an hour raise an alert at each multiple of the limit', async () => {
  const { post, alert } = form({ perAddressPerHour: 0, alertPerHour: 3 });
  for (let request = 0; request < 7; request += 1) await post(someone(), `192.0.2.${request}`);
  expect(alert.mock.calls).toEqual([
    [expect.stringContaining('Unusually many'), { requests: 3 }],
    [expect.stringContaining('Unusually many'), { requests: 6 }],
  ]);
});

describe('Undoing a flood of do-not-sell requests', () => {
  test('keeps the suppression of a person who sends another request meanwhile', async () => {
    const { post } = form();
    await post({ email: ana.email });
    const key = { kind: 'email', key: emailKey(ana.email) } as const;
    const client = await pool.connect();
    await client.query('begin');
    const id = randomUUID();
    const { settings } = people(pool);
    const by = { actor: 'her own request', source: 'form', requestId: id, settings } as const;
    await suppressKeys(client, [key], by);
    await client.query(
      `insert into opt_out_requests (id, language, name, email, phone, state, email_key, sec_gpc, page, leads, stopped, receipts)
       values ($1, 'en', '', '', '', '', $2, false, '', 0, 0, '[]')`,
      [id, key.key],
    );
    const undone = undoRequests(pool, { address: flood }, 'boss');
    const isOver = undone.then(() => true);
    const isBlocked = async () =>
      (await pool.query('select from pg_locks where not granted')).rowCount !== 0;
    while (!(await isBlocked()) && !(await Promise.race([isOver, false])));
    await client.query('commit');
    client.release();
    expect(await undone).toBe(1);
    expect(await onList()).toEqual(new Set([key.key]));
  });

  test('resumes the deliveries that were stopped because of the requests', async () => {
    const { post } = form();
    const id = await seedLead(pool, {
      deliveries: [
        { state: 'waiting' },
        { destination: 'sold', state: 'suppressed', revision: 1, mayHaveArrived: true },
      ],
    });
    const held = await seedLead(pool, { state: 'held', deliveries: [{ state: 'held' }] });
    await post({ email: ana.email });
    // Bea has another request, and an operator listed Carla, so both must stay suppressed.
    const [bea, carla] = ['bea@mail.example', 'carla@mail.example'];
    await post({ email: bea });
    await post({ email: bea }, '198.51.100.4');
    await post({ email: carla });
    await suppress(people(pool), carla, noted);
    expect(await onList()).toContain(emailKey(ana.email));
    expect(await statesOf(id)).toEqual(['suppressed', 'suppressed']);
    expect(await undoRequests(pool, { address: flood }, 'tester')).toBe(3);
    expect(await onList()).toEqual(new Set([emailKey(bea), emailKey(carla)]));
    expect(await statesOf(id)).toEqual(['waiting', 'suppressed']);
    expect(await statesOf(held)).toEqual(['held']);
    const { rows } = await pool.query('select detail from lead_events where lead_id = $1', [id]);
    expect(rows.at(-1)?.detail).toEqual({ undone: true, resumed: ['ingest'] });
    expect(await undoRequests(pool, { address: flood }, 'tester')).toBe(0);
  });
});

const day = (text: string) => parseIso(text) ?? expect.fail(text);

test.each([
  ['2026-11-02', '2026-11-23'], // a Monday: three weeks later
  ['2026-11-08', '2026-11-27'], // a Sunday
  ['2028-02-28', '2028-03-20'], // over a leap day
])('a do-not-sell request is due 15 business days after its arrival', (received, due) => {
  expect(formatIso(addBusinessDays(day(received), OPT_OUT_BUSINESS_DAYS))).toBe(due);
});
