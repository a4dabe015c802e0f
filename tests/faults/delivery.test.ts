/**
 * Delivery against a real database and the sandbox: every way in which the ingest service can fail,
 * two workers on one database, dead and frozen workers, lost jobs, a backlog.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FailureMode } from '../../sandbox/failures.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import {
  type Destination,
  type SendResult,
  startDelivery,
} from '../../src/server/delivery/index.ts';
import { reconcile } from '../../src/server/delivery/reconciler.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../../src/server/delivery/worker.ts';
import { createOutgoingHttp } from '../../src/server/providers/outgoing-http.ts';
import { openDatabase } from '../../src/server/storage/database.ts';
import { createQueue, DELIVERY_DEAD_QUEUE, type Queue } from '../../src/server/storage/queue.ts';
import { stopTestPostgres, type TestDatabase, testLog, withDatabase } from '../support/postgres.ts';
import {
  insertLead,
  insertLeads,
  liveJobs,
  readDelivery,
  sandboxIngest,
  until,
} from './delivery-fixture.ts';

const HOUR_MS = 60 * 60 * 1000;
const http = createOutgoingHttp({ allowPrivateNetworks: true });
let database: TestDatabase;
let queue: Queue;
let sandbox: Sandbox;
let now = new Date();
let alerts: string[] = [];
const workers: DeliveryWorker[] = [];

beforeAll(async () => {
  database = await withDatabase({ poolMax: 20 });
  queue = createQueue({ connectionString: database.connectionString, log: testLog });
  await queue.start();
  sandbox = await startSandbox();
});
beforeEach(() => {
  now = new Date();
  alerts = [];
  sandbox.reset();
});
afterEach(() => {
  for (const worker of workers.splice(0)) worker.stop();
});
afterAll(async () => {
  await queue.stop({ graceful: true, timeoutMs: 5_000 });
  await sandbox.close();
  await http.close();
  await database.drop();
  await stopTestPostgres();
});

const alert = (text: string) => void alerts.push(text);

/** A worker with the test's clock. */
function worker(destinations: readonly Destination[], owner = 'worker-a'): DeliveryWorker {
  const { pool } = database;
  const made = createDeliveryWorker({
    pool,
    queue,
    destinations,
    owner,
    log: testLog,
    alert,
    now: () => now,
    random: () => 0.5,
  });
  workers.push(made);
  return made;
}

const ingest = (timeoutMs = 200) => sandboxIngest(sandbox, http, timeoutMs);
const effectCounts = (leadId: string) =>
  sandbox
    .effects()
    .filter((effect) => effect.detail.lead_id === leadId)
    .map((effect) => effect.count);

/** A destination under the test's control. */
function controlled(
  name: string,
  send: Destination['send'],
  recognisesDuplicates = true,
): Destination {
  return { name, recognisesDuplicates, send };
}

function advanceTo(time: Date | null): void {
  if (time === null) throw new Error('No next attempt is planned');
  now = new Date(time.getTime());
}

