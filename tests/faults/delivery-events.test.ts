/**
 * Delivery events and the opt-out signal, against a real database. An event is written with the outcome it
 * reports or not at all, and only leads cause events.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resendDelivery } from '../../src/server/delivery/changes.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../../src/server/delivery/worker.ts';
import type {
  ConnectedDestination,
  Permission,
  SendRequest,
  SendResult,
} from '../../src/server/destinations/destination.ts';
import { eventTypes } from '../../src/server/destinations/event.ts';
import { type TestDatabase, testLog, withDatabase } from '../support/postgres.ts';
import {
  controlled,
  delivered,
  forgetLeads,
  insertLead,
  never,
  pass,
  readDelivery,
  reviseLead,
  type TestLead,
} from './delivery-fixture.ts';

const PAST_LEASE_MS = 16_000;
let database: TestDatabase;
let now = new Date();
const workers: DeliveryWorker[] = [];
/** The events that the listener received, in order. */
let told: SendRequest[] = [];
let answer: () => SendResult | Promise<SendResult> = () => delivered;

beforeAll(async () => {
  database = await withDatabase({ poolMax: 10 });
});
beforeEach(async () => {
  await forgetLeads(database.pool);
  now = new Date();
  told = [];
  answer = () => delivered;
});
afterEach(() => {
  for (const each of workers.splice(0)) each.stop();
});
afterAll(async () => {
  await database.drop();
});

const buyer = (permission?: Permission, recognisesDuplicates = true) =>
  controlled('ingest', async () => answer(), {
    recognisesDuplicates,
    ...(permission && { permission }),
  });
const listener = controlled(
  'webhook',
  async (request) => {
    told.push(request);
    return delivered;
  },
  { events: eventTypes },
);

function worker(destinations: readonly ConnectedDestination[], owner = 'worker-a') {
  const made = createDeliveryWorker({
    pool: database.pool,
    destinations,
    concurrency: 5,
    owner,
    log: testLog,
    alert: () => undefined,
    now: () => now,
    random: () => 0.5,
  });
  workers.push(made);
  return made;
}

/** Sends everything that is due. */
async function workOff(each: DeliveryWorker): Promise<number> {
  let sends = 0;
  for (let more = await pass(each); more > 0; more = await pass(each)) sends += more;
  return sends;
}

async function eventsOf({ leadId }: TestLead) {
  const { rows } = await database.pool.query(
    `select state, event_key, event, revision from deliveries
     where lead_id = $1 and event is not null order by created_at, event_key`,
    [leadId],
  );
  return rows;
}

describe('the end of a delivery is reported', () => {
  test.each([
    [{ outcome: 'delivered', externalId: 'x1' }, 'delivery.delivered', 'delivered', 'x1'],
    [{ outcome: 'rejected' }, 'delivery.failed', 'rejected', null],
    [{ outcome: 'failed' }, 'delivery.failed', 'dead', null],
  ] as const)('%o: %s', async (result, type, state, external_id) => {
    answer = () => ({ durationMs: 1, ...result });
    const lead = await insertLead(database.pool);
    // The lead and its event are sent; an event causes no further event.
    expect(await workOff(worker([buyer(), listener]))).toBe(2);
    const { deliveryId, leadId } = lead;
    const key = `${type} ${deliveryId} 1`;
    expect(await eventsOf(lead)).toMatchObject([{ state: 'delivered', event_key: key }]);
    expect(told).toMatchObject([
      {
        leadId,
        event: {
          ...{ type, state, external_id, attempt: 1, revision: 1 },
          delivery_id: deliveryId,
          destination: 'ingest',
          at: now.toISOString(),
        },
      },
    ]);
  });

  test('uncertain is reported as a failure; a planned retry is not', async () => {
    answer = () => ({ outcome: 'retry', durationMs: 1 });
    const lead = await insertLead(database.pool);
    const each = worker([buyer(undefined, false), listener]);
    await workOff(each);
    expect(await eventsOf(lead)).toEqual([]);
    now = new Date(now.getTime() + 60_000);
    answer = () => ({ outcome: 'unknown', durationMs: 1 });
    await workOff(each);
    expect(told).toMatchObject([{ event: { state: 'uncertain', attempt: 2 } }]);
  });

  test('a second end makes a second event', async () => {
    answer = () => ({ outcome: 'failed', durationMs: 1 });
    const lead = await insertLead(database.pool);
    const each = worker([buyer(), listener]);
    await workOff(each);
    answer = () => delivered;
    await resendDelivery(database.pool, lead.deliveryId);
    now = new Date(now.getTime() + 1_000);
    await workOff(each);
    expect(told.map(({ event }) => event)).toMatchObject([
      { type: 'delivery.failed', attempt: 1 },
      { type: 'delivery.delivered', attempt: 2 },
    ]);
  });

  test('only the listener’s chosen events are written, and none without a listener', async () => {
    const some = { ...listener, events: ['delivery.failed'] as const };
    const first = await insertLead(database.pool);
    await workOff(worker([buyer(), some]));
    expect(await eventsOf(first)).toEqual([]);
    const second = await insertLead(database.pool);
    await workOff(worker([buyer()], 'worker-b'));
    expect(await eventsOf(second)).toEqual([]);
  });
});

