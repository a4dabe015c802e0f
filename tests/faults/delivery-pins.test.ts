/**
 * What is sent, and to whom: the pins of the first claim, the hash of the bytes, and the suppression list.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { releaseLead, resendDelivery } from '../../src/server/delivery/changes.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../../src/server/delivery/worker.ts';
import type {
  ConnectedDestination,
  SendRequest,
} from '../../src/server/destinations/destination.ts';
import { createOutgoingHttp } from '../../src/server/providers/outgoing-http.ts';
import { openDatabase } from '../../src/server/storage/database.ts';
import { personKey } from '../support/person-keys.ts';
import { type TestDatabase, testLog, withDatabase } from '../support/postgres.ts';
import {
  controlled,
  delivered,
  forgetLeads,
  insertLead,
  mapLead,
  never,
  pass,
  readDelivery,
  reviseLead,
  sandboxAccount,
  sandboxIngest,
  sha256,
  startRecorder,
  type TestLead,
} from './delivery-fixture.ts';

const MINUTE_MS = 60_000;
const PAST_LEASE_MS = 16_000;
const http = createOutgoingHttp({ allowPrivateNetworks: true });
let database: TestDatabase;
let sandbox: Sandbox;
let recorder: Awaited<ReturnType<typeof startRecorder>>;
let now = new Date();
const workers: DeliveryWorker[] = [];

/** An account that the sandbox does not know. */
const other = { campaignId: '99', supplierId: '98', key: 'other-key' };

beforeAll(async () => {
  database = await withDatabase();
  sandbox = await startSandbox();
  recorder = await startRecorder(sandbox.url);
});
beforeEach(async () => {
  await forgetLeads(database.pool);
  now = new Date();
  sandbox.reset();
  recorder.bodies.length = 0;
});
afterEach(() => {
  for (const worker of workers.splice(0)) worker.stop();
});
afterAll(async () => {
  await recorder.close();
  await sandbox.close();
  await http.close();
  await database.drop();
});

function worker(...destinations: ConnectedDestination[]): DeliveryWorker {
  const made = createDeliveryWorker({
    pool: database.pool,
    destinations,
    concurrency: 50,
    owner: `worker-${workers.length}`,
    log: testLog,
    alert: () => undefined,
    now: () => now,
    random: () => 0.5,
  });
  workers.push(made);
  return made;
}

/** The real destination, sending through the recorder to the sandbox. */
const ingest = (account = sandboxAccount(sandbox), timeoutMs = 30_000) =>
  sandboxIngest(sandbox, http, timeoutMs, { account, baseUrl: recorder.url });

const read = (lead: TestLead) => readDelivery(database.pool, lead.deliveryId);
const nameOf = ({ campaignId, supplierId }: typeof other) => `${campaignId}/${supplierId}`;

/** Sends what is due some minutes later. */
async function later(minutes = 1): Promise<void> {
  now = new Date(now.getTime() + minutes * MINUTE_MS);
}

/** The bodies that the service received, in order. */
const received = () =>
  recorder.bodies.map((bytes) => JSON.parse(bytes.toString()) as Record<string, unknown>);

/** A destination that records its requests and gives the test's answers. */
function listener(
  answers: ('delivered' | 'unknown' | 'retry' | 'failed')[],
  options: Parameters<typeof controlled>[2] = {},
) {
  const requests: SendRequest[] = [];
  const destination = controlled(
    'ingest',
    async (request) => {
      requests.push(request);
      return { outcome: answers.shift() ?? 'delivered', durationMs: 1 };
    },
    options,
  );
  return { destination, requests };
}

