/** Tests that a lead goes to the first buyer that may have it, and to no other one. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { choiceJob, readCapUse } from '../../src/server/delivery/choose.ts';
import type { SendResult } from '../../src/server/delivery/destinations/destination.ts';
import { readBuyers, release } from '../../src/server/delivery/index.ts';
import { resumeDeliveries } from '../../src/server/delivery/pause.ts';
import { setBuyer, usualTerms } from '../support/buyers.ts';
import { controlled, delivered, pass, resendDelivery, type TestLead } from '../support/delivery.ts';
import { deliveryForTests } from '../support/delivery-site.ts';
import { turnFor } from '../support/job-clock.ts';
import { blockedBy } from '../support/ledger.ts';
import { saleRules } from '../support/sale-rules.ts';

const { pool, worker, insertMany } = await deliveryForTests();
const names = ['one', 'two', 'three'];
const destinations = names.map((name) => `ingest/${name}`);
let job = choiceJob({ destinations, chosen: () => undefined });
let answers: Record<string, SendResult> = {};
const buyers = names.map((name) =>
  controlled(`ingest/${name}`, async () => answers[name] ?? delivered),
);

beforeEach(async () => {
  await pool.query('truncate buyers, destination_health, set_aside, money_entries');
  answers = {};
  job = choiceJob({ destinations, chosen: () => undefined, random: () => 0.5 });
});

const turn = turnFor(pool, 'choice');
const choose = () => job.run(turn);
const send = () => pass(worker(buyers));
const resend = async (lead: TestLead | undefined) => {
  await resendDelivery(pool, lead?.deliveryId ?? '');
  await choose();
};

/** Inserts leads that wait for a choice among the buyers. */
async function insertUnrouted(count = 1, options: { isTest?: boolean } = {}): Promise<TestLead[]> {
  const leads = await insertMany(count, { destination: 'ingest/one', ...options });
  const others = leads.flatMap(({ leadId }) =>
    destinations.slice(1).map((name) => [randomUUID(), leadId, name]),
  );
  await pool.query(
    `insert into deliveries (id, lead_id, destination, state, due_at)
     select r[1]::uuid, r[2]::uuid, r[3], 'waiting', now() - interval '1 minute'
     from (select array[e->>0, e->>1, e->>2] as r from jsonb_array_elements($1::jsonb) e) rows`,
    [JSON.stringify(others)],
  );
  await pool.query('update deliveries set is_unrouted = true');
  return leads;
}

/** Returns state and reason of each delivery of the only lead, by destination. */
async function outcomes(leadId?: string): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ destination: string; text: string }>(
    `select substr(destination, 8) as destination, concat_ws(' ', state, end_reason, case when is_unrouted then 'unrouted' end) as text
     from deliveries where lead_id = coalesce($1, lead_id) order by destination`,
    [leadId ?? null],
  );
  return Object.fromEntries(rows.map(({ destination, text }) => [destination, text]));
}