describe('each failure of the service', () => {
  const cases: [
    FailureMode,
    { first: string; firstState: string; second: string; last: string },
  ][] = [
    [
      'timeout',
      { first: 'unknown', firstState: 'retrying', second: 'delivered', last: 'delivered' },
    ],
    ['reset', { first: 'unknown', firstState: 'retrying', second: 'delivered', last: 'delivered' }],
    ['500', { first: 'unknown', firstState: 'retrying', second: 'delivered', last: 'delivered' }],
    ['429', { first: 'retry', firstState: 'retrying', second: 'delivered', last: 'delivered' }],
    [
      'garbage',
      { first: 'unknown', firstState: 'retrying', second: 'delivered', last: 'delivered' },
    ],
    [
      'redirect',
      { first: 'retry', firstState: 'retrying', second: 'delivered', last: 'delivered' },
    ],
    // The effect was there; the second time the service says so, and that counts as delivered.
    [
      'accept_then_hang',
      { first: 'unknown', firstState: 'retrying', second: 'duplicate', last: 'delivered' },
    ],
    [
      'accept_then_reset',
      { first: 'unknown', firstState: 'retrying', second: 'duplicate', last: 'delivered' },
    ],
  ];
  test.each(cases)('%s: sent again, delivered once', async (mode, expected) => {
    const { leadId, deliveryId } = await insertLead(database.pool);
    const { deliver } = worker([ingest()]);
    sandbox.fail({ service: 'ingest', mode, times: 1 });
    await deliver(deliveryId);
    const first = await readDelivery(database.pool, deliveryId);
    expect(first).toMatchObject({ state: expected.firstState, attempts: 1, lease_owner: null });
    expect(first.log).toHaveLength(1);
    expect(first.log[0]).toMatchObject({ attempt: 1, outcome: expected.first });
    expect(first.log[0]?.ended_at).not.toBeNull();
    expect(first.log[0]?.error).not.toBeNull();
    expect(first.log[0]?.duration_ms).toBeGreaterThanOrEqual(0);
    const [job] = await liveJobs(database.pool, deliveryId);
    expect(Math.abs(Number(job?.startAfter) - Number(first.next_attempt_at))).toBeLessThan(3_000);

    // Not before its time …
    await deliver(deliveryId);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ attempts: 1 });
    // … and then once.
    advanceTo(first.next_attempt_at);
    await deliver(deliveryId);
    const last = await readDelivery(database.pool, deliveryId);
    expect(last).toMatchObject({ state: expected.last, attempts: 2, next_attempt_at: null });
    expect(last.log.map((attempt) => attempt.outcome)).toEqual([expected.first, expected.second]);
    expect(last.finished_at).not.toBeNull();
    expect(last.external_id).not.toBeNull();
    expect(effectCounts(leadId)).toEqual([1]);
    expect(alerts).toEqual([]);

    // It has ended: another job changes nothing.
    await deliver(deliveryId);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ attempts: 2 });
  });

  test('429 with Retry-After is not called before', async () => {
    const { deliveryId } = await insertLead(database.pool);
    sandbox.fail({ service: 'ingest', mode: '429', retry_after: 3_600 });
    await worker([ingest()]).deliver(deliveryId);
    const { next_attempt_at } = await readDelivery(database.pool, deliveryId);
    expect(Number(next_attempt_at) - now.getTime()).toBeGreaterThanOrEqual(HOUR_MS);
  });

  test('DUPLICATED on a clean first attempt is final: someone else sold it', async () => {
    const { deliveryId } = await insertLead(database.pool);
    sandbox.fail({ service: 'ingest', mode: 'duplicate', times: 1 });
    await worker([ingest()]).deliver(deliveryId);
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({ state: 'rejected', attempts: 1 });
    expect(delivery.log[0]).toMatchObject({ outcome: 'duplicate', http_status: 200 });
    expect(await liveJobs(database.pool, deliveryId)).toEqual([]);
  });

  test('410 is a dead letter with an alert, and nothing is deleted', async () => {
    const { leadId, deliveryId } = await insertLead(database.pool);
    sandbox.fail({ service: 'ingest', mode: '410' });
    await worker([ingest()]).deliver(deliveryId);
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({ state: 'dead', attempts: 1, lead_id: leadId });
    expect(delivery.log[0]).toMatchObject({ outcome: 'failed', http_status: 410 });
    expect(alerts).toHaveLength(1);
  });

  test('the redirect to a link-local address is not followed', async () => {
    const { deliveryId } = await insertLead(database.pool);
    sandbox.fail({
      service: 'ingest',
      mode: 'redirect',
      location: `${sandbox.url}/direct_post`,
      times: 1,
    });
    await worker([ingest()]).deliver(deliveryId);
    expect(sandbox.received()).toHaveLength(1);
    expect((await readDelivery(database.pool, deliveryId)).log[0]?.error).toContain('redirect');
  });

  test('a test lead is marked', async () => {
    const { deliveryId } = await insertLead(database.pool, { isTest: true });
    await worker([ingest()]).deliver(deliveryId);
    expect(sandbox.effects()[0]?.detail.lp_action).toBe('test');
    expect(sandbox.violations()).toEqual([]);
  });

  test('a service that is down for 3 days: 20 growing pauses, then a dead letter and one alert', async () => {
    const { leadId, deliveryId } = await insertLead(database.pool);
    const { deliver } = worker([ingest()]);
    const begun = now.getTime();
    sandbox.fail({ service: 'ingest', mode: '500' });
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await deliver(deliveryId);
      const delivery = await readDelivery(database.pool, deliveryId);
      expect(delivery.attempts).toBe(attempt);
      if (attempt < 20) {
        expect(delivery.state).toBe('retrying');
        advanceTo(delivery.next_attempt_at);
      }
    }
    const dead = await readDelivery(database.pool, deliveryId);
    expect(dead).toMatchObject({ state: 'dead', lead_id: leadId, next_attempt_at: null });
    expect(dead.log).toHaveLength(20);
    expect((now.getTime() - begun) / HOUR_MS).toBeGreaterThan(66);
    expect(alerts).toHaveLength(1);
    expect(effectCounts(leadId)).toEqual([]);
  });
});