describe('the hash of what was sent', () => {
  test('is recorded with every attempt, and is that of the bytes that arrived', async () => {
    const lead = await insertLead(database.pool);
    const a = worker(ingest());
    for (const mode of ['500', 'accept_then_reset'] as const) {
      sandbox.fail({ service: 'ingest', mode, times: 1 });
      await pass(a);
      await later();
    }
    await pass(a);
    const { state, log } = await read(lead);
    expect(state).toBe('delivered');
    expect(log.map(({ outcome }) => outcome)).toEqual(['server_error', 'unknown', 'duplicate']);
    expect(log.map(({ sent_sha256 }) => sent_sha256)).toEqual(recorder.bodies.map(sha256));
    expect(recorder.bodies).toHaveLength(3);
    // The service read these same bytes.
    expect(sandbox.received('ingest').map(({ body }) => body)).toEqual(
      received().map((body) => ({ ...body, lp_key: '[secret]' })),
    );
    expect(new Set(log.map(({ sent_sha256 }) => sent_sha256)).size).toBe(1);
    expect(log[0]).toMatchObject({
      revision: 1,
      account: nameOf(sandboxAccount(sandbox)),
      payload_version: 1,
    });
  });

  test('is committed, with its attempt and the pins, before anything is sent', async () => {
    const lead = await insertLead(database.pool);
    const elsewhere = openDatabase({
      connectionString: database.connectionString,
      poolMax: 1,
      log: testLog,
    });
    try {
      const seen: unknown[] = [];
      let body = '';
      const looking = controlled('ingest', async (request) => {
        body = JSON.stringify(request);
        seen.push(await readDelivery(elsewhere.pool, lead.deliveryId));
        return delivered;
      });
      await pass(worker(looking));
      expect(seen).toEqual([
        expect.objectContaining({
          state: 'sending',
          attempts: 1,
          revision: 1,
          payload_version: 1,
          log: [
            expect.objectContaining({
              attempt: 1,
              outcome: null,
              ended_at: null,
              sent_sha256: sha256(body),
            }),
          ],
        }),
      ]);
    } finally {
      await elsewhere.close();
    }
  });
});

describe('the pins', () => {
  test('an account named after the first attempt does not get the lead', async () => {
    const lead = await insertLead(database.pool);
    const a = worker(ingest());
    sandbox.fail({ service: 'ingest', mode: 'accept_then_reset', times: 2 });
    await pass(a);
    await mapLead(database.pool, lead, other);
    await later();
    await pass(a);
    await later();
    await pass(a);
    const { state, account, log } = await read(lead);
    expect({ state, account }).toEqual({
      state: 'delivered',
      account: nameOf(sandboxAccount(sandbox)),
    });
    expect(log.map(({ account }) => account)).toEqual(Array(3).fill(account));
    expect(new Set(log.map(({ sent_sha256 }) => sent_sha256)).size).toBe(1);
    const [first, ...rest] = recorder.bodies;
    expect(rest).toEqual([first, first]);
  });

  test('a lead whose account was named before is always sent to that one', async () => {
    const lead = await insertLead(database.pool);
    await mapLead(database.pool, lead, sandboxAccount(sandbox));
    const a = worker(ingest(other));
    sandbox.fail({ service: 'ingest', mode: '500', times: 1 });
    await pass(a);
    await later();
    await pass(a);
    expect(await read(lead)).toMatchObject({
      state: 'delivered',
      account: nameOf(sandboxAccount(sandbox)),
    });
    expect(received().map((body) => body.lp_campaign_id)).toEqual(
      Array(2).fill(sandboxAccount(sandbox).campaignId),
    );
  });

  test('every attempt of a round sends the revision of the first claim', async () => {
    const lead = await insertLead(database.pool);
    const { destination, requests } = listener(['unknown', 'retry', 'delivered']);
    const a = worker(destination);
    await pass(a);
    await reviseLead(database.pool, lead, { first_name: 'Second' });
    await later();
    await pass(a);
    await reviseLead(database.pool, lead, { first_name: 'Third' });
    await later();
    await pass(a);
    expect(requests.map(({ fields }) => fields.first_name)).toEqual(['Ana', 'Ana', 'Ana']);
    const { state, revision, log } = await read(lead);
    expect({ state, revision }).toEqual({ state: 'delivered', revision: 1 });
    expect(log.map(({ revision }) => revision)).toEqual([1, 1, 1]);
    expect(new Set(log.map(({ sent_sha256 }) => sent_sha256)).size).toBe(1);
  });

  test('a revision before the first claim is the one that is sent', async () => {
    const lead = await insertLead(database.pool);
    await reviseLead(database.pool, lead, { first_name: 'Second' });
    const { destination, requests } = listener([]);
    await pass(worker(destination));
    expect(requests.map(({ fields }) => fields.first_name)).toEqual(['Second']);
    expect(await read(lead)).toMatchObject({ revision: 2, state: 'delivered' });
  });

  test('a worker that takes a delivery over sends the same revision', async () => {
    const lead = await insertLead(database.pool);
    await worker(controlled('ingest', never, { account: 'old', payloadVersion: 1 })).begin();
    await reviseLead(database.pool, lead, { first_name: 'Second' });
    now = new Date(now.getTime() + PAST_LEASE_MS);
    const { destination, requests } = listener([], { account: 'new', payloadVersion: 2 });
    await pass(worker(destination));
    expect(requests).toMatchObject([
      { account: 'old', payloadVersion: 1, fields: { first_name: 'Ana' } },
    ]);
    const { log } = await read(lead);
    expect(log[1]?.sent_sha256).toBe(log[0]?.sent_sha256);
  });

  test('a new payload version applies only to deliveries that have not begun', async () => {
    const begun = await insertLead(database.pool);
    const first = listener(['unknown']);
    await pass(worker(first.destination));
    const fresh = await insertLead(database.pool);
    await later();
    const second = listener([], { payloadVersion: 2 });
    await pass(worker(second.destination));
    const versions = new Map(
      second.requests.map(({ leadId, payloadVersion }) => [leadId, payloadVersion]),
    );
    expect(versions.get(begun.leadId)).toBe(1);
    expect(versions.get(fresh.leadId)).toBe(2);
  });
});