/** Returns the number of chosen leads, by destination. */
async function chosenLeads(): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; leads: number }>(
    `select substr(destination, 8) as name, count(*)::int as leads from deliveries where chosen_at is not null group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, leads }) => [name, leads]));
}

const setBuyers = async (...changes: Parameters<typeof setBuyer>[2][]) => {
  for (const [place, change] of changes.entries()) {
    await setBuyer(pool, destinations[place] ?? '', { priority: place, ...change });
  }
};

test('a lead goes to the first buyer in order, and each other delivery has the reason', async () => {
  await setBuyers({ states: ['FL'] }, {}, {});
  await insertUnrouted();
  await choose();
  expect(await outcomes()).toEqual({
    one: 'passed_over outside_states',
    two: 'waiting',
    three: 'passed_over has_buyer',
  });
  const { rows } = await pool.query(
    `select price, chosen_at from deliveries where destination = 'ingest/two'`,
  );
  expect(rows).toMatchObject([{ price: '100.00', chosen_at: expect.any(Date) }]);
  expect(await send()).toBe(1);
  expect((await outcomes()).two).toBe('delivered');
});

test('a lead that nobody may have now waits for the first buyer that opens', async () => {
  const weekday = new Date().getUTCDay() || 7;
  const hours = [{ days: [(weekday % 7) + 1], from: '09:00', until: '10:00' }];
  await setBuyers({ hours, timeZone: 'UTC' }, { isOn: false }, { states: ['FL'] });
  const [lead] = await insertUnrouted();
  await choose();
  expect(await outcomes()).toEqual({
    one: 'waiting closed_now unrouted',
    two: 'passed_over buyer_off',
    three: 'passed_over outside_states',
  });
  const { rows } = await pool.query<{ hour: number; isLater: boolean }>(
    `select extract(hour from due_at at time zone 'UTC')::int as hour, due_at > now() as "isLater"
     from deliveries where id = $1`,
    [lead?.deliveryId],
  );
  expect(rows).toEqual([{ hour: 9, isLater: true }]);
  await setBuyers({ hours, timeZone: 'UTC' }, {});
  await choose();
  expect((await outcomes()).two).toBe('waiting');
});

test('a lead that no buyer can ever have is passed over by all', async () => {
  await setBuyers({ isOn: false }, { caps: [{ per: 'total', leads: 0 }] }, { states: ['FL'] });
  await insertUnrouted();
  await choose();
  expect(await outcomes()).toEqual({
    one: 'passed_over buyer_off',
    two: 'passed_over cap_reached',
    three: 'passed_over outside_states',
  });
});

test('a destination without terms shares its lead with no buyer', async () => {
  await setBuyer(pool, 'ingest/two');
  const [lead] = await insertUnrouted();
  await pool.query('update deliveries set is_unrouted = false where id = $1', [lead?.deliveryId]);
  await choose();
  expect(await outcomes()).toMatchObject({ one: 'waiting', two: 'passed_over has_buyer' });
});

test('a paused destination gets no lead, and a resumed one is looked at again', async () => {
  await setBuyers({}, { isOn: false }, { isOn: false });
  await pool.query(
    `insert into destination_health (destination, paused_at, paused_by) values ('ingest/one', now(), 'ops')`,
  );
  await insertUnrouted();
  await choose();
  expect((await outcomes()).one).toBe('waiting buyer_paused unrouted');
  await resumeDeliveries(pool, 'ingest/one', 'operator');
  await choose();
  expect((await outcomes()).one).toBe('waiting');
});

test('a lead of a buyer whose account is refused goes to another one, and one lead at a time tests the account', async () => {
  const account = { problem: 'it has reached its cap', settings: ['INGEST_KEY'] };
  answers = { one: { outcome: 'account', account, durationMs: 1 } };
  await setBuyers({}, {}, { isOn: false });
  const [lead] = await insertUnrouted();
  await choose();
  const sending = worker(buyers);
  await pass(sending);
  expect((await outcomes()).one).toBe('waiting unrouted');
  await choose();
  await pass(sending);
  expect(await outcomes()).toMatchObject({ one: 'passed_over buyer_paused', two: 'delivered' });

  answers = {};
  const others = await insertUnrouted(3);
  await pool.query('update destination_health set trial_at = now()');
  await pool.query('update deliveries set is_unrouted = false where lead_id = $1', [lead?.leadId]);
  await choose();
  await pass(sending);
  const states = await Promise.all(others.map(({ leadId }) => outcomes(leadId)));
  expect(states.map(({ one }) => one).sort()).toEqual([
    'delivered',
    'passed_over buyer_paused',
    'passed_over buyer_paused',
  ]);
  const { rows } = await pool.query('select paused_at from destination_health');
  expect(rows).toEqual([{ paused_at: null }]);
});

test.each([
  ['hour', 'America/Chicago', '2026-07-01T15:30:10Z', '2026-07-01T15:00Z', '2026-07-01T16:00Z'],
  ['hour', 'Asia/Kolkata', '2026-07-01T15:10Z', '2026-07-01T14:30Z', '2026-07-01T15:30Z'],
  ['day', 'America/Chicago', '2026-07-02T03:00Z', '2026-07-01T05:00Z', '2026-07-02T05:00Z'],
  ['day', 'America/New_York', '2026-11-01T12:00Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ['day', 'America/New_York', '2026-03-08T12:00Z', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
  ['week', 'America/New_York', '2026-11-01T12:00Z', '2026-10-26T04:00Z', '2026-11-02T05:00Z'],
  ['month', 'Pacific/Honolulu', '2027-01-01T05:00Z', '2026-12-01T10:00Z', '2027-01-01T10:00Z'],
] as const)('a cap a %s in %s counts at %s since %s', async (per, timeZone, now, from, until) => {
  const terms = { ...usualTerms, timeZone, caps: [{ per, leads: 9 }] };
  await insertMany(3, { destination: 'ingest/one' });
  await pool.query(
    `update deliveries d set chosen_at = t.at from (select id, (array[$1::timestamptz, $1::timestamptz - interval '1 second'])
       [row_number() over (order by id)] as at from deliveries) t where t.id = d.id`,
    [from],
  );
  const use = await readCapUse(pool, [{ destination: 'ingest/one', terms }], new Date(now));
  expect(use.get('ingest/one')).toMatchObject([{ leads: 1, until: new Date(until) }]);
});

test('caps count leads and money, without tests and without leads that were given back', async () => {
  await setBuyers(
    { caps: [{ per: 'total', leads: 3 }] },
    { caps: [{ per: 'month', money: 250 }] },
    {},
  );
  await insertUnrouted(2, { isTest: true });
  await choose();
  await insertUnrouted(8);
  await choose();
  expect(await chosenLeads()).toEqual({ one: 3, two: 2, three: 3 });
  const use = await readCapUse(pool, await readBuyers(pool), new Date());
  expect(use.get('ingest/one')).toMatchObject([{ leads: 3, cents: 30_000, until: null }]);
  expect(use.get('ingest/two')).toMatchObject([
    { leads: 2, cents: 20_000, until: expect.any(Date) },
  ]);
  answers = { one: { outcome: 'rejected', durationMs: 1 } };
  await send();
  expect(await chosenLeads()).not.toHaveProperty('one');
});

describe('a lead that a buyer gives back', () => {
  test('goes to the next buyer, and ends once all have refused it', async () => {
    await setBuyers({}, {}, {});
    answers = {
      one: { outcome: 'rejected', durationMs: 1 },
      two: { outcome: 'duplicate', durationMs: 1 },
      three: { outcome: 'rejected', durationMs: 1 },
    };
    await insertUnrouted();
    for (const expected of [
      { one: 'rejected unrouted', two: 'passed_over has_buyer', three: 'passed_over has_buyer' },
      { one: 'rejected', two: 'rejected unrouted', three: 'passed_over has_buyer' },
      { one: 'rejected', two: 'rejected', three: 'rejected unrouted' },
    ]) {
      await choose();
      expect(await send()).toBe(1);
      expect(await outcomes()).toEqual(expected);
    }
    await choose();
    expect(await send()).toBe(0);
    expect(await outcomes()).toEqual({ one: 'rejected', two: 'rejected', three: 'rejected' });
  });

  test('goes to the next buyer if the lead must not be sent to the first one', async () => {
    await setBuyers({}, {}, {});
    const strict = { permission: { consent: 'any', stopsAtOptOut: true } } as const;
    await insertUnrouted();
    await pool.query('update leads set sec_gpc = true');
    await choose();
    const sending = worker([
      controlled('ingest/one', async () => delivered, strict),
      ...buyers.slice(1),
    ]);
    await pass(sending);
    expect((await outcomes()).one).toBe('suppressed opted_out unrouted');
    await choose();
    await pass(sending);
    expect(await outcomes()).toEqual({
      one: 'suppressed opted_out',
      two: 'delivered',
      three: 'passed_over has_buyer',
    });
  });
});

test('a resend chooses a buyer again, unless the lead may have arrived', async () => {
  await setBuyers({}, {}, {});
  answers = { one: { outcome: 'rejected', durationMs: 1 } };
  const [lead] = await insertUnrouted();
  await choose();
  await send();
  await choose();
  await send();
  expect((await outcomes()).two).toBe('delivered');
  await resend(lead);
  expect(await outcomes()).toMatchObject({ one: 'passed_over has_buyer', two: 'delivered' });
  await pool.query(
    `insert into outcomes (id, destination, reference, lead_id, delivery_id, kind, at, source, decision)
     select 'r', destination, '', lead_id, id, 'returned', now(), 'import', 'accepted'
     from deliveries where state = 'delivered'`,
  );
  await resend(lead);
  expect((await outcomes()).one).toBe('waiting');

  await pool.query('truncate deliveries cascade');
  answers = { one: { outcome: 'server_error', durationMs: 1 } };
  const [doubtful] = await insertUnrouted();
  await choose();
  await pass(worker(buyers.map((each) => ({ ...each, recognisesDuplicates: false }))));
  expect((await outcomes(doubtful?.leadId)).one).toBe('uncertain');
  await resend(doubtful);
  expect((await outcomes(doubtful?.leadId)).one).toBe('waiting');
});

test('a buyer that may have the lead and then refuses it keeps its price and its place in the caps', async () => {
  await setBuyers({}, {}, {});
  const [lead] = await insertUnrouted();
  await choose();
  answers = { one: { outcome: 'unknown', durationMs: 1 } };
  await send();
  answers = { one: { outcome: 'rejected', durationMs: 1 } };
  await pool.query(`update deliveries set due_at = now() where state = 'retrying'`);
  await send();
  await choose();
  expect(await outcomes()).toMatchObject({ one: 'rejected', two: 'passed_over has_buyer' });
  answers = {};
  await resend(lead);
  await send();
  expect(await outcomes()).toMatchObject({ one: 'delivered', two: 'passed_over has_buyer' });
  const { rows } = await pool.query(
    'select destination, amount::float8 as amount from money_entries',
  );
  expect(rows).toEqual([{ destination: 'ingest/one', amount: 100 }]);
  const use = await readCapUse(
    pool,
    [{ destination: 'ingest/one', terms: { ...usualTerms, caps: [{ per: 'total', leads: 9 }] } }],
    new Date(),
  );
  expect(use.get('ingest/one')).toMatchObject([{ leads: 1 }]);
});

test('a removed destination gets no lead, not even to test its account', async () => {
  await setBuyers({}, { isOn: false }, { isOn: false });
  await pool.query(
    `insert into destination_health (destination, paused_at, paused_by, trial_at)
     values ('ingest/one', now(), 'answer', now() - interval '1 minute')`,
  );
  await insertUnrouted();
  job = choiceJob({ destinations: destinations.slice(1), chosen: () => undefined });
  await choose();
  expect((await outcomes()).one).toBe('waiting buyer_paused unrouted');
});

test('a released lead and a lead whose newest revision is held go through the choice', async () => {
  await setBuyers({}, {}, {});
  const [lead] = await insertUnrouted();
  await pool.query(`update leads set state = 'held'`);
  await choose();
  expect((await outcomes()).one).toBe('held unrouted');
  await release(pool, lead?.leadId ?? '', { actor: 'ops' }, saleRules);
  await choose();
  expect(await outcomes()).toMatchObject({ one: 'waiting', two: 'passed_over has_buyer' });
});

test('the choice waits until a check or the visitor’s choice of firms is over', async () => {
  await setBuyers({}, {}, {});
  await insertUnrouted();
  await pool.query(
    `update deliveries set due_at = now() + interval '5 minutes' where destination = 'ingest/one'`,
  );
  await choose();
  expect(await outcomes()).toMatchObject({ one: 'waiting unrouted', two: 'waiting unrouted' });
  await pool.query(`update deliveries set due_at = now()`);
  await choose();
  expect((await outcomes()).one).toBe('waiting');
});

describe('with two connections', () => {
  const others = () => choiceJob({ destinations, chosen: () => undefined });

  test('a cap is exact, however many processes choose', async () => {
    await setBuyers(
      { caps: [{ per: 'day', leads: 7 }] },
      { caps: [{ per: 'day', leads: 5 }] },
      { isOn: false },
    );
    await insertUnrouted(40);
    await Promise.all([1, 2, 3, 4].map(() => others().run(turnFor(pool, 'choice'))));
    expect(await chosenLeads()).toEqual({ one: 7, two: 5 });
  });

  test('the choice waits for a change of the terms, and obeys it', async () => {
    await setBuyers({}, {}, {});
    await insertUnrouted();
    const off = JSON.stringify({ ...usualTerms, priority: 0, isOn: false });
    await blockedBy(pool, choose as () => Promise<unknown>, [
      [`update buyers set terms = $1 where destination = 'ingest/one'`, [off]],
    ]);
    expect(await outcomes()).toMatchObject({ one: 'passed_over buyer_off', two: 'waiting' });
  });

  test('a lead is left for later while one of its deliveries is locked', async () => {
    await setBuyers({ sharedBy: 1 }, {}, {});
    const [lead] = await insertUnrouted();
    const other = await pool.connect();
    await other.query('begin');
    await other.query(`update deliveries set state = 'delivered', is_unrouted = false
      where lead_id = '${lead?.leadId}' and destination = 'ingest/three'`);
    await choose();
    expect(await outcomes()).toMatchObject({ one: 'waiting unrouted', two: 'waiting unrouted' });
    await other.query('commit');
    other.release();
    await choose();
    expect(await outcomes()).toEqual({
      one: 'passed_over has_buyer',
      two: 'passed_over has_buyer',
      three: 'delivered',
    });
  });
});