describe('both or neither', () => {
  test('if the event cannot be written, the delivery has not ended either', async () => {
    const lead = await insertLead(database.pool);
    const each = worker([buyer(), listener]);
    await database.pool.query(
      'alter table deliveries add constraint no_events check (event is null) not valid',
    );
    await pass(each);
    await database.pool.query('alter table deliveries drop constraint no_events');
    expect(await readDelivery(database.pool, lead.deliveryId)).toMatchObject({ state: 'sending' });
    expect(await eventsOf(lead)).toEqual([]);
    now = new Date(now.getTime() + PAST_LEASE_MS);
    await workOff(worker([buyer(), listener], 'worker-b'));
    expect(told).toMatchObject([{ event: { type: 'delivery.delivered', attempt: 2 } }]);
  });

  test('an end after the lease expired causes no event', async () => {
    let release: (result: SendResult) => void = () => undefined;
    answer = () => new Promise((resolve) => (release = resolve));
    const lead = await insertLead(database.pool);
    const { sends } = await worker([buyer(), listener]).begin();
    now = new Date(now.getTime() + PAST_LEASE_MS);
    answer = () => delivered;
    const other = worker([buyer(), listener], 'worker-b');
    await workOff(other);
    release({ outcome: 'failed', durationMs: 1 });
    await Promise.all(sends);
    await workOff(other);
    expect(told).toMatchObject([{ event: { type: 'delivery.delivered', attempt: 2 } }]);
    expect(await eventsOf(lead)).toHaveLength(1);
  });

  test('a delivery parked after its worker died is reported once', async () => {
    answer = never;
    const lead = await insertLead(database.pool);
    await worker([buyer(undefined, false), listener]).begin();
    now = new Date(now.getTime() + PAST_LEASE_MS);
    const other = worker([buyer(undefined, false), listener], 'worker-b');
    await other.park();
    await other.park();
    await workOff(other);
    expect(told).toMatchObject([
      { event: { type: 'delivery.failed', state: 'uncertain', attempt: 1, revision: 1 } },
    ]);
    expect(await eventsOf(lead)).toHaveLength(1);
  });
});

test('a resent event still describes its own revision', async () => {
  const lead = await insertLead(database.pool, { destination: 'webhook' });
  await database.pool.query(
    `update deliveries set event_key = 'lead.accepted', revision = 1,
       event = '{"type":"lead.accepted","revision":1}' where id = $1`,
    [lead.deliveryId],
  );
  await reviseLead(database.pool, lead, { first_name: 'Bea' });
  await workOff(worker([listener]));
  await resendDelivery(database.pool, lead.deliveryId);
  now = new Date(now.getTime() + 1_000);
  await workOff(worker([listener], 'worker-b'));
  expect(told).toHaveLength(2);
  for (const { fields, event } of told) {
    expect(fields.first_name).toBe('Ana');
    expect(event).toMatchObject({ type: 'lead.accepted', revision: 1 });
  }
});

test('the opt-out signal of another lead of the same person withholds nothing', async () => {
  const withSignal = await insertLead(database.pool);
  const lead = await insertLead(database.pool);
  await database.pool.query(
    `update leads set sec_gpc = id = $1,
       email_key = (select email_key from leads where id = $2),
       phone_key = (select phone_key from leads where id = $2)`,
    [withSignal.leadId, lead.leadId],
  );
  await workOff(worker([buyer({ consent: 'any', stopsAtOptOut: true })]));
  expect((await readDelivery(database.pool, withSignal.deliveryId)).state).toBe('suppressed');
  expect((await readDelivery(database.pool, lead.deliveryId)).state).toBe('delivered');
});

describe('what the person’s own choice withholds', () => {
  const permissions: Readonly<Record<string, Permission>> = {
    any: { consent: 'any', stopsAtOptOut: false },
    given: { consent: 'given', stopsAtOptOut: false },
    one_to_one: { consent: 'one_to_one', stopsAtOptOut: false },
    opt_out: { consent: 'any', stopsAtOptOut: true },
  };
  const said = { tcpa: 'I agree to be called.' };
  const chosen = { ...said, '1_to_1_consent': 'yes' };

  test.each([
    ['any', {}, true, undefined],
    ['given', {}, false, /no consent text/],
    ['given', { tcpa: '' }, false, /no consent text/],
    ['given', said, true, undefined],
    ['one_to_one', said, true, /agreed to no buyer/],
    ['one_to_one', { ...said, '1_to_1_consent': 'no' }, false, /agreed to no buyer/],
    ['one_to_one', chosen, false, undefined],
    ['opt_out', said, true, /came with the opt-out signal \(Sec-GPC\)/],
    ['opt_out', {}, false, undefined],
  ])('%s, %o, opted out: %s: %s', async (name, changes, secGpc, message) => {
    const lead = await insertLead(database.pool);
    await reviseLead(database.pool, lead, changes);
    await database.pool.query('update leads set sec_gpc = $2 where id = $1', [lead.leadId, secGpc]);
    const sends = await workOff(worker([buyer(permissions[name])]));
    const delivery = await readDelivery(database.pool, lead.deliveryId);
    expect(sends).toBe(message === undefined ? 1 : 0);
    if (message === undefined) expect(delivery.state).toBe('delivered');
    else {
      expect(delivery).toMatchObject({ state: 'suppressed', attempts: 0, log: [] });
      expect(delivery.last_message).toMatch(message);
    }
  });
});
