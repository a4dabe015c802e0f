/**
 * Delivery against a real database and the sandbox: every way in which the ingest service can fail, several
 * workers on one database, dead and frozen workers, and an unreachable database.
 */
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FailureMode } from '../../sandbox/failures.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { startDelivery } from '../../src/server/delivery/index.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../../src/server/delivery/worker.ts';
import type {
  ConnectedDestination,
  SendResult,
} from '../../src/server/destinations/destination.ts';
import { createOutgoingHttp } from '../../src/server/providers/outgoing-http.ts';
import { openDatabase } from '../../src/server/storage/database.ts';
import { type TestDatabase, testLog, withDatabase } from '../support/postgres.ts';
import {
  controlled,
  countOpen,
  delivered,
  forgetLeads,
  insertLead,
  insertLeads,
  never,
  pass,
  readDelivery,
  sandboxIngest,
  type TestSend,
  until,
} from './delivery-fixture.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Longer than a lease. */
const PAST_LEASE_MS = 16_000;
const http = createOutgoingHttp({ allowPrivateNetworks: true });
let database: TestDatabase;
let sandbox: Sandbox;
let now = new Date();
let alerts: string[] = [];
const workers: DeliveryWorker[] = [];

beforeAll(async () => {
  database = await withDatabase({ poolMax: 20 });
  sandbox = await startSandbox();
});
beforeEach(async () => {
  await forgetLeads(database.pool);
  now = new Date();
  alerts = [];
  sandbox.reset();
});
afterEach(() => {
  for (const worker of workers.splice(0)) worker.stop();
});
afterAll(async () => {
  await sandbox.close();
  await http.close();
  await database.drop();
});

const alert = (text: string) => void alerts.push(text);

function worker(
  destinations: readonly ConnectedDestination[],
  owner = 'worker-a',
  pool = database.pool,
): DeliveryWorker {
  const made = createDeliveryWorker({
    pool,
    destinations,
    concurrency: 50,
    owner,
    log: testLog,
    alert,
    now: () => now,
    random: () => 0.5,
  });
  workers.push(made);
  return made;
}

/** The default is longer than a busy machine needs for an answer. */
const ingest = (timeoutMs = 30_000) => sandboxIngest(sandbox, http, timeoutMs);
const effectCounts = (leadId: string) =>
  sandbox
    .effects()
    .filter((effect) => effect.detail.lead_id === leadId)
    .map((effect) => effect.count);

