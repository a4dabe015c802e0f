/** Tests delivery workers whose destination fails. */
import type pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import type {
  ConnectedDestination,
  SendResult,
} from '../../src/server/delivery/destinations/destination.ts';
import {
  noteSettings,
  pauseDeliveries,
  resumeDeliveries,
  TRIAL_EVERY_MS,
} from '../../src/server/delivery/pause.ts';
import { setBuyer } from '../support/buyers.ts';
import {
  controlled,
  delivered,
  pass,
  sandboxAccount,
  type TestLead,
  until,
} from '../support/delivery.ts';
import { deliveryForTests, MINUTE_MS } from '../support/delivery-site.ts';

const site = await deliveryForTests();
const { pool, sandbox, alerts, advance, worker, insert, insertMany, mapTo, read } = site;
beforeEach(() => pool.query('truncate destination_health'));

const ingest = (account = sandboxAccount(sandbox)) => site.ingest(undefined, { account });
const stateOf = async (lead: Pick<TestLead, 'deliveryId'>) => (await read(lead)).state;

test('a buyer that is no destination any more is off, so that its leads are purged', async () => {
  await setBuyer(pool, 'ingest');
  await setBuyer(pool, 'ingest/gone');
  await noteSettings(pool, { on: ['ingest'], off: ['exchange'] });
  const { rows } = await pool.query(
    'select destination from destination_health where off_at is not null order by destination',
  );
  expect(rows.map(({ destination }) => destination)).toEqual(['exchange', 'ingest/gone']);
  await pool.query('truncate buyers');
});

describe('a destination that refuses our account', () => {
  const wrongKey = () => ({ ...sandboxAccount(sandbox), key: 'another-key' });

  test('is paused until a restart with the right account', async () => {
    const leads = await insertMany(3);
    const wrong = worker([ingest(wrongKey())]);
    await pass(wrong);
    expect(alerts).toEqual([
      'Deliveries to ingest are paused: it does not take our credentials (ERROR 1002). Check ' +
        'INGEST_CAMPAIGN_ID, INGEST_SUPPLIER_ID, INGEST_KEY and restart. Leads wait. One is tried every ' +
        'minute, and all go when it succeeds',
    ]);
    for (const lead of leads) {
      expect(await read(lead)).toMatchObject({
        state: 'waiting',
        finished_at: null,
        account: null,
        attempts: 1,
        attempts_before_round: 1,
        last_message: 'Waits: it does not take our credentials (ERROR 1002)',
        log: [{ outcome: 'account' }],
      });
    }
    const other = worker([ingest(wrongKey())]);
    await advance(TRIAL_EVERY_MS / 2);
    expect([await pass(wrong), await pass(other)]).toEqual([0, 0]);
    await advance(TRIAL_EVERY_MS / 2);
    expect([await pass(wrong), await pass(other)]).toEqual([1, 0]);
    expect(alerts).toHaveLength(1);

    await noteSettings(pool, { on: ['ingest'], off: [] });
    const mended = worker([ingest()]);
    expect(await pass(mended)).toBe(1);
    expect(await pass(mended)).toBe(2);
    for (const lead of leads) expect(await stateOf(lead)).toBe('delivered');
    expect(alerts.slice(1)).toEqual([
      'Deliveries to ingest have resumed: it accepts our account again',
    ]);
  });

  test.each(['account_closed', 'cap_reached'] as const)(
    'is resumed after the destination has accepted a lead (%s)',
    async (mode) => {
      const lead = await insert();
      sandbox.fail({ service: 'ingest', mode });
      const one = worker([ingest()]);
      await pass(one);
      expect(alerts).toHaveLength(1);
      // The alert about a reached cap names no setting, because no setting is wrong.
      expect(alerts[0]?.includes('Check INGEST')).toBe(mode === 'account_closed');
      // The attempts last longer than the retry period. Afterwards the delivery must still be
      // waiting.
      for (let trial = 0; trial < 25; trial += 1) {
        await advance(TRIAL_EVERY_MS);
        await pass(one);
      }
      expect(await stateOf(lead)).toBe('waiting');
      sandbox.recover('ingest');
      await advance(TRIAL_EVERY_MS);
      await pass(one);
      expect(await stateOf(lead)).toBe('delivered');
      expect(alerts).toHaveLength(2);
    },
  );

  test('is not paused if the refused account came from the mapping service', async () => {
    const lead = await insert();
    await mapTo(lead, { campaignId: '77', supplierId: '88', key: 'theirs' });
    const one = worker([ingest()]);
    await pass(one);
    expect(await stateOf(lead)).toBe('retrying');
    expect(alerts).toEqual([expect.stringMatching(/mapping service named this account/)]);
    const next = await insert();
    expect(await pass(one)).toBe(1);
    expect(await stateOf(next)).toBe('delivered');
    await advance(10_000);
    await pass(one);
    expect(alerts).toHaveLength(1);
  });

  test('stays paused after a restart if an operator has paused it', async () => {
    await insert();
    await pool.query(
      `insert into destination_health (destination, paused_at, paused_by) values ('ingest', now(), 'ana')`,
    );
    await noteSettings(pool, { on: ['ingest'], off: [] });
    await advance(24 * TRIAL_EVERY_MS);
    expect(await pass(worker([ingest()]))).toBe(0);
  });
});