describe('a resend', () => {
  const resend = async (lead: TestLead) => {
    await resendDelivery(database.pool, lead.deliveryId);
    await later();
  };

  test('after an attempt that surely did not arrive sends the newest revision to the current account', async () => {
    const lead = await insertLead(database.pool);
    const first = listener(['retry', 'failed'], { account: 'old', usesMappedAccounts: true });
    const a = worker(first.destination);
    await pass(a);
    await later();
    await pass(a);
    expect(await read(lead)).toMatchObject({
      state: 'dead',
      may_have_arrived: false,
      account: 'old',
    });
    await reviseLead(database.pool, lead, { first_name: 'Second' });
    await mapLead(database.pool, lead, other);
    await resend(lead);
    const second = listener([], { account: 'new', usesMappedAccounts: true, payloadVersion: 2 });
    await pass(worker(second.destination));
    expect(second.requests).toMatchObject([
      { account: nameOf(other), payloadVersion: 2, fields: { first_name: 'Second' } },
    ]);
    expect(await read(lead)).toMatchObject({
      state: 'delivered',
      revision: 2,
      attempts: 3,
      attempts_before_round: 2,
    });
  });

  test.each(['unknown', 'delivered'] as const)(
    'after an attempt that was %s repeats the same bytes',
    async (outcome) => {
      const lead = await insertLead(database.pool);
      const first = listener([outcome, 'failed'], { account: 'old', usesMappedAccounts: true });
      const a = worker(first.destination);
      await pass(a);
      await later();
      await pass(a);
      await reviseLead(database.pool, lead, { first_name: 'Second' });
      await mapLead(database.pool, lead, other);
      await resend(lead);
      const second = listener([], { account: 'new', usesMappedAccounts: true, payloadVersion: 2 });
      await pass(worker(second.destination));
      expect(second.requests).toMatchObject([
        { account: 'old', payloadVersion: 1, fields: { first_name: 'Ana' } },
      ]);
      const { state, revision, log } = await read(lead);
      expect({ state, revision }).toEqual({ state: 'delivered', revision: 1 });
      expect(log.at(-1)).toMatchObject({ revision: 1, account: 'old', payload_version: 1 });
    },
  );

  test('of a dead worker’s delivery, before a takeover, repeats the same bytes', async () => {
    const lead = await insertLead(database.pool);
    await worker(controlled('ingest', never, { account: 'old' })).begin();
    await reviseLead(database.pool, lead, { first_name: 'Second' });
    await resend(lead);
    const { destination, requests } = listener([], { account: 'new' });
    await pass(worker(destination));
    expect(requests).toMatchObject([{ account: 'old', fields: { first_name: 'Ana' } }]);
    const { may_have_arrived, log } = await read(lead);
    expect(may_have_arrived).toBe(true);
    expect(log.map(({ outcome }) => outcome)).toEqual(['unknown', 'delivered']);
  });

  test('begins a new round of attempts', async () => {
    const lead = await insertLead(database.pool);
    const { destination } = listener(Array(40).fill('retry'));
    const a = worker(destination);
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await pass(a);
      await later(60 * 24);
    }
    expect(await read(lead)).toMatchObject({ state: 'dead', attempts: 20 });
    await resend(lead);
    await pass(a);
    const { state, attempts, due_at } = await read(lead);
    expect({ state, attempts }).toEqual({ state: 'retrying', attempts: 21 });
    // The retry pauses start over, too.
    expect(Number(due_at) - now.getTime()).toBeLessThan(MINUTE_MS);
  });

  test('a released lead is sent with its newest revision', async () => {
    const lead = await insertLead(database.pool, { state: 'held' });
    await database.pool.query(`update leads set state = 'held'`);
    await reviseLead(database.pool, lead, { first_name: 'Second' });
    expect(await releaseLead(database.pool, lead.leadId)).toBe(1);
    await later();
    const { destination, requests } = listener([]);
    await pass(worker(destination));
    expect(requests).toMatchObject([{ fields: { first_name: 'Second' } }]);
  });
});