/** A pool whose first commit succeeds without an answer. */
function losingOneCommit(pool: pg.Pool): pg.Pool {
  let isLost = false;
  async function query(client: pg.PoolClient, query: string | pg.QueryConfig) {
    const answer = await client.query(query);
    if (query !== 'commit' || isLost) return answer;
    isLost = true;
    throw new Error('Connection terminated unexpectedly');
  }
  async function connect() {
    const client = await pool.connect();
    return {
      query: query.bind(undefined, client),
      release: (error?: Error) => client.release(error),
    };
  }
  return { query: pool.query.bind(pool), connect } as unknown as pg.Pool;
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
    [
      '500',
      { first: 'server_error', firstState: 'retrying', second: 'delivered', last: 'delivered' },
    ],
    ['429', { first: 'retry', firstState: 'retrying', second: 'delivered', last: 'delivered' }],
    [
      'garbage',
      { first: 'unknown', firstState: 'retrying', second: 'delivered', last: 'delivered' },
    ],
    [
      'redirect',
      { first: 'retry', firstState: 'retrying', second: 'delivered', last: 'delivered' },
    ],
    // The lead was accepted the first time; the retry's "duplicate" counts as delivered.
    [
      'accept_then_hang',
      { first: 'unknown', firstState: 'retrying', second: 'duplicate', last: 'delivered' },
    ],
    [
      'accept_then_reset',
      { first: 'unknown', firstState: 'retrying', second: 'duplicate', last: 'delivered' },
    ],
  ];
  test.each(cases)('%s: retried, delivered once', async (mode, expected) => {
    const { leadId, deliveryId } = await insertLead(database.pool);
    const a = worker([ingest()]);
    sandbox.fail({ service: 'ingest', mode, delay_ms: 20, times: 1 });
    const isSilent = mode === 'timeout' || mode === 'accept_then_hang';
    await pass(isSilent ? worker([ingest(200)]) : a);
    const first = await readDelivery(database.pool, deliveryId);
    expect(first).toMatchObject({ state: expected.firstState, attempts: 1, lease_owner: null });
    expect(first.log).toHaveLength(1);
    expect(first.log[0]).toMatchObject({ attempt: 1, outcome: expected.first });
    expect(first.log[0]?.ended_at).not.toBeNull();
    expect(first.log[0]?.error).not.toBeNull();
    // A timer may fire a millisecond early.
    expect(first.log[0]?.duration_ms).toBeGreaterThanOrEqual(19);
    expect(Number(first.due_at)).toBeGreaterThan(now.getTime() + 1_000);

    // Not before the planned time …
    now = new Date(Number(first.due_at) - 1);
    expect(await pass(a)).toBe(0);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ attempts: 1 });
    // … and then once.
    advanceTo(first.due_at);
    await pass(a);
    const last = await readDelivery(database.pool, deliveryId);
    expect(last).toMatchObject({ state: expected.last, attempts: 2, due_at: null });
    expect(last.log.map((attempt) => attempt.outcome)).toEqual([expected.first, expected.second]);
    expect(last.finished_at).not.toBeNull();
    expect(last.external_id).not.toBeNull();
    expect(effectCounts(leadId)).toEqual([1]);
    expect(alerts).toEqual([]);

    // The delivery has ended: another claim changes nothing.
    await pass(a);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ attempts: 2 });
  });

  test('429 with Retry-After is not retried before that time', async () => {
    const { deliveryId } = await insertLead(database.pool);
    sandbox.fail({ service: 'ingest', mode: '429', retry_after: 3_600 });
    await pass(worker([ingest()]));
    const { due_at } = await readDelivery(database.pool, deliveryId);
    expect(Number(due_at) - now.getTime()).toBeGreaterThanOrEqual(HOUR_MS);
  });

  test('DUPLICATED on a clean first attempt is final: another seller was first', async () => {
    const { deliveryId } = await insertLead(database.pool);
    sandbox.fail({ service: 'ingest', mode: 'duplicate', times: 1 });
    await pass(worker([ingest()]));
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({ state: 'rejected', attempts: 1 });
    expect(delivery.log[0]).toMatchObject({ outcome: 'duplicate', http_status: 200 });
    expect(delivery.due_at).toBeNull();
  });

  test('410 makes a dead letter with an alert, and deletes nothing', async () => {
    const { leadId, deliveryId } = await insertLead(database.pool);
    sandbox.fail({ service: 'ingest', mode: '410' });
    await pass(worker([ingest()]));
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({ state: 'dead', attempts: 1, lead_id: leadId });
    expect(delivery.log[0]).toMatchObject({ outcome: 'failed', http_status: 410 });
    expect(alerts).toHaveLength(1);
  });

  test('a redirect to a link-local address is not followed', async () => {
    const { deliveryId } = await insertLead(database.pool);
    sandbox.fail({
      service: 'ingest',
      mode: 'redirect',
      location: `${sandbox.url}/direct_post`,
      times: 1,
    });
    await pass(worker([ingest()]));
    expect(sandbox.received()).toHaveLength(1);
    expect((await readDelivery(database.pool, deliveryId)).log[0]?.error).toContain('redirect');
  });

  test('a test lead is marked', async () => {
    await insertLead(database.pool, { isTest: true });
    await pass(worker([ingest()]));
    expect(sandbox.effects()[0]?.detail.lp_action).toBe('test');
    expect(sandbox.violations()).toEqual([]);
  });

  test('a service that is down for 3 days: 20 growing pauses, then a dead letter and one alert', async () => {
    const { leadId, deliveryId } = await insertLead(database.pool);
    const a = worker([ingest()]);
    const begun = now.getTime();
    sandbox.fail({ service: 'ingest', mode: '500' });
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await pass(a);
      const delivery = await readDelivery(database.pool, deliveryId);
      expect(delivery.attempts).toBe(attempt);
      if (attempt < 20) {
        expect(delivery.state).toBe('retrying');
        advanceTo(delivery.due_at);
      }
    }
    const dead = await readDelivery(database.pool, deliveryId);
    expect(dead).toMatchObject({ state: 'dead', lead_id: leadId, due_at: null });
    expect(dead.log).toHaveLength(20);
    expect((now.getTime() - begun) / HOUR_MS).toBeGreaterThan(66);
    expect(alerts).toHaveLength(1);
    expect(effectCounts(leadId)).toEqual([]);
  });
});

