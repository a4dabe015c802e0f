/**
 * Many deliveries and many workers. No delivery is claimed twice, a hanging destination delays no other, ten
 * thousand are sent in under a minute, and a stopping process loses none.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { type RunningDelivery, startDelivery } from '../../src/server/delivery/index.ts';
import { createDeliveryWorker } from '../../src/server/delivery/worker.ts';
import type {
  ConnectedDestination,
  SendResult,
} from '../../src/server/destinations/destination.ts';
import { createOutgoingHttp } from '../../src/server/providers/outgoing-http.ts';
import { openDatabase } from '../../src/server/storage/database.ts';
import { type TestDatabase, testLog, withDatabase } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  controlled,
  countOpen,
  delivered,
  forgetLeads,
  insertLead,
  insertLeads,
  never,
  readDelivery,
  sandboxIngest,
  until,
} from './delivery-fixture.ts';

const MINUTE_MS = 60_000;
const http = createOutgoingHttp({ allowPrivateNetworks: true });
let database: TestDatabase;
const running: RunningDelivery[] = [];

beforeAll(async () => {
  database = await withDatabase({ poolMax: 20 });
});
beforeEach(() => forgetLeads(database.pool));
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop(0);
});
afterAll(async () => {
  await http.close();
  await database.drop();
});

async function start(
  destinations: readonly ConnectedDestination[],
  options: { concurrency?: number; now?: () => Date; isOnlyProcess?: boolean } = {},
): Promise<RunningDelivery> {
  const started = await startDelivery({
    pool: database.pool,
    destinations,
    concurrency: 50,
    log: testLog,
    alert: () => undefined,
    ...options,
  });
  running.push(started);
  return started;
}

async function states(): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from deliveries group by state',
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

describe('workers that claim at the same time', () => {
  test('never claim the same delivery', async () => {
    const random = seededRandom('claims');
    const pools = Array.from({ length: 3 }, () =>
      openDatabase({ connectionString: database.connectionString, poolMax: 8, log: testLog }),
    );
    const names = ['one', 'two', 'three'];
    try {
      let claims = 0;
      for (let round = 0; round < 6; round += 1) {
        await forgetLeads(database.pool);
        const sent = new Map<string, string[]>();
        for (const destination of names) {
          await insertLeads(database.pool, random.integer(20, 150), { destination });
        }
        const workers = Array.from({ length: 6 }, (_, index) => {
          const owner = `worker-${index}`;
          const destinations = names.map((name) =>
            controlled(name, async ({ leadId }) => {
              sent.set(leadId, [...(sent.get(leadId) ?? []), owner]);
              return delivered;
            }),
          );
          const { pool } = pools[index % pools.length] as { pool: typeof database.pool };
          return createDeliveryWorker({
            pool,
            destinations,
            concurrency: random.integer(1, 40),
            owner,
            log: testLog,
            alert: () => undefined,
          });
        });
        const sends: Promise<void>[] = [];
        while ((await countOpen(database.pool)) > 0) {
          // Each worker claims several times at once, and again before these sends have ended.
          const looks = workers.flatMap((worker) =>
            Array.from({ length: random.integer(0, 3) }, () => worker.begin()),
          );
          for (const look of await Promise.all(looks)) sends.push(...look.sends);
          if (random.next() < 0.3) await Promise.all(sends);
        }
        await Promise.all(sends);
        for (const worker of workers) worker.stop();
        expect([...sent.values()].filter((owners) => owners.length !== 1)).toEqual([]);
        const { rows } = await database.pool.query<{ all: number; max: number; log: number }>(
          `select count(*)::int as all, max(attempts)::int as max,
             (select count(*)::int from delivery_attempts) as log from deliveries`,
        );
        expect(rows[0]).toEqual({ all: sent.size, max: 1, log: sent.size });
        claims += sent.size;
      }
      console.log(`${claims} deliveries, each claimed once`);
    } finally {
      for (const { close } of pools) await close();
    }
  });

  test('take no more than their slots of each destination', async () => {
    await insertLeads(database.pool, 30, { destination: 'one' });
    await insertLeads(database.pool, 30, { destination: 'two' });
    const worker = createDeliveryWorker({
      pool: database.pool,
      destinations: [controlled('one', never), controlled('two', async () => delivered)],
      concurrency: 7,
      owner: 'worker',
      log: testLog,
      alert: () => undefined,
    });
    try {
      const { sends } = await worker.begin();
      expect(sends).toHaveLength(14);
      await until(async () => (await states()).delivered === 7, 5_000);
      // The first destination's slots are still taken.
      expect((await worker.begin()).sends).toHaveLength(7);
      await until(async () => (await states()).delivered === 14, 5_000);
      expect(await states()).toEqual({ sending: 7, waiting: 39, delivered: 14 });
    } finally {
      worker.stop();
    }
  });
});

describe('whether more may be due', () => {
  // Otherwise the next claim waits for its timer, and slots that become free stay empty meanwhile.
  test('stays true for a destination that was full before, beside one with nothing to send', async () => {
    await insertLeads(database.pool, 5, { destination: 'slow' });
    const ends: ((result: SendResult) => void)[] = [];
    const slow = controlled('slow', () => new Promise((resolve) => ends.push(resolve)));
    const worker = createDeliveryWorker({
      pool: database.pool,
      destinations: [slow, controlled('idle', async () => delivered)],
      concurrency: 2,
      owner: 'worker',
      log: testLog,
      alert: () => undefined,
    });
    try {
      const under: Promise<void>[] = [];
      const looks: [sends: number, mayBeMore: boolean][] = [];
      for (const ending of [0, 0, 2, 2, 1]) {
        for (const end of ends.splice(0, ending)) end(delivered);
        await until(async () => ((await states()).sending ?? 0) === ends.length, 5_000);
        // The slot becomes free when the send ends, after its end is written.
        await Promise.all(under.splice(0, ending));
        const { sends, mayBeMore } = await worker.begin();
        under.push(...sends);
        looks.push([sends.length, mayBeMore]);
      }
      expect(looks).toEqual([
        [2, true],
        [0, true],
        [2, true],
        [1, false],
        [0, false],
      ]);
    } finally {
      worker.stop();
    }
  });
});

/** `npm test load-long` has ten times as many. */
const LEADS = Number(process.env.LOAD_LEADS ?? 1_000);