describe('a destination that an operator pauses', () => {
  test('receives nothing until the operator resumes it', async () => {
    let [isOpen, sent] = [false, 0];
    const desk = () =>
      controlled('desk', async () => {
        sent += 1;
        await until(async () => isOpen);
        return delivered;
      });
    const [one, other] = [worker([desk()], { concurrency: 2 }), worker([desk()])];
    const leads = await insertMany(6, { destination: 'desk' });
    const { sends } = await one.begin();
    await pauseDeliveries(pool, 'desk', 'a test', 'ana@example.com');
    expect([await pass(one), await pass(other), sent]).toEqual([0, 0, 2]);
    isOpen = true;
    await Promise.all(sends);
    await advance(24 * TRIAL_EVERY_MS);
    expect([await pass(one), await pass(other), sent]).toEqual([0, 0, 2]);
    await resumeDeliveries(pool, 'desk', 'operator');
    expect([await pass(one), await pass(other), sent]).toEqual([2, 2, 6]);
    for (const lead of leads) expect(await stateOf(lead)).toBe('delivered');
  });
});

describe('a destination in an outage', () => {
  let answer: SendResult = delivered;
  const failed: SendResult = { outcome: 'server_error', error: 'HTTP 500', durationMs: 1 };
  const desk = (more: Partial<ConnectedDestination> = {}) =>
    controlled('desk', async () => answer, more);
  const insertFor = (count: number) => insertMany(count, { destination: 'desk' });
  beforeEach(() => {
    answer = failed;
  });

  test('is reported once after five consecutive failures', async () => {
    const [one, two] = [worker([desk()]), worker([desk()])];
    const leads = await insertFor(4);
    await pass(one);
    await one.watch();
    expect(alerts).toEqual([]);
    await insertFor(1);
    await pass(two);
    await two.watch();
    await one.watch();
    await two.watch();
    expect(alerts).toEqual([
      'The last 5 sends to desk failed, the last with: HTTP 500. Its leads are kept and retried',
    ]);

    answer = delivered;
    await insertFor(1);
    expect(await pass(one)).toBe(1);
    await one.watch();
    await two.watch();
    expect(alerts.slice(1)).toEqual(['desk answers again: its waiting leads are sent now']);
    // After the recovery, all retries are sent before their planned times.
    expect(await pass(one)).toBe(5);
    for (const lead of leads) expect(await stateOf(lead)).toBe('delivered');
    await one.watch();
    expect(alerts).toHaveLength(2);
  });

  test('is reported once after a lead has waited for more than ten minutes', async () => {
    const one = worker([desk()]);
    const lead = await insert({ destination: 'desk' });
    await pass(one);
    await one.watch();
    expect(alerts).toEqual([]);
    await advance(10 * MINUTE_MS + 2_000);
    await one.watch();
    await one.watch();
    expect(alerts).toEqual([expect.stringMatching(/^The oldest lead to desk has waited for more/)]);
    answer = delivered;
    await pass(one);
    await one.watch();
    expect(await stateOf(lead)).toBe('delivered');
    expect(alerts.slice(1)).toEqual(['No lead to desk waits for more than 10 minutes any more']);
  });
});