describe('more than one worker', () => {
  test('many jobs for one delivery at once send it once', async () => {
    const open = openDatabase({
      connectionString: database.connectionString,
      poolMax: 20,
      log: testLog,
    });
    try {
      const { leadId, deliveryId } = await insertLead(database.pool);
      sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms: 300 });
      const a = worker([ingest(5_000)], 'worker-a');
      const b = createDeliveryWorker({
        pool: open.pool,
        queue,
        destinations: [ingest(5_000)],
        owner: 'worker-b',
        log: testLog,
        alert,
      });
      workers.push(b);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? a : b).deliver(deliveryId)),
      );
      expect(sandbox.received('ingest')).toHaveLength(1);
      expect(effectCounts(leadId)).toEqual([1]);
      expect(await readDelivery(database.pool, deliveryId)).toMatchObject({
        state: 'delivered',
        attempts: 1,
      });
    } finally {
      await open.close();
    }
  });

  test('the lease of a dead worker runs out, and DUPLICATED then counts as delivered', async () => {
    const { leadId, deliveryId } = await insertLead(database.pool);
    // The worker's process dies after the service took the lead: nothing is ever written.
    let sent: (() => void) | undefined;
    const wasSent = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const real = ingest(5_000);
    const dying = controlled('ingest', async (request) => {
      await real.send(request);
      sent?.();
      return new Promise<SendResult>(() => undefined);
    });
    void worker([dying], 'dead-worker').deliver(deliveryId);
    await wasSent;
    const { deliver } = worker([real], 'worker-b');
    await deliver(deliveryId); // The lease is live: nothing happens.
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({
      state: 'sending',
      attempts: 1,
      lease_owner: 'dead-worker',
    });

    now = new Date(now.getTime() + 16_000);
    await deliver(deliveryId);
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(delivery.log.map((attempt) => attempt.outcome)).toEqual(['unknown', 'duplicate']);
    expect(effectCounts(leadId)).toEqual([1]);
  });

  test("a frozen worker's late completion changes nothing", async () => {
    const { deliveryId } = await insertLead(database.pool);
    let thaw: ((result: SendResult) => void) | undefined;
    const frozen = controlled(
      'ingest',
      () =>
        new Promise<SendResult>((resolve) => {
          thaw = resolve;
        }),
    );
    const late = worker([frozen], 'frozen-worker').deliver(deliveryId);
    await until(async () => thaw !== undefined, 5_000);
    now = new Date(now.getTime() + 16_000);
    await worker([ingest(5_000)], 'worker-b').deliver(deliveryId);
    const before = await readDelivery(database.pool, deliveryId);
    expect(before).toMatchObject({ state: 'delivered', attempts: 2 });

    thaw?.({ outcome: 'retry', error: 'late', externalId: 'late', durationMs: 16_000 });
    await late;
    expect(await readDelivery(database.pool, deliveryId)).toEqual(before);
    expect(await liveJobs(database.pool, deliveryId)).toEqual([]);
  });

  test('two processes on one queue: every lead once, none lost', async () => {
    const strict = await startSandbox({ recogniseDuplicates: false });
    const other = createQueue({ connectionString: database.connectionString, log: testLog });
    await other.start();
    const own = createQueue({ connectionString: database.connectionString, log: testLog });
    await own.start();
    const options = {
      pool: database.pool,
      destinations: [sandboxIngest(strict, http, 5_000)],
      log: testLog,
      alert,
    };
    const leads = await insertLeads(database.pool, 300);
    // Two jobs for each, as after a crash.
    await database.pool.query('begin');
    for (const { deliveryId } of [...leads, ...leads]) {
      await queue.boss.send('delivery', { deliveryId });
    }
    await database.pool.query('commit');
    const running = [
      await startDelivery({ ...options, queue: own }),
      await startDelivery({ ...options, queue: other }),
    ];
    try {
      const ids = leads.map((lead) => lead.deliveryId);
      await until(async () => (await countDelivered(ids)) === leads.length, 30_000);
      const effects = strict.effects();
      expect(effects).toHaveLength(leads.length);
      expect(effects.every((effect) => effect.count === 1)).toBe(true);
      expect(strict.violations()).toEqual([]);
    } finally {
      await own.stop({ graceful: true, timeoutMs: 5_000 });
      await other.stop({ graceful: true, timeoutMs: 5_000 });
      for (const one of running) await one.stop();
      await strict.close();
    }
  });
});

