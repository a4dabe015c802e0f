import { describe, expect, test } from 'vitest';
import type { FailureMode } from '../../sandbox/failures.ts';
import type {
  ConnectedDestination,
  SendResult,
} from '../../src/server/delivery/destinations/destination.ts';
import { controlled, delivered, never, pass, until } from '../support/delivery.ts';
import { deliveryForTests, MINUTE_MS, PAST_LEASE_MS } from '../support/delivery-site.ts';

const site = await deliveryForTests();
const { pool, sandbox, alerts, advance, dueInAMinute, worker, ingest, insert, insertMany, read } =
  site;

const effectCounts = (leadId: string) =>
  sandbox
    .effects()
    .filter(({ detail }) => detail.lead_id === leadId)
    .map(({ count }) => count);

describe('a failed attempt', () => {
  test.each<[FailureMode, first: string, second: string]>([
    ['timeout', 'unknown', 'delivered'],
    ['500', 'server_error', 'delivered'],
    ['accept_then_reset', 'unknown', 'duplicate'],
  ])('is retried without delivering the lead twice (%s)', async (mode, one, two) => {
    const lead = await insert();
    sandbox.fail({ service: 'ingest', mode, delay_ms: 20, times: 1 });
    await pass(worker([ingest(mode === 'timeout' ? 1_500 : undefined)]));
    const first = await read(lead);
    expect(first).toMatchObject({ state: 'retrying', attempts: 1, lease_owner: null });
    expect(first.log).toMatchObject([
      { attempt: 1, outcome: one, ended_at: expect.any(Date), error: expect.any(String) },
    ]);
    // A timer of 20 ms may fire a millisecond early.
    expect(first.log[0]?.duration_ms).toBeGreaterThanOrEqual(19);
    expect(Number(first.due_at)).toBeGreaterThan(Number(first.log[0]?.ended_at) + 1_000);

    const other = worker([ingest()]);
    await dueInAMinute();
    expect(await pass(other)).toBe(0);
    expect(await read(lead)).toMatchObject({ attempts: 1 });
    await advance(MINUTE_MS);
    expect(await pass(other)).toBe(1);
    const last = await read(lead);
    expect(last).toMatchObject({
      state: 'delivered',
      attempts: 2,
      due_at: null,
      finished_at: expect.any(Date),
      external_id: expect.any(String),
    });
    expect(last.log.map(({ outcome }) => outcome)).toEqual([one, two]);
    expect(effectCounts(lead.leadId)).toEqual([1]);
    expect(alerts).toEqual([]);
    expect(await pass(other)).toBe(0);
  });

  test('is not retried if the lead cannot be encoded', async () => {
    const [bad, good] = await insertMany(2);
    if (!bad || !good) throw new Error('No leads were written');
    const picky = controlled('ingest', async () => delivered);
    const { prepare } = picky;
    picky.prepare = (request) => {
      if (request.leadId === bad.leadId) throw new TypeError('ana@example.com');
      return prepare(request);
    };
    await pass(worker([picky]));
    const dead = await read(bad);
    expect(dead).toMatchObject({ state: 'dead', attempts: 1, may_have_arrived: false });
    expect(dead.log[0]).toMatchObject({ outcome: 'failed', sent_sha256: null });
    expect(JSON.stringify(dead)).not.toContain('ana@');
    expect(alerts).toHaveLength(1);
    expect(await read(good)).toMatchObject({ state: 'delivered' });
  });
});

test('a worker sends only deliveries in the state waiting or retrying', async () => {
  const states = 'held no_destination delivered rejected dead uncertain suppressed'.split(' ');
  for (const state of states) await insert({ state });
  await pool.query(`update deliveries set due_at = 'epoch'`);
  await advance(6_000 * MINUTE_MS);
  const a = worker([ingest(), controlled('webhook', never, { recognisesDuplicates: false })]);
  expect(await pass(a)).toBe(0);
  await a.park();
  expect(sandbox.received('ingest')).toEqual([]);
  const { rows } = await pool.query('select state, attempts from deliveries order by id');
  expect(new Set(rows)).toEqual(new Set(states.map((state) => ({ state, attempts: 0 }))));
});

describe('a worker that dies or freezes', () => {
  test('is replaced by another worker, for which the answer DUPLICATED means delivered', async () => {
    const lead = await insert();
    const real = ingest();
    const dying: ConnectedDestination = {
      ...real,
      prepare(request) {
        const prepared = real.prepare(request);
        if (!('send' in prepared)) return prepared;
        return { body: prepared.body, send: () => prepared.send().then(never) };
      },
    };
    await worker([dying], { owner: 'dead-worker' }).begin();
    await until(async () => sandbox.effects().length === 1);
    const next = worker([real]);
    const held = await read(lead);
    expect(held).toMatchObject({ state: 'sending', attempts: 1, lease_owner: 'dead-worker' });
    await dueInAMinute();
    expect(await pass(next)).toBe(0);
    await advance(MINUTE_MS);
    expect(await pass(next)).toBe(1);
    const delivery = await read(lead);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2, may_have_arrived: true });
    expect(delivery.log.map(({ outcome }) => outcome)).toEqual(['unknown', 'duplicate']);
    expect(effectCounts(lead.leadId)).toEqual([1]);
  });

  test('cannot store an outcome after the lease has expired', async () => {
    const lead = await insert();
    const thaws: ((result: SendResult) => void)[] = [];
    const frozen = controlled('ingest', () => new Promise((resolve) => thaws.push(resolve)));
    const a = worker([frozen]);
    const first = await a.begin();
    await advance(PAST_LEASE_MS);
    const second = await a.begin();
    const before = await read(lead);
    expect(before).toMatchObject({ state: 'sending', attempts: 2 });
    thaws[0]?.({ outcome: 'rejected', externalId: 'late', durationMs: 16_000 });
    await Promise.all(first.sends);
    expect(await read(lead)).toEqual(before);

    await advance(PAST_LEASE_MS);
    await pass(worker([ingest()]));
    const after = await read(lead);
    expect(after).toMatchObject({ state: 'delivered', attempts: 3 });
    thaws[1]?.({ outcome: 'retry', error: 'late', externalId: 'late', durationMs: 16_000 });
    await Promise.all(second.sends);
    expect(await read(lead)).toEqual(after);
  });

  test('leaves the delivery uncertain if the destination does not recognise duplicates', async () => {
    const lead = await insert({ destination: 'webhook' });
    let sends = 0;
    const send = () => {
      sends += 1;
      return never();
    };
    const destination = controlled('webhook', send, { recognisesDuplicates: false });
    await worker([destination]).begin();
    await until(async () => sends === 1);
    const b = worker([destination]);
    await b.park(); // The lease has not expired, so nothing happens.
    expect(await read(lead)).toMatchObject({ state: 'sending' });
    await advance(PAST_LEASE_MS);
    expect(await pass(b)).toBe(0);
    await b.park();
    await b.park();
    expect(await pass(b)).toBe(0);
    expect(sends).toBe(1);
    expect(await read(lead)).toMatchObject({
      state: 'uncertain',
      last_message: '',
      attempts: 1,
      lease_owner: null,
      may_have_arrived: true,
      log: [{ outcome: 'unknown' }],
    });
    expect(alerts).toHaveLength(1);
  });
});
