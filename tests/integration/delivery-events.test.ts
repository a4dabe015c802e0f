/** Tests delivery events, which report the outcomes of deliveries, and the opt-out signal. */
import { beforeEach, describe, expect, test } from 'vitest';
import type {
  Permission,
  SendRequest,
  SendResult,
} from '../../src/server/delivery/destinations/destination.ts';
import { eventTypes } from '../../src/server/delivery/destinations/event.ts';
import { planLeadEvents } from '../../src/server/delivery/lead-events.ts';
import type { DeliveryWorker } from '../../src/server/delivery/worker.ts';
import { controlled, delivered, never, pass, type TestLead } from '../support/delivery.ts';
import { deliveryForTests, MINUTE_MS, PAST_LEASE_MS } from '../support/delivery-site.ts';

const site = await deliveryForTests();
const { pool, advance, worker, insert, revise, read } = site;
/** The events that the listener received, in order. */
let told: SendRequest[] = [];
let answer: () => SendResult | Promise<SendResult> = () => delivered;
beforeEach(() => {
  told = [];
  answer = () => delivered;
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

/** Sends all due deliveries, including events. Returns the number of sent requests. */
async function workOff(each: DeliveryWorker): Promise<number> {
  let sends = 0;
  for (let more = await pass(each); more > 0; more = await pass(each)) sends += more;
  return sends;
}

async function eventsOf({ leadId }: TestLead) {
  const { rows } = await pool.query(
    `select state, event_key, event, revision, created_at from deliveries
     where lead_id = $1 and event is not null order by created_at, event_key`,
    [leadId],
  );
  return rows;
}

describe('a delivery event', () => {
  test.each([
    [{ outcome: 'delivered', externalId: 'x1' }, 'delivery.delivered', 'delivered', 'x1'],
    [{ outcome: 'rejected', code: '1004' }, 'delivery.failed', 'rejected', null],
    [{ outcome: 'failed' }, 'delivery.failed', 'dead', null],
  ] as const)('reports the outcome of the delivery', async (result, type, state, external_id) => {
    answer = () => ({ durationMs: 1, ...result });
    const lead = await insert();
    // The worker sends the lead and one event. Sending the event must not cause another event.
    expect(await workOff(worker([buyer(), listener]))).toBe(2);
    const { deliveryId, leadId } = lead;
    const { code = null } = result as Partial<SendResult>;
    expect(await site.read(lead)).toMatchObject({ state, answer_code: code });
    const key = `${type} ${deliveryId} 1`;
    const events = await eventsOf(lead);
    expect(events).toMatchObject([{ state: 'delivered', event_key: key }]);
    expect(told).toMatchObject([
      {
        leadId,
        event: {
          type,
          state,
          external_id,
          attempt: 1,
          revision: 1,
          delivery_id: deliveryId,
          destination: 'ingest',
          at: events[0].created_at.toISOString(),
        },
      },
    ]);
  });

  test('is sent when the outcome is uncertain', async () => {
    answer = () => ({ outcome: 'retry', durationMs: 1 });
    const lead = await insert();
    const each = worker([buyer(undefined, false), listener]);
    await workOff(each);
    expect(await eventsOf(lead)).toEqual([]);
    await advance(MINUTE_MS);
    answer = () => ({ outcome: 'unknown', durationMs: 1 });
    await workOff(each);
    expect(told).toMatchObject([{ event: { state: 'uncertain', attempt: 2 } }]);
  });
});

describe('the end of a delivery', () => {
  test('is rolled back if the delivery event cannot be stored', async () => {
    const lead = await insert();
    const each = worker([buyer(), listener]);
    await pool.query(
      'alter table deliveries add constraint no_events check (event is null) not valid',
    );
    await pass(each);
    await pool.query('alter table deliveries drop constraint no_events');
    expect(await read(lead)).toMatchObject({ state: 'sending' });
    expect(await eventsOf(lead)).toEqual([]);
    await advance(PAST_LEASE_MS);
    await workOff(worker([buyer(), listener]));
    expect(told).toMatchObject([{ event: { type: 'delivery.delivered', attempt: 2 } }]);
  });

  test('causes no delivery event if the lease has expired', async () => {
    let release: (result: SendResult) => void = () => undefined;
    answer = () => new Promise((resolve) => (release = resolve));
    const lead = await insert();
    const { sends } = await worker([buyer(), listener]).begin();
    await advance(PAST_LEASE_MS);
    answer = () => delivered;
    const other = worker([buyer(), listener]);
    await workOff(other);
    release({ outcome: 'failed', durationMs: 1 });
    await Promise.all(sends);
    await workOff(other);
    expect(told).toMatchObject([{ event: { type: 'delivery.delivered', attempt: 2 } }]);
    expect(await eventsOf(lead)).toHaveLength(1);
  });

  test('causes one delivery event if the worker died while sending', async () => {
    answer = never;
    const lead = await insert();
    await worker([buyer(undefined, false), listener]).begin();
    await advance(PAST_LEASE_MS);
    const other = worker([buyer(undefined, false), listener]);
    await other.park();
    await other.park();
    await workOff(other);
    expect(told).toMatchObject([
      { event: { type: 'delivery.failed', state: 'uncertain', attempt: 1, revision: 1 } },
    ]);
    expect(await eventsOf(lead)).toHaveLength(1);
  });
});

describe('an event about a lead that a buyer got', () => {
  const events = ['lead.sold', 'lead.returned'] as const;
  const about = (lead: TestLead, type: 'lead.sold' | 'lead.returned') => ({
    leadId: lead.leadId,
    event: {
      type,
      delivery_id: lead.deliveryId,
      destination: 'ingest',
      value: 90,
      currency: 'USD' as const,
    },
  });
  /** The time of the sale in the platform's last request. */
  let soldAt: Date | undefined;
  const platform = (appliesTo = true) => {
    const send = async ({ ad }: SendRequest) => {
      soldAt = ad?.soldAt;
      return answer();
    };
    return controlled('meta', send, { events, isAdPlatform: true, appliesTo: () => appliesTo });
  };
  const plan = (lead: TestLead, type: (typeof events)[number], all = [platform(), listener]) =>
    planLeadEvents(pool, [about(lead, type)], all);
  const statesOf = async (lead: TestLead, destination: string) => {
    const { rows } = await pool.query(
      `select split_part(event_key, ' ', 1) as type, state, end_reason from deliveries
       where lead_id = $1 and destination = $2 order by created_at`,
      [lead.leadId, destination],
    );
    return rows.map(({ type, state, end_reason }) => [type, state, end_reason ?? '']);
  };

  test('is planned once for each listener that wants it and takes the lead', async () => {
    const lead = await insert();
    expect(await plan(lead, 'lead.sold', [platform(false), listener])).toBe(1);
    expect(await plan(lead, 'lead.sold')).toBe(1);
    expect(await plan(lead, 'lead.sold')).toBe(0);
    const silent = controlled('tiktok', async () => delivered, { events: ['lead.accepted'] });
    expect(await plan(lead, 'lead.returned', [silent])).toBe(0);
  });

  test('tells an ad platform of a return once it has confirmed the sale', async () => {
    const lead = await insert();
    const each = worker([platform(), listener]);
    answer = () => ({ outcome: 'retry', durationMs: 1 });
    await plan(lead, 'lead.sold');
    await workOff(each);
    await plan(lead, 'lead.returned');
    await workOff(each);
    expect(told.map(({ event }) => event?.type)).toEqual(events);
    expect(await statesOf(lead, 'meta')).toEqual([
      ['lead.sold', 'retrying', ''],
      ['lead.returned', 'waiting', ''],
    ]);
    answer = () => delivered;
    await advance(2 * MINUTE_MS);
    await workOff(each);
    await advance(2 * MINUTE_MS);
    await workOff(each);
    expect(await statesOf(lead, 'meta')).toEqual([
      ['lead.sold', 'delivered', ''],
      ['lead.returned', 'delivered', ''],
    ]);
    // A platform that changes the conversion of the sale needs the time of that event.
    const { rows } = await pool.query(
      `select created_at from deliveries where lead_id = $1 and destination = 'meta'
         and event->>'type' = 'lead.sold'`,
      [lead.leadId],
    );
    expect(soldAt).toEqual(rows[0]?.created_at);
  });

  test.each([true, false])(
    'drops the return if the ad platform never confirmed the sale (planned: %s)',
    async (isPlanned) => {
      const lead = await insert();
      const each = worker([platform()]);
      answer = () => ({ outcome: 'rejected', durationMs: 1 });
      if (isPlanned) await plan(lead, 'lead.sold');
      await workOff(each);
      await plan(lead, 'lead.returned');
      await workOff(each);
      const returned = ['lead.returned', 'suppressed', 'not_reported'];
      expect((await statesOf(lead, 'meta')).at(-1)).toEqual(returned);
    },
  );
});

test('the opt-out signal of one lead does not stop another lead of the same person', async () => {
  const withSignal = await insert();
  const lead = await insert();
  await pool.query(
    `with shared as (
       update lead_revisions set (email_key, phone_key) =
         (select email_key, phone_key from lead_revisions where lead_id = $2)
     )
     update leads set sec_gpc = id = $1`,
    [withSignal.leadId, lead.leadId],
  );
  await workOff(worker([buyer({ consent: 'any', stopsAtOptOut: true })]));
  expect((await read(withSignal)).state).toBe('suppressed');
  expect((await read(lead)).state).toBe('delivered');
});

test.each([
  ['given', 366, 'suppressed', 'no_authorization'],
  ['given', 364, 'delivered', null],
  ['any', 366, 'delivered', null],
] as const)(
  'a lead with a health authorization goes to a destination with consent "%s" after %i days',
  async (consent, days, state, end_reason) => {
    const lead = await insert();
    await revise(lead, { tcpa: 'I agree to be called.' });
    await pool.query(
      `with signed as (
         update lead_revisions set body = '{"health_authorization":"yes"}' where lead_id = $1
       )
       update leads set created_at = now() - $2::int * interval '1 day' where id = $1`,
      [lead.leadId, days],
    );
    await workOff(worker([buyer({ consent, stopsAtOptOut: false })]));
    expect(await read(lead)).toMatchObject({ state, end_reason });
  },
);

describe('a delivery to a destination with a consent rule', () => {
  const permissions: Readonly<Record<string, Permission>> = {
    any: { consent: 'any', stopsAtOptOut: false },
    given: { consent: 'given', stopsAtOptOut: false },
    opt_out: { consent: 'any', stopsAtOptOut: true },
  };
  const said = { tcpa: 'I agree to be called.' };

  test.each([
    ['any', {}, true, undefined],
    ['given', { tcpa: '' }, false, 'no_consent'],
    ['given', said, true, undefined],
    ['opt_out', said, true, 'opted_out'],
    ['opt_out', {}, false, undefined],
  ])(
    'is suppressed if the lead does not meet the rule',
    async (name, changes, secGpc, endReason) => {
      const lead = await insert();
      await revise(lead, changes);
      await pool.query('update leads set sec_gpc = $2 where id = $1', [lead.leadId, secGpc]);
      const sends = await workOff(worker([buyer(permissions[name])]));
      const delivery = await read(lead);
      expect(sends).toBe(endReason === undefined ? 1 : 0);
      if (endReason === undefined) expect(delivery.state).toBe('delivered');
      else {
        const kept = { state: 'suppressed', end_reason: endReason, attempts: 0, log: [] };
        expect(delivery).toMatchObject(kept);
      }
    },
  );
});