test(`${LEADS} leads are delivered once, beside a destination that hangs`, async () => {
  const [good, silent] = await Promise.all([startSandbox(), startSandbox()]);
  const concurrency = 50;
  silent.fail({ service: 'ingest', mode: 'timeout' });
  for (let part = 0; part < 10; part += 1) {
    await insertLeads(database.pool, LEADS / 10);
    await insertLeads(database.pool, LEADS / 100, { destination: 'hanging' });
  }
  // The hanging deliveries are older: without separate slots they would go before all others.
  await database.pool.query(
    `update deliveries set due_at = due_at - interval '1 hour' where destination = 'hanging'`,
  );
  const hanging: ConnectedDestination = { ...sandboxIngest(silent, http, 30_000), name: 'hanging' };
  const startedAtMs = performance.now();
  const delivery = await start([hanging, sandboxIngest(good, http, 30_000)], { concurrency });
  try {
    let mostHeld = 0;
    await until(
      async () => {
        const { rows } = await database.pool.query<{ held: number; open: number }>(
          `select (count(*) filter (where destination = 'hanging' and state = 'sending'))::int as held,
           (count(*) filter (where destination = 'ingest' and state <> 'delivered'))::int as open
         from deliveries`,
        );
        mostHeld = Math.max(mostHeld, rows[0]?.held ?? 0);
        return rows[0]?.open === 0;
      },
      2 * MINUTE_MS,
      250,
    );
    const seconds = (performance.now() - startedAtMs) / 1000;
    console.log(`${LEADS} leads: ${seconds.toFixed(1)} s, ${Math.round(LEADS / seconds)} a second`);
    expect(good.effects()).toHaveLength(LEADS);
    expect(good.effects().every((effect) => effect.count === 1)).toBe(true);
    expect(good.received('ingest')).toHaveLength(LEADS);
    const { rows } = await database.pool.query<{ max: number }>(
      `select max(attempts)::int as max from deliveries where destination = 'ingest'`,
    );
    expect(rows[0]?.max).toBe(1);
    // The hanging destination had all its slots, but no more.
    expect(mostHeld).toBe(concurrency);
    const timeouts = Math.floor(seconds / 30) + 1;
    expect(silent.received('ingest').length).toBeLessThanOrEqual(concurrency * timeouts);
    expect(silent.effects()).toEqual([]);
    await delivery.stop(0);
    expect((await states()).sending).toBeUndefined();
  } finally {
    await Promise.all([good.close(), silent.close()]);
  }
});