describe('a retry', () => {
  test('is made by any worker at its time, and not before', async () => {
    const { deliveryId } = await insertLead(database.pool);
    sandbox.fail({ service: 'ingest', mode: '500', times: 1 });
    await pass(worker([ingest()], 'worker-a'));
    const { due_at } = await readDelivery(database.pool, deliveryId);
    const b = worker([ingest()], 'worker-b');
    now = new Date(Number(due_at) - 1);
    expect(await pass(b)).toBe(0);
    now = new Date(Number(due_at));
    expect(await pass(b)).toBe(1);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state: 'delivered' });
  });

  test('after a worker’s death is made when its lease has expired, and not before', async () => {
    const { deliveryId } = await insertLead(database.pool);
    await worker([controlled('ingest', never)], 'dead-worker').begin();
    const { due_at } = await readDelivery(database.pool, deliveryId);
    const b = worker([ingest(5_000)], 'worker-b');
    now = new Date(Number(due_at) - 1);
    expect(await pass(b)).toBe(0);
    now = new Date(Number(due_at));
    expect(await pass(b)).toBe(1);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({
      state: 'delivered',
      attempts: 2,
      may_have_arrived: true,
    });
  });

  describe.each(['dead', 'rejected', 'uncertain', 'held', 'no_destination'])(
    'a delivery that was %s and that an operator sets to waiting',
    (state) => {
      test('is sent', async () => {
        const { deliveryId } = await insertLead(database.pool, { state });
        await database.pool.query(`update deliveries set state = 'waiting', due_at = 'epoch'`);
        await pass(worker([ingest(5_000)]));
        expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state: 'delivered' });
      });

      test('is sent even without a time', async () => {
        const { deliveryId } = await insertLead(database.pool, { state });
        await database.pool.query(`update deliveries set state = 'waiting'`);
        const a = worker([ingest(5_000)]);
        await a.park();
        await pass(a);
        expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state: 'delivered' });
      });
    },
  );
});

describe('more than one worker', () => {
  test('many workers that claim at once send a delivery once', async () => {
    const open = openDatabase({
      connectionString: database.connectionString,
      poolMax: 20,
      log: testLog,
    });
    try {
      const { leadId, deliveryId } = await insertLead(database.pool);
      sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms: 300 });
      const many = Array.from({ length: 20 }, (_, index) => {
        const pool = index % 2 ? database.pool : open.pool;
        return worker([ingest(5_000)], `worker-${index}`, pool);
      });
      // Opens all connections first, so that the claims coincide.
      await Promise.all(many.map(() => open.pool.query('select pg_sleep(0.05)')));
      await Promise.all(many.flatMap((each) => [pass(each), pass(each)]));
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

  test('a dead worker’s lease expires, and DUPLICATED then counts as delivered', async () => {
    const { leadId, deliveryId } = await insertLead(database.pool);
    // The worker's process dies after the service accepted the lead, so no end is written.
    const real = ingest(5_000);
    const dying: ConnectedDestination = {
      ...real,
      prepare(request) {
        const prepared = real.prepare(request);
        if (!('send' in prepared)) return prepared;
        return {
          body: prepared.body,
          async send() {
            await prepared.send();
            return never();
          },
        };
      },
    };
    await worker([dying], 'dead-worker').begin();
    await until(async () => sandbox.effects().length === 1, 5_000);
    const b = worker([real], 'worker-b');
    await pass(b); // The lease is live: nothing happens.
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({
      state: 'sending',
      attempts: 1,
      lease_owner: 'dead-worker',
    });

    now = new Date(now.getTime() + PAST_LEASE_MS);
    await pass(b);
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(delivery.log.map((attempt) => attempt.outcome)).toEqual(['unknown', 'duplicate']);
    expect(effectCounts(leadId)).toEqual([1]);
  });

  test('a frozen worker’s late completion changes nothing', async () => {
    const { deliveryId } = await insertLead(database.pool);
    let thaw: ((result: SendResult) => void) | undefined;
    const frozen = controlled(
      'ingest',
      () =>
        new Promise<SendResult>((resolve) => {
          thaw = resolve;
        }),
    );
    const { sends } = await worker([frozen], 'frozen-worker').begin();
    await until(async () => thaw !== undefined, 5_000);
    now = new Date(now.getTime() + PAST_LEASE_MS);
    await pass(worker([ingest(5_000)], 'worker-b'));
    const before = await readDelivery(database.pool, deliveryId);
    expect(before).toMatchObject({ state: 'delivered', attempts: 2 });

    thaw?.({ outcome: 'retry', error: 'late', externalId: 'late', durationMs: 16_000 });
    await Promise.all(sends);
    expect(await readDelivery(database.pool, deliveryId)).toEqual(before);
  });

  test('a frozen worker’s late completion changes nothing while the next one still sends', async () => {
    const { deliveryId } = await insertLead(database.pool);
    const thaws: ((result: SendResult) => void)[] = [];
    const frozen = controlled('ingest', () => new Promise((resolve) => thaws.push(resolve)));
    const a = worker([frozen], 'worker-a');
    const first = await a.begin();
    now = new Date(now.getTime() + PAST_LEASE_MS);
    // The owner is the same process, but the attempt's number differs.
    const second = await a.begin();
    const before = await readDelivery(database.pool, deliveryId);
    expect(before).toMatchObject({ state: 'sending', attempts: 2 });
    thaws[0]?.({ outcome: 'rejected', externalId: 'late', durationMs: 16_000 });
    await Promise.all(first.sends);
    expect(await readDelivery(database.pool, deliveryId)).toEqual(before);
    thaws[1]?.(delivered);
    await Promise.all(second.sends);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state: 'delivered' });
  });

  test('two processes on one database: every lead once, none lost', async () => {
    const strict = await startSandbox({ recogniseDuplicates: false });
    const options = {
      pool: database.pool,
      destinations: [sandboxIngest(strict, http, 5_000)],
      concurrency: 20,
      log: testLog,
      alert,
    };
    const leads = await insertLeads(database.pool, 300);
    const running = await Promise.all([startDelivery(options), startDelivery(options)]);
    try {
      await until(async () => (await countOpen(database.pool)) === 0, 30_000);
      const effects = strict.effects();
      expect(effects).toHaveLength(leads.length);
      expect(effects.every((effect) => effect.count === 1)).toBe(true);
      expect(strict.violations()).toEqual([]);
    } finally {
      for (const one of running) await one.stop(5_000);
      await strict.close();
    }
  });
});