async function countDelivered(deliveryIds: readonly string[]): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from deliveries where state = 'delivered' and id = any($1::uuid[])`,
    [deliveryIds],
  );
  return rows[0]?.count ?? 0;
}

describe('a destination that does not recognise duplicates', () => {
  const webhook = (send: Destination['send']) => controlled('webhook', send, false);

  test('an unknown outcome is parked and shown, not sent again', async () => {
    const { deliveryId } = await insertLead(database.pool, { destination: 'webhook' });
    let sends = 0;
    const { deliver } = worker([
      webhook(async () => {
        sends += 1;
        return { outcome: 'unknown', error: 'No answer', durationMs: 1 };
      }),
    ]);
    await deliver(deliveryId);
    now = new Date(now.getTime() + 100 * HOUR_MS);
    await deliver(deliveryId);
    expect(sends).toBe(1);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state: 'uncertain' });
    expect(alerts).toHaveLength(1);
  });

  test('a worker that died during the send leaves it parked', async () => {
    const { deliveryId } = await insertLead(database.pool, { destination: 'webhook' });
    let sends = 0;
    const destination = webhook(() => {
      sends += 1;
      return new Promise<SendResult>(() => undefined);
    });
    const { deliver } = worker([destination], 'dead-worker');
    void deliver(deliveryId);
    await until(async () => sends === 1, 5_000);
    now = new Date(now.getTime() + 16_000);
    await worker([destination], 'worker-b').deliver(deliveryId); // A job that came back.
    const { pool } = database;
    const options = { pool, queue, destinations: [destination], log: testLog, alert };
    await reconcile({ ...options, now: () => now });
    expect(sends).toBe(1);
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({ state: 'uncertain', attempts: 1, lease_owner: null });
    expect(delivery.log[0]).toMatchObject({ outcome: 'unknown' });
    expect(alerts).toHaveLength(1);
  });
});

describe('the worker itself', () => {
  test('an error that nobody expected is kept by its name only, and the lead is sent again', async () => {
    const { deliveryId } = await insertLead(database.pool);
    await worker([
      controlled('ingest', async () => {
        throw new TypeError('ana@example.com');
      }),
    ]).deliver(deliveryId);
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({ state: 'retrying' });
    expect(delivery.log[0]).toMatchObject({ outcome: 'unknown' });
    expect(JSON.stringify(delivery)).not.toContain('ana@');
  });

  test('a database that is away while the answer comes does not lose the answer', async () => {
    const { deliveryId } = await insertLead(database.pool);
    const admin = openDatabase({
      connectionString: database.connectionString,
      poolMax: 1,
      log: testLog,
      applicationName: 'killer',
    });
    try {
      await worker([
        controlled('ingest', async () => {
          await admin.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'funnel'`,
          );
          return { outcome: 'retry', error: 'HTTP 503', durationMs: 1 };
        }),
      ]).deliver(deliveryId);
      expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state: 'retrying' });
      expect(await liveJobs(database.pool, deliveryId)).toHaveLength(1);
    } finally {
      await admin.close();
    }
  });

  test('a destination that is not configured keeps its leads waiting', async () => {
    const { deliveryId } = await insertLead(database.pool);
    await worker([]).deliver(deliveryId);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({
      state: 'waiting',
      attempts: 0,
    });
  });

  test.each(['held', 'no_destination', 'delivered', 'rejected', 'dead', 'uncertain'])(
    'a delivery that is %s is never sent by a job',
    async (state) => {
      const { deliveryId } = await insertLead(database.pool, { state });
      now = new Date(now.getTime() + 100 * HOUR_MS);
      await worker([ingest()]).deliver(deliveryId);
      expect(sandbox.received('ingest')).toEqual([]);
      expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state, attempts: 0 });
    },
  );
});

