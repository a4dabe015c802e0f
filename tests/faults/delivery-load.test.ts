/**
 * Many deliveries and many workers. No delivery is leased twice, a hanging destination delays no other, ten
 * thousand are sent in under a minute, and a stopping process loses none.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { type RunningDelivery, startDelivery } from '../../src/server/delivery/index.ts';
import type {
  ConnectedDestination,
  SendResult,
} from '../../src/server/destinations/destination.ts';
import { openDatabase } from '../../src/server/storage/database.ts';
import { jobsFor } from '../support/job-clock.ts';
import { patientTimeouts, testLog } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  controlled,
  countOpen,
  delivered,
  forgetLeads,
  never,
  sandboxIngest,
  until,
} from './delivery-fixture.ts';
import { deliveryForTests, MINUTE_MS } from './delivery-workers.ts';

const { pool, connectionString, http, worker, insert, insertMany, read } = await deliveryForTests();
const running: RunningDelivery[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop(0);
});

async function start(
  destinations: readonly ConnectedDestination[],
  options: { concurrency?: number; now?: () => Date; isOnlyProcess?: boolean } = {},
): Promise<RunningDelivery> {
  const jobs = jobsFor(pool);
  const started = await startDelivery({
    jobs,
    pool,
    destinations,
    concurrency: 50,
    log: testLog,
    alert: () => undefined,
    ...options,
  });
  const stop = async (timeoutMs: number) => {
    await started.stop(timeoutMs);
    await jobs.stop();
  };
  running.push({ ...started, stop });
  return { ...started, stop };
}

async function states(): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from deliveries group by state',
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

describe('workers that lease at the same time', () => {
  test('never lease the same delivery', async () => {
    const random = seededRandom('leases');
    const pools = Array.from({ length: 3 }, () =>
      openDatabase({ connectionString, poolMax: 8, log: testLog, timeouts: patientTimeouts }),
    );
    const names = ['one', 'two', 'three'];
    try {
      let leases = 0;
      for (let round = 0; round < 3; round += 1) {
        await forgetLeads(pool);
        const sent = new Map<string, string[]>();
        for (const destination of names) {
          await insertMany(random.integer(20, 150), { destination });
        }
        const workers = Array.from({ length: 6 }, (_, index) => {
          const owner = `worker-${index}`;
          const destinations = names.map((name) =>
            controlled(name, async ({ leadId }) => {
              sent.set(leadId, [...(sent.get(leadId) ?? []), owner]);
              return delivered;
            }),
          );
          const concurrency = random.integer(1, 40);
          const own = pools[index % pools.length]?.pool ?? pool;
          return worker(destinations, { owner, concurrency, pool: own, now: undefined });
        });
        const sends: Promise<void>[] = [];
        while ((await countOpen(pool)) > 0) {
          // Each worker leases several times at once, and again before these sends have ended.
          const looks = workers.flatMap((each) =>
            Array.from({ length: random.integer(0, 3) }, () => each.begin()),
          );
          for (const look of await Promise.all(looks)) sends.push(...look.sends);
          if (random.next() < 0.3) await Promise.all(sends);
        }
        await Promise.all(sends);
        expect([...sent.values()].filter((owners) => owners.length !== 1)).toEqual([]);
        const { rows } = await pool.query<{ all: number; max: number; log: number }>(
          `select count(*)::int as all, max(attempts)::int as max,
             (select count(*)::int from delivery_attempts) as log from deliveries`,
        );
        expect(rows[0]).toEqual({ all: sent.size, max: 1, log: sent.size });
        leases += sent.size;
      }
      console.log(`${leases} deliveries, each leased once`);
    } finally {
      for (const { close } of pools) await close();
    }
  });

  test('take no more than their slots of each destination', async () => {
    await insertMany(30, { destination: 'one' });
    await insertMany(30, { destination: 'two' });
    const one = worker([controlled('one', never), controlled('two', async () => delivered)], {
      concurrency: 7,
    });
    const { sends } = await one.begin();
    expect(sends).toHaveLength(14);
    // A slot becomes free when the send ends, after its end is written.
    let ended = 0;
    for (const send of sends) void send.then(() => (ended += 1));
    await until(async () => ended === 7);
    // The first destination's slots are still taken.
    expect((await one.begin()).sends).toHaveLength(7);
    await until(async () => (await states()).delivered === 14);
    expect(await states()).toEqual({ sending: 7, waiting: 39, delivered: 14 });
  });
});

describe('whether more may be due', () => {
  // Otherwise the next look waits for its timer, and slots that become free stay empty meanwhile.
  test('stays true for a destination that was full before, beside one with nothing to send', async () => {
    await insertMany(5, { destination: 'slow' });
    const ends: ((result: SendResult) => void)[] = [];
    const slow = controlled('slow', () => new Promise((resolve) => ends.push(resolve)));
    const one = worker([slow, controlled('idle', async () => delivered)], { concurrency: 2 });
    const under: Promise<void>[] = [];
    const looks: [sends: number, mayBeMore: boolean][] = [];
    for (const ending of [0, 0, 2, 2, 1]) {
      for (const end of ends.splice(0, ending)) end(delivered);
      await until(async () => ((await states()).sending ?? 0) === ends.length);
      await Promise.all(under.splice(0, ending));
      const { sends, mayBeMore } = await one.begin();
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
  });
});

/** `npm test load-long` has ten times as many. */
const LEADS = Number(process.env.LOAD_LEADS ?? 1_000);