describe('a destination that does not recognise duplicates', () => {
  const webhook = (send: TestSend) => controlled('webhook', send, { recognisesDuplicates: false });

  test('an unknown outcome is parked and shown, not retried', async () => {
    const { deliveryId } = await insertLead(database.pool, { destination: 'webhook' });
    let sends = 0;
    const a = worker([
      webhook(async () => {
        sends += 1;
        return { outcome: 'unknown', error: 'No answer', durationMs: 1 };
      }),
    ]);
    await pass(a);
    now = new Date(now.getTime() + 100 * HOUR_MS);
    await pass(a);
    await a.park();
    expect(sends).toBe(1);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state: 'uncertain' });
    expect(alerts).toHaveLength(1);
  });

  test('a delivery whose worker died during the send stays parked', async () => {
    const { deliveryId } = await insertLead(database.pool, { destination: 'webhook' });
    let sends = 0;
    const destination = webhook(() => {
      sends += 1;
      return never();
    });
    await worker([destination], 'dead-worker').begin();
    await until(async () => sends === 1, 5_000);
    const b = worker([destination], 'worker-b');
    await b.park(); // The lease is live: nothing happens.
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state: 'sending' });
    now = new Date(now.getTime() + PAST_LEASE_MS);
    expect(await pass(b)).toBe(0);
    await b.park();
    await b.park();
    expect(await pass(b)).toBe(0);
    expect(sends).toBe(1);
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({
      state: 'uncertain',
      attempts: 1,
      lease_owner: null,
      may_have_arrived: true,
    });
    expect(delivery.log[0]).toMatchObject({ outcome: 'unknown' });
    expect(alerts).toHaveLength(1);
  });
});

