/**
 * Tests the limit of leads from one IP address in an hour (docs/specification.md#address-limit).
 */

import { describe, expect, it } from 'vitest';
import { release } from '../../src/server/delivery/release.ts';
import { erase } from '../../src/server/privacy/erase.ts';
import { purgeOnce } from '../support/job-clock.ts';
import { keepDays } from '../support/ledger.ts';
import { people } from '../support/person-keys.ts';
import { saleRules } from '../support/sale-rules.ts';
import { freshLead, serverForTests, withinAnHour } from '../support/server.ts';

const LIMIT = 3;
const HOUR_MS = 3_600_000;
const environment = { LEADS_PER_ADDRESS_PER_HOUR: String(LIMIT), TRUSTED_PROXIES: 'loopback' };
const site = serverForTests(() => environment);

withinAnHour();

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};
let persons = 0;
const ofNewPerson = (overrides: Record<string, unknown> = {}) => {
  persons += 1;
  return freshLead({
    email: `person-${persons}@mail.example`,
    phone: `(212) 555-${String(1000 + persons)}`,
    ...overrides,
  });
};

/** Posts the lead from the IP address. Returns the state of the stored lead. */
async function post(address: string, body: Record<string, unknown>) {
  const answer = await site.post('/post-lead', body, undefined, { 'x-forwarded-for': address });
  expect(answer.status).toBe(200);
  return (await site.leadOf(body.lead_id)).lead?.state;
}

async function postNew(address: string, count: number) {
  const bodies = Array.from({ length: count }, () => ofNewPerson());
  const states = [];
  for (const body of bodies) states.push(await post(address, body));
  return { bodies, states };
}

const rowsOf = async () =>
  (await site.database.pool.query('select 1 from address_persons')).rowCount ?? 0;

describe('the limit of leads from one IP address in an hour', () => {
  it('holds only the leads that are over the limit', async () => {
    const address = newAddress();
    const { states } = await postNew(address, LIMIT);
    expect(states).toEqual(['accepted', 'accepted', 'accepted']);
    const beyond = ofNewPerson({ tcpa: '' });
    expect(await post(address, beyond)).toBe('held');
    const { last, deliveries } = await site.leadOf(beyond.lead_id);
    expect(last?.problems.slice(0, 2)).toEqual([
      { problem: 'held', reason: 'over_address_limit' },
      { problem: 'held', reason: 'no_consent' },
    ]);
    expect(deliveries).toMatchObject([{ state: 'held', due_at: null }]);
    expect(await post(newAddress(), ofNewPerson())).toBe('accepted');
  });

  it('counts several leads of the same person only once', async () => {
    const address = newAddress();
    const same = { email: 'same@mail.example', phone: '(212) 555-0999' };
    for (let n = 0; n < LIMIT * 2; n += 1) {
      expect(await post(address, freshLead(same))).toBe('accepted');
    }
    const lead = ofNewPerson();
    for (let n = 0; n < LIMIT * 2; n += 1) await post(address, lead);
    for (let n = 0; n < LIMIT * 2; n += 1) {
      expect(await post(address, { ...lead, email: `later-${n}@mail.example` })).toBe('accepted');
    }
    expect(await post(address, ofNewPerson())).toBe('accepted');
    expect(await post(address, ofNewPerson())).toBe('held');
  });

  it('is exceeded by at most a few leads that arrive concurrently', async () => {
    const address = newAddress();
    const before = await rowsOf();
    const bodies = Array.from({ length: 30 }, () => ofNewPerson());
    const states = await Promise.all(bodies.map((body) => post(address, body)));
    const accepted = states.filter((state) => state === 'accepted').length;
    expect(accepted).toBeGreaterThanOrEqual(LIMIT);
    // Concurrent posts do not see each other's leads, so together they can exceed the limit.
    expect(accepted).toBeLessThanOrEqual(LIMIT * 4);
    expect((await rowsOf()) - before).toBeLessThanOrEqual((LIMIT + 1) * 4);
    expect(await post(address, ofNewPerson())).toBe('held');
  });

  it('stores no person for longer than a day', async () => {
    const { pool } = site.database;
    const address = newAddress();
    const { bodies } = await postNew(address, 2);
    const { rows } = await pool.query('select a::text as text from address_persons a');
    expect(rows.map(({ text }) => text).join()).not.toContain(address);
    const before = await rowsOf();
    await erase(people(pool), String(bodies[0]?.email), 'tester');
    expect(await rowsOf()).toBe(before - 1);
    await purgeOnce(pool, keepDays, new Date(Date.now() + 23 * HOUR_MS));
    expect(await rowsOf()).toBe(before - 1);
    await purgeOnce(pool, keepDays, new Date(Date.now() + 25 * HOUR_MS));
    expect(await rowsOf()).toBe(0);
  });
});

it('a lead that an operator released is held again only if a later post names another person', async () => {
  const address = newAddress();
  await postNew(address, LIMIT);
  const { bodies } = await postNew(address, 1);
  const [body = {}] = bodies;
  await release(site.database.pool, String(body.lead_id), { actor: 'tester' }, saleRules);
  expect(await post(address, { ...body, sub_id2: 'later' })).toBe('accepted');
  expect(await post(address, { ...body, email: 'another@mail.example' })).toBe('held');
});