test(`${LEADS} leads are delivered once, beside a destination that hangs`, async () => {
  const [good, silent] = await Promise.all([startSandbox(), startSandbox()]);
  const concurrency = 50;
  silent.fail({ service: 'ingest', mode: 'timeout' });
  for (let part = 0; part < 10; part += 1) {
    await insertMany(LEADS / 10);
    await insertMany(LEADS / 100, { destination: 'hanging' });
  }
  // The hanging deliveries are older: without separate slots they would go before all others.
  await pool.query(
    `update deliveries set due_at = due_at - interval '1 hour' where destination = 'hanging'`,
  );
  const hanging: ConnectedDestination = { ...sandboxIngest(silent, http, 30_000), name: 'hanging' };
  const startedAtMs = performance.now();
  const delivery = await start([hanging, sandboxIngest(good, http, 30_000)], { concurrency });
  try {
    let mostHeld = 0;
    await until(
      async () => {
        const { rows } = await pool.query<{ held: number; open: number }>(
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
    const { rows } = await pool.query<{ max: number }>(
      `select max(attempts)::int as max from deliveries where destination = 'ingest'`,
    );
    expect(rows[0]?.max).toBe(1);
    // The hanging destination had all its slots, but no more.
    expect(mostHeld).toBe(concurrency);
    const timeouts = Math.floor(seconds / 30) + 1;
    expect(silent.received('ingest').length).toBeLessThanOrEqual(concurrency * timeouts);
    expect(silent.effects()).toEqual([]);
    await delivery.stop(0);
    await until(async () => (await states()).sending === undefined);
  } finally {
    await Promise.all([good.close(), silent.close()]);
  }
});

describe('a process that stops while all of its slots are busy', () => {
  /** Sends that end when the test says so, or when their signal aborts. */
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
    await until(async () => (await states()).delivered === total);
    return sent;
  }

  test('waits for the sends that end in time, and leases no more', async () => {
    await insertMany(12);
    const { sends, destination } = busy({ endsEarly: true });
    const delivery = await start([destination], { concurrency: 5 });
    await until(async () => sends.length === 5);
    let isStopped = false;
    const stopped = delivery.stop(60_000).finally(() => {
      isStopped = true;
    });
    await insertMany(1);
    expect(isStopped).toBe(false);
    for (const { end } of sends) end(delivered);
    await stopped;
    expect(await states()).toEqual({ delivered: 5, waiting: 8 });
    expect(sends).toHaveLength(5);
    expect(await expectTakenOver(13)).toHaveLength(8);
  });

  test('aborts the others early, and the next process retries them', async () => {
    await insertMany(12);
    const { sends, destination } = busy({ endsEarly: true });
    const delivery = await start([destination], { concurrency: 5 });
    await until(async () => sends.length === 5);
    await delivery.stop(500);
    // The stop waits two seconds for the ends to be written, which a busy machine may exceed.
    await until(async () => (await states()).retrying === 5);
    expect(await states()).toEqual({ retrying: 5, waiting: 7 });
    expect(sends).toHaveLength(5);
    const sent = await expectTakenOver(12);
    expect(sent).toHaveLength(12);
    expect(sent).toEqual(expect.arrayContaining(sends.map(({ leadId }) => leadId)));
  });

  test('leaves unfinished ones to the next process, which knows that they may have arrived', async () => {
    const lead = await insert();
    const { sends, destination } = busy({ endsEarly: false });
    const delivery = await start([destination], { concurrency: 1 });
    await until(async () => sends.length === 1);
    await delivery.stop(200);
    expect(await states()).toEqual({ sending: 1 });
    // The only process on its database need not wait for the lease.
    await start([controlled('ingest', async () => ({ outcome: 'duplicate', durationMs: 1 }))], {
      isOnlyProcess: true,
    });
    await until(async () => (await states()).delivered === 1);
    const { attempts, log } = await read(lead);
    expect(attempts).toBe(2);
    expect(log.map(({ outcome }) => outcome)).toEqual(['unknown', 'duplicate']);
  });
});