describe('the worker itself', () => {
  test('an unexpected error is recorded by its name only, and the lead is retried', async () => {
    const { deliveryId } = await insertLead(database.pool);
    const failing = controlled('ingest', async () => {
      throw new TypeError('ana@example.com');
    });
    await pass(worker([failing]));
    const delivery = await readDelivery(database.pool, deliveryId);
    expect(delivery).toMatchObject({ state: 'retrying' });
    expect(delivery.log[0]).toMatchObject({ outcome: 'unknown' });
    expect(JSON.stringify(delivery)).not.toContain('ana@');
  });

  test('a lead that cannot be encoded is a dead letter, and the rest of its claim is sent', async () => {
    const [bad, good] = await insertLeads(database.pool, 2);
    let sends = 0;
    const picky = controlled('ingest', async () => {
      sends += 1;
      return delivered;
    });
    const { prepare } = picky;
    picky.prepare = (request) => {
      if (request.leadId === bad?.leadId) throw new TypeError('ana@example.com');
      return prepare(request);
    };
    await pass(worker([picky]));
    const dead = await readDelivery(database.pool, bad?.deliveryId ?? '');
    expect(dead).toMatchObject({ state: 'dead', attempts: 1, may_have_arrived: false });
    expect(dead.log[0]).toMatchObject({ outcome: 'failed', sent_sha256: null });
    expect(JSON.stringify(dead)).not.toContain('ana@');
    expect(alerts).toHaveLength(1);
    expect(await readDelivery(database.pool, good?.deliveryId ?? '')).toMatchObject({
      state: 'delivered',
    });
    expect(sends).toBe(1);
  });

  test('an answer that arrives while the database is unreachable is not lost', async () => {
    const { deliveryId } = await insertLead(database.pool);
    const admin = openDatabase({
      connectionString: database.connectionString,
      poolMax: 1,
      log: testLog,
      applicationName: 'killer',
    });
    try {
      const killing = controlled('ingest', async () => {
        await admin.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'funnel'`,
        );
        return { outcome: 'retry', error: 'HTTP 503', durationMs: 1 };
      });
      await pass(worker([killing]));
      const delivery = await readDelivery(database.pool, deliveryId);
      expect(delivery).toMatchObject({ state: 'retrying', attempts: 1 });
      expect(Number(delivery.due_at)).toBeGreaterThan(now.getTime());
      expect(delivery.log[0]).toMatchObject({ outcome: 'retry', error: 'HTTP 503' });
    } finally {
      await admin.close();
    }
  });

  test('a claim whose commit got no answer is taken over, and its worker goes on with others', async () => {
    const { pool } = database;
    const { deliveryId } = await insertLead(pool);
    const a = worker([controlled('ingest', never)], 'worker-a', losingOneCommit(pool));
    await expect(a.begin()).rejects.toThrow('Connection terminated');
    const claimed = await readDelivery(pool, deliveryId);
    expect(claimed).toMatchObject({ state: 'sending', lease_owner: 'worker-a' });

    const other = await insertLead(pool);
    await a.begin();
    now = new Date(now.getTime() + 5_000);
    const isRenewed = async () =>
      Number((await readDelivery(pool, other.deliveryId)).due_at) > Number(claimed.due_at);
    await until(isRenewed, 8_000);
    expect((await readDelivery(pool, deliveryId)).due_at).toEqual(claimed.due_at);
    advanceTo(claimed.due_at);
    expect(await pass(worker([ingest()], 'worker-b'))).toBe(1);
    expect(await readDelivery(pool, deliveryId)).toMatchObject({ state: 'delivered' });
  });

  test('a destination that is not configured keeps its leads waiting', async () => {
    const { deliveryId } = await insertLead(database.pool, { destination: 'webhook' });
    expect(await pass(worker([]))).toBe(0);
    expect(await pass(worker([ingest()]))).toBe(0);
    expect(await readDelivery(database.pool, deliveryId)).toMatchObject({
      state: 'waiting',
      attempts: 0,
    });
  });

  test.each(['held', 'no_destination', 'delivered', 'rejected', 'dead', 'uncertain', 'suppressed'])(
    'a delivery that is %s is never sent',
    async (state) => {
      const { deliveryId } = await insertLead(database.pool, { state });
      // The state decides, not the time.
      await database.pool.query(`update deliveries set due_at = 'epoch'`);
      now = new Date(now.getTime() + 100 * HOUR_MS);
      const a = worker([ingest(), controlled('webhook', never, { recognisesDuplicates: false })]);
      expect(await pass(a)).toBe(0);
      await a.park();
      expect(sandbox.received('ingest')).toEqual([]);
      expect(await readDelivery(database.pool, deliveryId)).toMatchObject({ state, attempts: 0 });
    },
  );
});