describe('a destination that says the result later', () => {
  test('is asked again with its id, and is neither failing nor late until then', async () => {
    const asked: (string | undefined)[] = [];
    const later = { outcome: 'later', retryAfterMs: 30 * MINUTE_MS, durationMs: 1 } as const;
    const answers: SendResult[] = [{ ...later, externalId: 'r1' }, later, delivered];
    const desk = controlled('desk', async ({ externalId }) => {
      asked.push(externalId);
      return answers.shift() ?? { ...later, externalId: 'r2' };
    });
    const one = worker([desk]);
    const lead = await insert({ destination: 'desk' });
    await pass(one);
    expect(await read(lead)).toMatchObject({ state: 'retrying', may_have_arrived: true });
    await advance(29 * MINUTE_MS);
    await one.watch();
    expect([await pass(one), alerts]).toEqual([0, []]);
    for (const state of ['retrying', 'delivered']) {
      await advance(5 * MINUTE_MS);
      expect(await pass(one)).toBe(1);
      expect(await stateOf(lead)).toBe(state);
      await advance(29 * MINUTE_MS);
    }
    // A resend asks for a new result.
    await site.resend(lead);
    await pass(one);
    await advance(34 * MINUTE_MS);
    await pass(one);
    expect(asked).toEqual([undefined, 'r1', 'r1', undefined, 'r2']);
  });

  test('gets a lead again that it has lost', async () => {
    const asked: (string | undefined)[] = [];
    const lost = { outcome: 'retry', externalId: '', durationMs: 1 } as const;
    const answers: SendResult[] = [{ outcome: 'later', externalId: 'r1', durationMs: 1 }, lost];
    const desk = controlled('desk', async ({ externalId }) => {
      asked.push(externalId);
      return answers.shift() ?? delivered;
    });
    const lead = await insert({ destination: 'desk' });
    for (const state of ['retrying', 'retrying', 'delivered']) {
      await pass(worker([desk]));
      expect(await stateOf(lead)).toBe(state);
      await advance(MINUTE_MS);
    }
    expect(asked).toEqual([undefined, 'r1', undefined]);
  });
});

describe('the end of an attempt', () => {
  /** Returns a pool in which storing the end of an attempt fails with these error codes. */
  function failingEnds(codes: string[]): pg.Pool {
    const query = (config: { name?: string }, ...rest: unknown[]) => {
      const code = config.name === 'delivery-finish' ? codes.shift() : undefined;
      if (code !== undefined) return Promise.reject(Object.assign(new Error('no'), { code }));
      return (pool.query as (...all: unknown[]) => unknown)(config, ...rest);
    };
    return { query, connect: () => pool.connect() } as unknown as pg.Pool;
  }

  test('is stored at the second attempt if the first attempt has a temporary database error', async () => {
    let sent = 0;
    const send = async () => {
      sent += 1;
      return delivered;
    };
    const desk = controlled('desk', send, { recognisesDuplicates: false });
    const one = worker([desk], { pool: failingEnds(['40001', '40P01', '57014']) });
    const lead = await insert({ destination: 'desk' });
    await pass(one);
    expect(await stateOf(lead)).toBe('delivered');
    await advance(60 * MINUTE_MS);
    await one.park();
    await pass(one);
    expect([await stateOf(lead), sent]).toEqual(['delivered', 1]);
  });
});