describe('settings with another account, after an attempt that may have arrived', () => {
  async function lost(account = sandboxAccount(sandbox)): Promise<TestLead> {
    const lead = await insertLead(database.pool);
    sandbox.fail({ service: 'ingest', mode: 'accept_then_reset', times: 1 });
    await pass(worker(ingest(account)));
    expect(await read(lead)).toMatchObject({ state: 'retrying', may_have_arrived: true });
    await later();
    await pass(worker(ingest(other)));
    return lead;
  }

  test('the lead is sent to nobody, and the ledger says why', async () => {
    const lead = await lost();
    expect(recorder.bodies).toHaveLength(1);
    const { state, last_message, log } = await read(lead);
    const name = nameOf(sandboxAccount(sandbox));
    expect(state).toBe('dead');
    expect(last_message).toContain(
      `account ${name}, to which this lead is pinned, is not configured`,
    );
    expect(log[1]).toMatchObject({ outcome: 'failed', sent_sha256: null, account: name });
  });

  test.each(['configured', 'mapped'] as const)(
    'with the old account %s again, a resend goes there with the same bytes',
    async (how) => {
      const lead = await lost();
      if (how === 'mapped') await mapLead(database.pool, lead, sandboxAccount(sandbox));
      await resendDelivery(database.pool, lead.deliveryId);
      await later();
      await pass(worker(ingest(how === 'configured' ? sandboxAccount(sandbox) : other)));
      const { state, log } = await read(lead);
      expect(state).toBe('delivered');
      expect(log.map(({ outcome }) => outcome)).toEqual(['unknown', 'failed', 'duplicate']);
      expect(log[2]?.sent_sha256).toBe(log[0]?.sent_sha256);
      expect(recorder.bodies[1]).toEqual(recorder.bodies[0]);
      expect(sandbox.effects().map(({ count }) => count)).toEqual([1]);
    },
  );

  test('a lead for a mapped account without its key does not go to the settings’ own account', async () => {
    const lead = await insertLead(database.pool);
    await mapLead(database.pool, lead, sandboxAccount(sandbox));
    sandbox.fail({ service: 'ingest', mode: 'timeout', times: 1 });
    const a = worker(ingest(other, 300));
    await pass(a);
    await mapLead(database.pool, lead, { ...other, campaignId: '97' });
    await later();
    await pass(a);
    expect(await read(lead)).toMatchObject({ state: 'dead', may_have_arrived: true });
    expect(recorder.bodies).toHaveLength(1);
  });
});