describe('the reconciler', () => {
  const options = (destinations: readonly Destination[]) => ({
    pool: database.pool,
    queue,
    destinations,
    log: testLog,
    alert,
    now: () => now,
  });

  test('a job that was deleted comes back; one that is there is not doubled', async () => {
    const lost = await insertLead(database.pool);
    const kept = await insertLead(database.pool);
    const held = await insertLead(database.pool, { state: 'held' });
    await queue.boss.send('delivery', { deliveryId: kept.deliveryId });
    await reconcile(options([ingest()])); // Too early to be missed.
    expect(await liveJobs(database.pool, lost.deliveryId)).toHaveLength(0);
    now = new Date(now.getTime() + 11_000);
    await reconcile(options([ingest()]));
    await reconcile(options([ingest()]));
    expect(await liveJobs(database.pool, lost.deliveryId)).toHaveLength(1);
    expect(await liveJobs(database.pool, kept.deliveryId)).toHaveLength(1);
    expect(await liveJobs(database.pool, held.deliveryId)).toHaveLength(0);
  });

  test('a planned attempt whose job was deleted comes back when its time is over', async () => {
    const { deliveryId } = await insertLead(database.pool);
    sandbox.fail({ service: 'ingest', mode: '500', times: 1 });
    await worker([ingest()]).deliver(deliveryId);
    await database.pool.query(`delete from pgboss.job where data->>'deliveryId' = $1`, [
      deliveryId,
    ]);
    await reconcile(options([ingest()]));
    expect(await liveJobs(database.pool, deliveryId)).toHaveLength(0);
    now = new Date(now.getTime() + 60_000);
    await reconcile(options([ingest()]));
    expect(await liveJobs(database.pool, deliveryId)).toHaveLength(1);
  });

  test('a send that its worker left gets a job again', async () => {
    const { deliveryId } = await insertLead(database.pool);
    let sending = false;
    const hanging = controlled('ingest', () => {
      sending = true;
      return new Promise<SendResult>(() => undefined);
    });
    void worker([hanging], 'dead-worker').deliver(deliveryId);
    await until(async () => sending, 5_000);
    await reconcile(options([ingest()]));
    expect(await liveJobs(database.pool, deliveryId)).toHaveLength(0);
    now = new Date(now.getTime() + 16_000);
    await reconcile(options([ingest()]));
    expect(await liveJobs(database.pool, deliveryId)).toHaveLength(1);
  });

  test('a job that failed every time is reported once, and the delivery gets a new one', async () => {
    const { deliveryId } = await insertLead(database.pool);
    await queue.boss.send(DELIVERY_DEAD_QUEUE, { deliveryId });
    now = new Date(now.getTime() + 11_000);
    await reconcile(options([ingest()]));
    await reconcile(options([ingest()]));
    expect(alerts).toEqual(['The job of a delivery failed every time; it gets a new one']);
    expect(await liveJobs(database.pool, deliveryId)).toHaveLength(1);
  });
});

test('ten thousand leads without a job are all delivered once, in under a minute', async () => {
  const big = await withDatabase({ poolMax: 10 });
  const own = createQueue({ connectionString: big.connectionString, log: testLog });
  await own.start();
  const leads: string[] = [];
  for (let part = 0; part < 10; part += 1) {
    for (const lead of await insertLeads(big.pool, 1_000)) leads.push(lead.deliveryId);
  }
  await big.pool.query(`update deliveries set created_at = now() - interval '1 hour'`);
  const startedAtMs = performance.now();
  const running = await startDelivery({
    pool: big.pool,
    queue: own,
    destinations: [ingest(30_000)],
    log: testLog,
    alert,
  });
  try {
    await until(async () => {
      const { rows } = await big.pool.query<{ open: number }>(
        `select count(*)::int as open from deliveries where state <> 'delivered'`,
      );
      return rows[0]?.open === 0;
    }, 60_000);
    const seconds = (performance.now() - startedAtMs) / 1000;
    console.log(`10,000 leads: ${seconds.toFixed(1)} s, ${Math.round(10_000 / seconds)} a second`);
    expect(seconds).toBeLessThan(60);
    expect(sandbox.effects()).toHaveLength(10_000);
    expect(sandbox.effects().every((effect) => effect.count === 1)).toBe(true);
    const { rows } = await big.pool.query<{ max: number }>(
      'select max(attempts)::int as max from deliveries',
    );
    expect(rows[0]?.max).toBe(1);
  } finally {
    await own.stop({ graceful: true, timeoutMs: 5_000 });
    await running.stop();
    await big.drop();
  }
});