describe('a process that stops while all of its slots are busy', () => {
  /** Sends that end when the test says so, or when their signal aborts them. */
  function busy(options: { endsEarly: boolean }) {
    const sends: { leadId: string; end(result: SendResult): void }[] = [];
    const destination = controlled('ingest', ({ leadId }, signal) => {
      return new Promise<SendResult>((resolve) => {
        sends.push({ leadId, end: resolve });
        if (!options.endsEarly) return;
        signal?.addEventListener('abort', () =>
          resolve({ outcome: 'unknown', error: 'Ended early', durationMs: 1 }),
        );
      });
    });
    return { sends, destination };
  }

  /** Starts the next process, a minute later. */
  async function expectTakenOver(total: number): Promise<string[]> {
    const sent: string[] = [];
    const next = controlled('ingest', async ({ leadId }) => {
      sent.push(leadId);
      return delivered;
    });
    await start([next], { now: () => new Date(Date.now() + MINUTE_MS) });
    await until(async () => (await states()).delivered === total, 10_000);
    return sent;
  }

  test('waits for the sends that end in time, and claims no more', async () => {
    await insertLeads(database.pool, 12);
    const { sends, destination } = busy({ endsEarly: true });
    const delivery = await start([destination], { concurrency: 5 });
    await until(async () => sends.length === 5, 5_000);
    let isStopped = false;
    const stopped = delivery.stop(60_000).finally(() => {
      isStopped = true;
    });
    await insertLeads(database.pool, 1);
    expect(isStopped).toBe(false);
    for (const { end } of sends) end(delivered);
    await stopped;
    expect(await states()).toEqual({ delivered: 5, waiting: 8 });
    expect(sends).toHaveLength(5);
    expect(await expectTakenOver(13)).toHaveLength(8);
  });

  test('aborts the others early, and the next process retries them', async () => {
    await insertLeads(database.pool, 12);
    const { sends, destination } = busy({ endsEarly: true });
    const delivery = await start([destination], { concurrency: 5 });
    await until(async () => sends.length === 5, 5_000);
    await delivery.stop(500);
    expect(await states()).toEqual({ retrying: 5, waiting: 7 });
    expect(sends).toHaveLength(5);
    const sent = await expectTakenOver(12);
    expect(sent).toHaveLength(12);
    expect(sent).toEqual(expect.arrayContaining(sends.map(({ leadId }) => leadId)));
  });

  test('leaves unfinished ones to the next process, which knows that they may have arrived', async () => {
    const { deliveryId } = await insertLead(database.pool);
    const { sends, destination } = busy({ endsEarly: false });
    const delivery = await start([destination], { concurrency: 1 });
    await until(async () => sends.length === 1, 5_000);
    await delivery.stop(200);
    expect(await states()).toEqual({ sending: 1 });
    // The only process on its database need not wait for the lease.
    await start([controlled('ingest', async () => ({ outcome: 'duplicate', durationMs: 1 }))], {
      isOnlyProcess: true,
    });
    await until(async () => (await states()).delivered === 1, 5_000);
    const { attempts, log } = await readDelivery(database.pool, deliveryId);
    expect(attempts).toBe(2);
    expect(log.map(({ outcome }) => outcome)).toEqual(['unknown', 'duplicate']);
  });
});