describe('nothing is sent', () => {
  const suppress = (kind: 'email' | 'phone', value: string) =>
    database.pool.query('insert into suppressions (key, kind, actor) values ($1, $2, $3)', [
      personKey(kind, value),
      kind,
      'a test',
    ]);

  async function expectSuppressed(lead: TestLead, attempts = 0): Promise<void> {
    const { destination, requests } = listener([]);
    const a = worker(destination);
    expect(await pass(a)).toBe(0);
    await later(60 * 24 * 365);
    expect(await pass(a)).toBe(0);
    expect(requests).toEqual([]);
    const delivery = await read(lead);
    expect(delivery).toMatchObject({
      state: 'suppressed',
      attempts,
      due_at: null,
      lease_owner: null,
    });
    expect(delivery.finished_at).not.toBeNull();
    expect(delivery.last_message).toContain('nothing is sent');
    expect(delivery.log).toHaveLength(attempts);
    expect(delivery.log.filter(({ outcome }) => outcome === null)).toEqual([]);
  }

  test.each(['email', 'phone'] as const)('of a lead whose %s is suppressed', async (kind) => {
    const lead = await insertLead(database.pool);
    const bystander = await insertLead(database.pool, { destination: 'other' });
    await suppress(kind, lead.fields[kind]);
    await expectSuppressed(lead);
    // … and only that lead is stopped.
    const { destination } = listener([]);
    await pass(worker({ ...destination, name: 'other' }));
    expect(await read(bystander)).toMatchObject({ state: 'delivered' });
  });

  test.each(['email', 'phone'] as const)(
    'of a retrying lead, if the newest revision’s %s is suppressed',
    async (kind) => {
      const lead = await insertLead(database.pool);
      await pass(worker(listener(['retry']).destination));
      const fields = await reviseLead(database.pool, lead, {
        email: 'later@example.com',
        phone: '2125550199',
      });
      await suppress(kind, fields[kind]);
      await later();
      await expectSuppressed(lead, 1);
    },
  );

  test.each(['email', 'phone'] as const)(
    'of a retrying lead, if the pinned revision’s %s is suppressed',
    async (kind) => {
      const lead = await insertLead(database.pool);
      await pass(worker(listener(['retry']).destination));
      await reviseLead(database.pool, lead, { email: 'later@example.com', phone: '2125550199' });
      await suppress(kind, lead.fields[kind]);
      await later();
      await expectSuppressed(lead, 1);
    },
  );

  test('of an erased lead', async () => {
    const lead = await insertLead(database.pool);
    await database.pool.query('update leads set erased_at = now()');
    await expectSuppressed(lead);
  });

  test('of an erased lead that awaited its retry', async () => {
    const lead = await insertLead(database.pool);
    await pass(worker(listener(['unknown']).destination));
    await database.pool.query('update leads set erased_at = now()');
    await later();
    await expectSuppressed(lead, 1);
  });

  test('of an erased lead that a dead worker left; its attempt is closed as uncertain', async () => {
    const lead = await insertLead(database.pool);
    await worker(controlled('ingest', never)).begin();
    await suppress('phone', lead.fields.phone);
    now = new Date(now.getTime() + PAST_LEASE_MS);
    await expectSuppressed(lead, 1);
    const { may_have_arrived, log } = await read(lead);
    expect(may_have_arrived).toBe(true);
    expect(log).toMatchObject([{ outcome: 'unknown' }]);
    expect(log[0]?.ended_at).not.toBeNull();
  });

  test('again by a resend, while the key is suppressed', async () => {
    const lead = await insertLead(database.pool);
    await pass(worker(listener(['failed']).destination));
    await suppress('email', lead.fields.email);
    await resendDelivery(database.pool, lead.deliveryId);
    await later();
    await expectSuppressed(lead, 1);
    await database.pool.query('delete from suppressions');
    await resendDelivery(database.pool, lead.deliveryId);
    now = new Date(Date.now() + MINUTE_MS);
    await pass(worker(listener([]).destination));
    expect(await read(lead)).toMatchObject({ state: 'delivered' });
  });
});
